"""One account's folders as they were seen last, in a database that also serves while offline."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from connectors.dav.discovery import Remote
from connectors.stores import Unreadable

_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS folders (
  name TEXT PRIMARY KEY, url TEXT NOT NULL, displayname TEXT NOT NULL, read_only INTEGER NOT NULL,
  components TEXT NOT NULL, token TEXT NOT NULL, can_sync INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS items (
  id INTEGER PRIMARY KEY AUTOINCREMENT, folder TEXT NOT NULL, name TEXT NOT NULL, href TEXT NOT NULL,
  etag TEXT NOT NULL, data BLOB NOT NULL, UNIQUE (folder, name), UNIQUE (folder, href)
);
CREATE INDEX IF NOT EXISTS numbers ON items (folder, id);
"""
_EMPTY = "DROP TABLE IF EXISTS facts; DROP TABLE IF EXISTS calendars; DROP TABLE IF EXISTS items;"
_VERSION = 1
_SECONDS_LOCKED = 10.0


@dataclass(frozen=True, slots=True)
class Kept:
    """One item: its address on the server, the version that goes with the bytes (empty: not known)."""

    href: str
    etag: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Arrived:
    """One item as a server gave it, with the name it is to have here."""

    name: str
    href: str
    etag: str
    data: bytes


class Mirror:
    """The database of one account; safe for use by several threads. Every method may raise Unreadable."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._path = path
        self._opened: sqlite3.Connection | None = None

    def belong_to(self, whom: str) -> None:
        """Forget everything if it is of somebody else, or from another place, than it is now to be."""
        if self.facts().get("whom") != whom:
            with self._database() as database:
                for table in ("facts", "folders", "items"):
                    database.execute(f"DELETE FROM {table}")
            self.remember(whom=whom)

    def facts(self) -> dict[str, str]:
        """What is remembered of the account itself."""
        with self._database() as database:
            return dict(database.execute("SELECT name, value FROM facts"))

    def remember(self, **facts: str) -> None:
        with self._database() as database:
            database.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts.items())

    def folders(self) -> list[Remote]:
        """The folders, with the tokens up to which their items are here."""
        with self._database() as database:
            rows = database.execute(
                "SELECT name, url, displayname, read_only, components, token, can_sync FROM folders"
                " ORDER BY name"
            )
            return [
                Remote(name, url, shown, bool(locked), frozenset(components.split()), token, bool(sync))
                for name, url, shown, locked, components, token, sync in rows
            ]

    def keep_folders(self, listed: Sequence[Remote]) -> None:
        """Take over what a server lists, but for the tokens; what it lists no more goes with its items."""
        with self._database() as database:
            tokens = dict(database.execute("SELECT name, token FROM folders"))
            gone = tokens.keys() - {each.name for each in listed}
            database.executemany("DELETE FROM items WHERE folder = ?", [(name,) for name in gone])
            database.execute("DELETE FROM folders")
            database.executemany(
                "INSERT INTO folders VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        each.name,
                        each.url,
                        each.displayname,
                        each.read_only,
                        " ".join(sorted(each.components)),
                        tokens.get(each.name, ""),
                        each.can_sync,
                    )
                    for each in listed
                ],
            )

    def stamps(self, folder: str) -> list[tuple[str, int]]:
        """The name of each item, and a number that is another for each version of each item."""
        with self._database() as database:
            return list(database.execute("SELECT name, id FROM items WHERE folder = ?", (folder,)))

    def version(self, folder: str) -> tuple[int, int]:
        """What is another whenever an item comes, goes or changes: numbers are never used again."""
        with self._database() as database:
            row = database.execute(
                "SELECT count(*), coalesce(max(id), 0) FROM items WHERE folder = ?", (folder,)
            ).fetchone()
        return int(row[0]), int(row[1])

    def versions(self, folder: str) -> dict[str, str]:
        """The address and server's version of each item."""
        with self._database() as database:
            return dict(database.execute("SELECT href, etag FROM items WHERE folder = ?", (folder,)))

    def find(self, folder: str, name: str) -> Kept | None:
        with self._database() as database:
            row = database.execute(
                "SELECT href, etag, data FROM items WHERE folder = ? AND name = ?", (folder, name)
            ).fetchone()
        return Kept(row[0], row[1], bytes(row[2])) if row else None

    def update(
        self,
        folder: str,
        arrived: Iterable[Arrived] = (),
        gone: Iterable[str] = (),
        token: str | None = None,
    ) -> None:
        """Take over items and forget the addresses gone, all at once; with a token, up to that."""
        with self._database() as database:
            database.executemany(
                "DELETE FROM items WHERE folder = ? AND href = ?", [(folder, href) for href in gone]
            )
            database.executemany(
                "INSERT OR REPLACE INTO items (folder, name, href, etag, data) VALUES (?, ?, ?, ?, ?)",
                [(folder, each.name, each.href, each.etag, each.data) for each in arrived],
            )
            if token is not None:
                database.execute("UPDATE folders SET token = ? WHERE name = ?", (token, folder))

    def close(self) -> None:
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        """The database inside a transaction that is kept whole or not at all."""
        with self._lock:
            try:
                database = self._open()
                with database:
                    yield database
            except (sqlite3.Error, OSError) as error:
                raise Unreadable(f"What is known of the account {self._path.stem} cannot be used.") from error

    def _open(self) -> sqlite3.Connection:
        if self._opened is None:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            database = sqlite3.connect(self._path, timeout=_SECONDS_LOCKED, check_same_thread=False)
            self._path.chmod(0o600)
            database.execute("PRAGMA journal_mode = WAL")
            if database.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
                # What is kept here is on the server too, so that of another shape is simply read again.
                database.executescript(_EMPTY)
                database.execute(f"PRAGMA user_version = {_VERSION}")
            database.executescript(_SCHEMA)
            self._opened = database
        return self._opened
