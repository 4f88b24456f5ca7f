"""One account's calendars as they were seen last, in a database that also serves while offline."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from connectors.calendar.caldav.discovery import Remote
from connectors.calendar.store import Unreadable

_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS calendars (
  name TEXT PRIMARY KEY, url TEXT NOT NULL, displayname TEXT NOT NULL, read_only INTEGER NOT NULL,
  events INTEGER NOT NULL, tasks INTEGER NOT NULL, token TEXT NOT NULL, can_sync INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS items (
  id INTEGER PRIMARY KEY AUTOINCREMENT, calendar TEXT NOT NULL, name TEXT NOT NULL, href TEXT NOT NULL,
  etag TEXT NOT NULL, data BLOB NOT NULL, UNIQUE (calendar, name), UNIQUE (calendar, href)
);
CREATE INDEX IF NOT EXISTS numbers ON items (calendar, id);
"""
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
                for table in ("facts", "calendars", "items"):
                    database.execute(f"DELETE FROM {table}")
            self.remember(whom=whom)

    def facts(self) -> dict[str, str]:
        """What is remembered of the account itself."""
        with self._database() as database:
            return dict(database.execute("SELECT name, value FROM facts"))

    def remember(self, **facts: str) -> None:
        with self._database() as database:
            database.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts.items())

    def calendars(self) -> list[Remote]:
        """The calendars, with the tokens up to which their items are here."""
        with self._database() as database:
            rows = database.execute(
                "SELECT name, url, displayname, read_only, events, tasks, token, can_sync FROM calendars"
                " ORDER BY name"
            )
            return [
                Remote(name, url, shown, bool(locked), bool(events), bool(tasks), token, bool(sync))
                for name, url, shown, locked, events, tasks, token, sync in rows
            ]

    def keep_calendars(self, listed: Sequence[Remote]) -> None:
        """Take over what a server lists, but for the tokens; what it lists no more goes with its items."""
        with self._database() as database:
            tokens = dict(database.execute("SELECT name, token FROM calendars"))
            gone = tokens.keys() - {each.name for each in listed}
            database.executemany("DELETE FROM items WHERE calendar = ?", [(name,) for name in gone])
            database.execute("DELETE FROM calendars")
            database.executemany(
                "INSERT INTO calendars VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        each.name,
                        each.url,
                        each.displayname,
                        each.read_only,
                        each.events,
                        each.tasks,
                        tokens.get(each.name, ""),
                        each.can_sync,
                    )
                    for each in listed
                ],
            )

    def stamps(self, calendar: str) -> list[tuple[str, int]]:
        """The name of each item, and a number that is another for each version of each item."""
        with self._database() as database:
            return list(database.execute("SELECT name, id FROM items WHERE calendar = ?", (calendar,)))

    def version(self, calendar: str) -> tuple[int, int]:
        """What is another whenever an item comes, goes or changes: numbers are never used again."""
        with self._database() as database:
            row = database.execute(
                "SELECT count(*), coalesce(max(id), 0) FROM items WHERE calendar = ?", (calendar,)
            ).fetchone()
        return int(row[0]), int(row[1])

    def versions(self, calendar: str) -> dict[str, str]:
        """The address and server's version of each item."""
        with self._database() as database:
            return dict(database.execute("SELECT href, etag FROM items WHERE calendar = ?", (calendar,)))

    def find(self, calendar: str, name: str) -> Kept | None:
        with self._database() as database:
            row = database.execute(
                "SELECT href, etag, data FROM items WHERE calendar = ? AND name = ?", (calendar, name)
            ).fetchone()
        return Kept(row[0], row[1], bytes(row[2])) if row else None

    def update(
        self,
        calendar: str,
        arrived: Iterable[Arrived] = (),
        gone: Iterable[str] = (),
        token: str | None = None,
    ) -> None:
        """Take over items and forget the addresses gone, all at once; with a token, up to that."""
        with self._database() as database:
            database.executemany(
                "DELETE FROM items WHERE calendar = ? AND href = ?", [(calendar, href) for href in gone]
            )
            database.executemany(
                "INSERT OR REPLACE INTO items (calendar, name, href, etag, data) VALUES (?, ?, ?, ?, ?)",
                [(calendar, each.name, each.href, each.etag, each.data) for each in arrived],
            )
            if token is not None:
                database.execute("UPDATE calendars SET token = ? WHERE name = ?", (token, calendar))

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
            database.executescript(_SCHEMA)
            self._opened = database
        return self._opened
