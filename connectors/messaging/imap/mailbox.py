"""A mailbox on a server, read and written as a Maildir is."""

import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from imapclient import IMAPClient

from connectors.base import Needs
from connectors.messaging.errors import MailboxError, unseen
from connectors.messaging.imap.cache import Cache, entry, without_number
from connectors.messaging.imap.connection import Connection
from connectors.messaging.imap.deeds import GONE, Deeds
from connectors.messaging.imap.search import MOST_NAMED, search
from connectors.messaging.imap.sync import name_of, refresh
from connectors.messaging.mailbox import Handles, Limit
from connectors.messaging.maildir.names import INBOX, Entry, Subdir, handle, place, split, suffix

_AT_ONCE: Final = 1_000
_FRESH: Final = 2.0
_PAUSE: Final = 10.0
_KEPT: Final = 16
_UNITS: Final = {"STORAGE": ("bytes", 1024), "MESSAGE": ("messages", 1)}

_ANOTHER: Final = "The server moved another message, which was put back; its folder was made anew just now."

_T = TypeVar("_T")


class ImapMailbox:
    """An account's folders, over a connection and what is known of them.

    A message keeps its handle when it is moved, marked, or when the server renumbers its folder. Where the
    server cannot be reached, what is known is told and `trouble` says so; nothing is changed then.
    """

    def __init__(
        self, connection: Connection, cache: Cache, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._connection = connection
        self._cache = cache
        self._deeds = Deeds(connection, cache)
        self._clock = clock
        self._seen: dict[str, float] = {}
        self._complete: dict[str, bool] = {}
        self._texts: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()
        self._away = float("-inf")
        self.trouble = ""

    def folders(self) -> tuple[str, ...]:
        return self._reached(self._listed, self._cache.folders)

    def entries(self, folders: Iterable[str] | None = None) -> tuple[Entry, ...]:
        chosen = self.folders() if folders is None else tuple(folders)
        for folder in chosen:
            if self._stale(folder):
                self._reached(partial(self._refreshed, folder), _nothing)
        return tuple(itertools.chain.from_iterable(map(self._cache.entries, chosen)))

    def locate(self, handle: str) -> Entry | None:
        where = place(handle)
        if where is None:
            return None
        self._refreshed(where[0])
        row = self._cache.find(*where)
        return entry(where[0], row) if row and "T" not in row.flags else None

    def read(self, entry: Entry) -> bytes:
        key = self._deeds.identity(entry)
        if key not in self._texts:
            self._texts[key] = self._deeds.fetch(entry)
            if len(self._texts) > _KEPT:
                self._texts.popitem(last=False)
        return self._texts[key]

    def head(self, entry: Entry) -> bytes:
        row = self._cache.find(entry.folder, entry.unique)
        if row is None:
            raise FileNotFoundError(GONE)
        return row.head

    def limits(self) -> tuple[Limit, ...]:
        with self._connection.client() as client:
            if not client.has_capability("QUOTA"):
                return ()
            _, quotas = client.get_quota_root("INBOX")
        return tuple(
            Limit(unit, quota.usage * factor, quota.limit * factor)
            for quota in quotas
            for unit, factor in (_UNITS.get(quota.resource, ("", 0)),)
            if unit
        )

    def new_name(self, data: bytes) -> str:
        wire = _on_the_wire(data)
        return name_of(data, len(wire))

    def deliver(self, folder: str, data: bytes, flags: str, unique: str = "") -> Entry:
        with self._connection.client() as client:
            name = self._there(client, folder)
        self._deeds.append(name, _on_the_wire(data), flags)
        self._seen_done(folder)
        wanted = unique or self.new_name(data)
        row = self._cache.find(folder, wanted)
        if row is None:
            raise MailboxError(Needs.UNAVAILABLE, "The server took the message but does not show it.")
        return entry(folder, row)

    def name_in(self, entry: Entry, folder: str) -> str:
        if folder in self.folders():
            self._refreshed(folder)
        return self._cache.free(folder, entry.unique)

    def move(self, entry: Entry, folder: str, unique: str, subdir: Subdir) -> Entry:
        with self._connection.client() as client:
            name = self._there(client, folder)
        uid = self._deeds.move(entry, name)
        self._seen_done(entry.folder, folder)
        self._put_right(entry, folder, self._cache.name_at(folder, uid))
        return replace(entry, folder=folder, unique=unique)

    def mark(self, entry: Entry, flags: str) -> Entry:
        now = self._deeds.mark(entry, flags)
        if set(now) != set(flags):
            raise MailboxError(Needs.READ_ONLY, "The server does not let this message be marked.")
        return replace(entry, flags=now, suffix=suffix(now))

    def put_back(self, entry: Entry, subdir: Subdir, file_suffix: str) -> Entry:
        return self.mark(entry, split(f"x{file_suffix}")[1])

    def remove(self, entry: Entry) -> None:
        self._deeds.expunge(entry)
        self._seen_done(entry.folder)

    def search(self, words: Sequence[Sequence[str]], among: Handles | None = None) -> frozenset[str]:
        """The handles of the messages that the server finds by all words, each in any of its spellings."""
        found: set[str] = set()
        wanted = None if among is None or len(among) > MOST_NAMED else self._cache.uids(among)
        for folder in self.folders() if wanted is None else wanted:
            some = None if wanted is None else wanted[folder]
            uids = self._reached(partial(search, self._connection, folder, words, some), _nobody)
            found |= {handle(folder, name) for name in self._cache.names(folder, uids)}
        return frozenset(found)

    def read_on(self) -> bool:
        """Learn of some more of the messages that are not known yet; True when all are."""
        for folder in [folder for folder, complete in self._complete.items() if not complete]:
            self._refreshed(folder, flags=False)
        return all(self._complete.values())

    def look_again(self, folder: str) -> None:
        if folder in self.folders():
            self._refreshed(folder)

    def stale(self) -> None:
        """Something has changed on the server: what is known is looked at anew the next time."""
        self._seen.clear()
        self._away = float("-inf")

    def close(self) -> None:
        self._connection.close()
        self._cache.close()

    def _listed(self) -> tuple[str, ...]:
        with self._connection.client() as client:
            names = self._connection.folders(client, anew=self._stale("")).names
        self._cache.keep_only(names)
        return tuple(sorted(names, key=lambda name: (name != INBOX, name)))

    def _refreshed(self, folder: str, *, flags: bool = True) -> None:
        self._complete[folder] = refresh(self._connection, self._cache, folder, _AT_ONCE, flags=flags)
        self._seen[folder] = self._clock()

    def _stale(self, folder: str) -> bool:
        stale = self._clock() - self._seen.get(folder, float("-inf")) >= _FRESH
        if stale:
            self._seen[folder] = self._clock()
        return stale

    def _reached(self, look: Callable[[], _T], known: Callable[[], _T]) -> _T:
        """What the server says, or what was known where it cannot be reached, if anything was."""
        if self._clock() - self._away < _PAUSE:
            return known()
        try:
            said = look()
        except MailboxError as error:
            if error.needs is not Needs.OFFLINE or not self._cache.folders():
                raise
            # A server that does not answer is waited for once, and not for every folder.
            self._away = self._clock()
            self.trouble = f"{error.text} What was known before is shown."
            return known()
        self.trouble = ""
        return said

    def _put_right(self, meant: Entry, folder: str, moved: str) -> None:
        """Where a server has moved another message than was meant, put that one back.

        Some do when a folder is made anew under an open connection.
        """
        if not moved or without_number(moved) == without_number(meant.unique):
            return
        with self._connection.client() as client:
            name = self._there(client, meant.folder)
        self._deeds.move(replace(meant, folder=folder, unique=moved), name)
        self._seen_done(folder, meant.folder)
        raise MailboxError(Needs.CONFLICT, _ANOTHER)

    def _seen_done(self, *folders: str) -> None:
        """Look at what a change has made of some folders."""
        try:
            for folder in folders:
                self._refreshed(folder)
        except MailboxError as error:
            raise unseen(error) from error

    def _there(self, client: IMAPClient, folder: str) -> str:
        """The server's name of a folder, made if need be."""
        folders = self._connection.folders(client)
        name = folders.there(folder)
        if folder not in folders.names:
            client.create_folder(name)
            client.subscribe_folder(name)
            self._connection.folders(client, anew=True)
        return name


def _nothing() -> None:
    return None


def _nobody() -> tuple[int, ...]:
    return ()


def _on_the_wire(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
