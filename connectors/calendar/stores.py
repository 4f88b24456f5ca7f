"""All of a person's calendars as one store: those on this machine, and those of each account."""

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, cast

from connectors.account_state import AccountState
from connectors.base import Needs
from connectors.calendar.accounts import Account
from connectors.calendar.config import Config
from connectors.calendar.store import Collection, Place, Stamp, Store, StoreError, Unreadable
from connectors.calendar.vdir import Vdir
from connectors.dav.accounts import Mode
from connectors.secrets.chain import Secrets

_MARK = "~"


class Remote(Store, Protocol):
    """A store that is reached over a network."""

    name: str

    def begin(self, *, at_once: bool) -> None:
        """Have it brought up to date without waiting."""
        ...

    @property
    def state(self) -> AccountState: ...

    def settle(self, seconds: float) -> None:
        """Wait for what goes on."""
        ...

    def close(self) -> None: ...


class NoCalendarYet(StoreError, needs=Needs.OFFLINE):
    """Nothing is known of the calendars of any account."""


class Stores:
    """Several stores as one; see `connectors.calendar.store.Store`.

    A calendar of an account is named after it, `work~personal`, and every other one is on this machine.
    """

    def __init__(self, local: Store | None, remotes: Sequence[Remote]) -> None:
        self._local = local
        self._remotes = {each.name: each for each in remotes}

    def begin(self, *, at_once: bool = False) -> None:
        """Have every account brought up to date without waiting."""
        for each in self._remotes.values():
            each.begin(at_once=at_once)

    def settle(self, seconds: float) -> None:
        """Have every account brought up to date, and wait for each no longer than this."""
        self.begin(at_once=True)
        for each in self._remotes.values():
            each.settle(seconds)

    def keep_up(self) -> None:
        """Take note of what came of the last look at each account, and have another where it is time."""
        for each in self._remotes.values():
            each.settle(0)
            each.begin(at_once=False)

    def refresh(self, *, at_once: bool = False) -> tuple[str, ...]:
        self.begin(at_once=at_once)
        return tuple(text for each in self._all() for text in each.refresh(at_once=at_once))

    def outdated(self, collection: str) -> StoreError | None:
        return self._store(collection).outdated(collection)

    def collections(self) -> tuple[Collection, ...]:
        local = [each for each in self._of_here() if self._remote(each.name) is None]
        remote = [each for store in self._remotes.values() for each in store.collections()]
        if not local and not remote:
            reasons = [str(why) for each in self._remotes.values() if (why := each.outdated(""))]
            raise NoCalendarYet(" ".join(reasons) or "No calendar of any account is known yet.")
        return (*local, *_told_apart(remote))

    def items(self, collection: str) -> Iterable[tuple[Place, Stamp]]:
        return self._store(collection).items(collection)

    def version(self, collection: str) -> Stamp | None:
        return self._store(collection).version(collection)

    def read(self, place: Place) -> bytes | None:
        return self._store(place.collection).read(place)

    def put(self, place: Place, data: bytes | None, expected: bytes | None) -> bytes | None:
        return self._store(place.collection).put(place, data, expected)

    def new_name(self, collection: str, uid: str) -> str:
        return self._store(collection).new_name(collection, uid)

    def make_collection(self, name: str, displayname: str) -> None:
        self._store(name).make_collection(name, displayname)

    def remove_collection(self, name: str, displayname: str) -> None:
        self._store(name).remove_collection(name, displayname)

    def notices(self) -> tuple[str, ...]:
        return tuple(text for each in self._all() for text in each.notices())

    @property
    def states(self) -> tuple[AccountState, ...]:
        """How each account is doing."""
        return tuple(each.state for each in self._remotes.values())

    def close(self) -> None:
        for each in self._remotes.values():
            each.close()

    def _all(self) -> list[Store]:
        return [*([self._local] if self._local else []), *self._remotes.values()]

    def _of_here(self) -> tuple[Collection, ...]:
        return self._local.collections() if self._local else ()

    def _remote(self, collection: str) -> Remote | None:
        account, mark, _ = collection.partition(_MARK)
        return self._remotes.get(account) if mark else None

    def _store(self, collection: str) -> Store:
        store = self._remote(collection) or self._local
        if store is None:
            raise Unreadable(f"The calendar {collection} belongs to no account that is used.")
        return store


def open_store(folder: Path, state: Path, config: Config, secrets: Secrets | None) -> Store | Stores:
    """The calendars that the settings speak of; `state` keeps what was last seen of each account."""
    local = Vdir(folder)
    used = {name: each for name, each in config.accounts.items() if each.mode is not Mode.OFF}
    if not used or secrets is None:
        return local
    remotes = [_remote_store(name, account, state / "caldav", secrets) for name, account in used.items()]
    return Stores(local if config.local else None, remotes)


def _remote_store(name: str, account: Account, folder: Path, secrets: Secrets) -> Remote:
    # Loaded only by those who have an account: the libraries for it take longer to load than all of Askfirst.
    module = importlib.import_module("connectors.calendar.caldav.store")
    return cast(Remote, module.CaldavStore(name, account, folder, secrets))


def _told_apart(collections: Sequence[Collection]) -> list[Collection]:
    """Calendars of one displayed name in several accounts get the account's name too."""
    shown = [each.displayname for each in collections]
    return [
        each
        if shown.count(each.displayname) == 1
        else replace(each, displayname=f"{each.displayname} ({each.name.partition(_MARK)[0]})")
        for each in collections
    ]
