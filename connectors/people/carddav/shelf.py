"""One account's address books: read from what is known of them here, written to the server."""

import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from connectors.base import Notice
from connectors.clean import clean_line
from connectors.dav.discovery import Remote
from connectors.dav.faults import Forbidden, Moved
from connectors.dav.state import AccountState
from connectors.dav.store import DavStore
from connectors.people.accounts import Account
from connectors.people.carddav.kind import ADDRESS_BOOKS
from connectors.people.cards import contacts_in, new_card
from connectors.people.contacts import Contact
from connectors.people.vcard import VCardError
from connectors.secrets.settings import FindSecret
from connectors.stores import StoreError, Uncertain

_OWNER: Final = "people"
_PATIENCE: Final = 3.0
_FIRST_PATIENCE: Final = 20.0
# After waiting in vain for this account, nobody waits for it again so soon.
_HURRY: Final = 30.0


@dataclass(frozen=True, slots=True)
class _Card:
    """What one item on the server holds, in the version of this stamp."""

    stamp: int
    contacts: tuple[Contact, ...]
    troubles: tuple[str, ...]


class DavShelf:
    """The address books of one account; see `connectors.people.book.Shelf`."""

    def __init__(self, name: str, account: Account, folder: Path, find: FindSecret) -> None:
        self._name = name
        self._account = account
        self._store = DavStore(ADDRESS_BOOKS, "contacts", name, account, folder, find)
        self._lock = threading.RLock()
        self._cards: dict[tuple[str, str], _Card] = {}
        self._versions: dict[str, tuple[int, int]] = {}
        self._doubts: tuple[str, ...] = ()
        self._notices: tuple[Notice, ...] = ()
        self._hurry = 0.0

    @property
    def takes(self) -> str:
        try:
            with self._lock:
                folder = self._taking()
        except StoreError:
            return ""
        return self._shown(folder) if folder else ""

    @property
    def state(self) -> AccountState:
        try:
            return self._store.state
        except StoreError as error:
            account = self._account
            kind = ADDRESS_BOOKS.folders
            return AccountState(
                f"contacts {self._name}", kind, account.url, "", account.mode, (), "", str(error), ()
            )

    def contacts(self) -> tuple[Contact, ...]:
        with self._lock:
            self._look(at_once=False)
            return self.known()

    def known(self) -> tuple[Contact, ...]:
        return tuple(contact for card in list(self._cards.values()) for contact in card.contacts)

    def doubts(self) -> tuple[str, ...]:
        return self._doubts

    def notices(self) -> tuple[Notice, ...]:
        return self._notices

    def refresh(self) -> None:
        with self._lock:
            self._look(at_once=True)

    def add(self, name: str, addresses: Sequence[str], phones: Sequence[str]) -> Contact:
        uid = str(uuid.uuid4())
        card = new_card(uid, name, tuple(addresses), tuple(phones))
        with self._lock:
            folder = self._taking()
            if folder is None:
                raise Forbidden(f"No address book of {self._name} may be written to.")
            item = self._store.new_name(folder.name, uid)
            kept = self._store.write(folder.name, item, card, None)
            try:
                contacts, _ = contacts_in(kept or b"", _stem(folder.name, item), self._shown(folder))
                return contacts[0]
            except (VCardError, IndexError) as error:
                said = f"{self._name} says it was done, but what it keeps now cannot be read."
                raise Uncertain(said) from error

    def remove(self, handle: str) -> None:
        with self._lock:
            self._look(at_once=False)
            for (folder, item), card in self._cards.items():
                if any(contact.handle == handle for contact in card.contacts):
                    self._remove(folder, item, card)
                    return
        raise KeyError(handle)

    def start(self) -> None:
        # What goes wrong is told at the first look.
        with self._lock, suppress(StoreError):
            self._store.begin(at_once=True)

    def close(self) -> None:
        self._store.close()

    def _remove(self, folder: str, item: str, card: _Card) -> None:
        if len(card.contacts) > 1:
            raise ValueError(f"{clean_line(item)} holds {len(card.contacts)} contacts; edit it by hand.")
        kept = self._store.mirror.find(folder, item)
        if kept is None:
            raise Moved("The contact is not there any more.")
        self._store.write(folder, item, None, kept.data)

    def _taking(self) -> Remote | None:
        """The address book for new contacts: of those that are chosen, the first that may be written to."""
        if self._store.locked:
            return None
        if "synced" not in self._store.mirror.facts():
            self._look(at_once=True)
        order = {name: place for place, name in enumerate(self._account.books)}
        open_to_us = [each for each in self._store.folders() if not each.read_only]
        return min(
            open_to_us,
            key=lambda each: min(order.get(each.displayname, len(order)), order.get(_slug(each), len(order))),
            default=None,
        )

    def _look(self, *, at_once: bool) -> None:
        """Bring what is known up to date; whatever is wrong is a doubt, and hides nothing that is known."""
        patient = time.monotonic() >= self._hurry
        try:
            self._doubts = self._store.refresh(
                at_once=at_once,
                patience=_PATIENCE if patient else 0.0,
                first=_FIRST_PATIENCE if patient else 0.0,
            )
            if patient and self._store.busy:
                self._hurry = time.monotonic() + _HURRY
            self._read()
        except StoreError as error:
            self._doubts = (str(error),)
        self._notices = tuple(self._told())

    def _read(self) -> None:
        """Parse the cards that are new here, and forget those that are gone."""
        folders = self._store.folders()
        names = {each.name for each in folders}
        self._cards = {key: card for key, card in self._cards.items() if key[0] in names}
        for folder in folders:
            version = self._store.version(folder.name)
            if self._versions.get(folder.name) != version:
                self._read_folder(folder)
                self._versions[folder.name] = version
        self._versions = {name: each for name, each in self._versions.items() if name in names}

    def _read_folder(self, folder: Remote) -> None:
        stamps = dict(self._store.mirror.stamps(folder.name))
        for key in [key for key in self._cards if key[0] == folder.name and key[1] not in stamps]:
            del self._cards[key]
        for item, stamp in stamps.items():
            known = self._cards.get((folder.name, item))
            if known is None or known.stamp != stamp:
                self._cards[folder.name, item] = self._card(folder, item, stamp)

    def _card(self, folder: Remote, item: str, stamp: int) -> _Card:
        kept = self._store.mirror.find(folder.name, item)
        shown = f"{self._shown(folder)}, {clean_line(item, 80)}"
        try:
            contacts, troubles = contacts_in(
                kept.data if kept else b"", _stem(folder.name, item), self._shown(folder)
            )
        except VCardError as error:
            return _Card(stamp, (), (f"{shown}: {error}.",))
        return _Card(stamp, tuple(contacts), tuple(f"{shown}: {each}" for each in troubles))

    def _told(self) -> Iterator[Notice]:
        for text in self._store.notices():
            yield Notice(_OWNER, text)
        details = tuple(text for card in self._cards.values() for text in card.troubles)
        if details:
            count = sum(1 for card in self._cards.values() if card.troubles)
            cards = "One contact" if count == 1 else f"{count} contacts"
            yield Notice(_OWNER, f"{cards} of {self._name} cannot be read in full.", details)

    def _shown(self, folder: Remote) -> str:
        return f"{folder.displayname} ({self._name})"


def _stem(folder: str, item: str) -> str:
    return f"{folder}/{item.removesuffix(ADDRESS_BOOKS.suffix)}"


def _slug(folder: Remote) -> str:
    return folder.name.partition("~")[2]
