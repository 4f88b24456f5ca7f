"""What is known of a server's messages without asking it: one SQLite file, made anew when it is lost."""

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from connectors.messaging.maildir.names import Entry, place, suffix

_VERSION: Final = 1
_SCHEMA: Final = """
CREATE TABLE folder (name TEXT PRIMARY KEY, validity INTEGER NOT NULL, stamp TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE message (
  folder TEXT NOT NULL, uid INTEGER NOT NULL, name TEXT NOT NULL, flags TEXT NOT NULL, size INTEGER NOT NULL,
  arrived INTEGER NOT NULL, head BLOB NOT NULL, PRIMARY KEY (folder, uid)
) WITHOUT ROWID;
CREATE UNIQUE INDEX message_name ON message (folder, name);
"""
_FACTS: Final = "CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
_DELETED: Final = "T"


@dataclass(frozen=True, slots=True)
class Row:
    """One message of a folder: its UID, our name for it, Maildir letters, bytes, arrival in nanoseconds."""

    uid: int
    name: str
    flags: str
    size: int
    arrived: int
    head: bytes


class Cache:
    """The rows of one account. Used by several threads. Raises OSError where the file cannot be used."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._entries: dict[str, tuple[Entry, ...]] = {}

    def folders(self) -> tuple[str, ...]:
        """The folders of which anything is known."""
        with self._using() as database:
            return tuple(name for (name,) in database.execute("SELECT name FROM folder ORDER BY name"))

    def state(self, folder: str) -> tuple[int, str]:
        """A folder's UIDVALIDITY and the stamp of the last time all of it was known; 0 and "" if never."""
        with self._using() as database:
            row = database.execute("SELECT validity, stamp FROM folder WHERE name = ?", (folder,)).fetchone()
        return row or (0, "")

    @property
    def in_step(self) -> datetime | None:
        """When all of the account was last known, or None."""
        with self._using() as database:
            row = database.execute("SELECT value FROM fact WHERE name = 'in step'").fetchone()
        return datetime.fromisoformat(row[0]) if row else None

    def is_in_step(self, now: datetime) -> None:
        """All of the account is known at this moment."""
        with self._using() as database:
            database.execute("REPLACE INTO fact VALUES ('in step', ?)", (now.isoformat(),))

    def begin(self, folder: str, validity: int) -> None:
        """Go on with a folder; where its UIDs mean something else now, all that was known is forgotten."""
        with self._using() as database:
            row = database.execute("SELECT validity FROM folder WHERE name = ?", (folder,)).fetchone()
            if row != (validity,):
                self._entries.pop(folder, None)
                database.execute("DELETE FROM message WHERE folder = ?", (folder,))
                database.execute("REPLACE INTO folder VALUES (?, ?, '')", (folder, validity))

    def finish(self, folder: str, stamp: str) -> None:
        """All of a folder is known as of this stamp; an empty one says that it is not."""
        with self._using() as database:
            database.execute("UPDATE folder SET stamp = ? WHERE name = ?", (stamp, folder))

    def keep_only(self, folders: Iterable[str]) -> None:
        """Forget the folders that are there no more."""
        kept = set(folders)
        with self._using() as database:
            for (name,) in database.execute("SELECT name FROM folder").fetchall():
                if name not in kept:
                    self._entries.pop(name, None)
                    database.execute("DELETE FROM message WHERE folder = ?", (name,))
                    database.execute("DELETE FROM folder WHERE name = ?", (name,))

    def flags(self, folder: str) -> dict[int, str]:
        """The flags of every known message by UID."""
        with self._using() as database:
            return dict(database.execute("SELECT uid, flags FROM message WHERE folder = ?", (folder,)))

    def add(self, folder: str, rows: Iterable[Row]) -> None:
        """Learn of messages; a name that is taken in the folder gets a number behind it."""
        with self._changing(folder) as database:
            for row in rows:
                name = _free(database, folder, row.name)
                values = (folder, row.uid, name, row.flags, row.size, row.arrived, row.head)
                database.execute("REPLACE INTO message VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def set_flags(self, folder: str, flags: Mapping[int, str]) -> None:
        if not flags:
            return
        with self._changing(folder) as database:
            rows = [(letters, folder, uid) for uid, letters in flags.items()]
            database.executemany("UPDATE message SET flags = ? WHERE folder = ? AND uid = ?", rows)

    def remove(self, folder: str, uids: Iterable[int]) -> None:
        rows = [(folder, uid) for uid in uids]
        if not rows:
            return
        with self._changing(folder) as database:
            database.executemany("DELETE FROM message WHERE folder = ? AND uid = ?", rows)

    def free(self, folder: str, name: str) -> str:
        """The name, or with a number behind it the first that no message of the folder has."""
        with self._using() as database:
            return _free(database, folder, name)

    def entries(self, folder: str) -> tuple[Entry, ...]:
        """Every message of a folder that is not marked as deleted."""
        with self._using() as database:
            if folder not in self._entries:
                rows = database.execute(
                    "SELECT name, flags, size, arrived FROM message WHERE folder = ?", (folder,)
                )
                self._entries[folder] = tuple(_entry(folder, *row) for row in rows if _DELETED not in row[1])
            return self._entries[folder]

    def find(self, folder: str, name: str) -> Row | None:
        with self._using() as database:
            row = database.execute(
                "SELECT uid, name, flags, size, arrived, head FROM message WHERE folder = ? AND name = ?",
                (folder, name),
            ).fetchone()
        return Row(*row) if row else None

    def name_at(self, folder: str, uid: int) -> str:
        """Our name for a message by its UID, empty where there is none."""
        with self._using() as database:
            found = database.execute(
                "SELECT name FROM message WHERE folder = ? AND uid = ?", (folder, uid)
            ).fetchone()
        return found[0] if found else ""

    def names(self, folder: str, uids: Iterable[int]) -> list[str]:
        """Our names for messages by their UIDs."""
        wanted = json.dumps(sorted(uids))
        query = "SELECT name FROM message WHERE folder = ? AND uid IN (SELECT value FROM json_each(?))"
        with self._using() as database:
            return [name for (name,) in database.execute(query, (folder, wanted))]

    def uids(self, handles: Iterable[str]) -> dict[str, list[int]]:
        """The UIDs of some messages by folder."""
        found: dict[str, list[int]] = {}
        with self._using() as database:
            for folder, name in filter(None, map(place, handles)):
                row = database.execute(
                    "SELECT uid FROM message WHERE folder = ? AND name = ?", (folder, name)
                ).fetchone()
                if row:
                    found.setdefault(folder, []).append(row[0])
        return {folder: sorted(uids) for folder, uids in found.items()}

    def close(self) -> None:
        with self._lock:
            if self._connection:
                self._connection.close()
            self._connection = None

    @contextmanager
    def _changing(self, folder: str) -> Iterator[sqlite3.Connection]:
        with self._using() as database:
            self._entries.pop(folder, None)
            yield database

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The database for one step, which is kept whole or not at all."""
        with self._lock:
            try:
                self._connection = self._connection or _opened(self._file)
                with self._connection:
                    yield self._connection
            except sqlite3.Error as error:
                self.close()
                raise OSError(f"what is known of the mailbox cannot be kept: {error}") from error


def _free(database: sqlite3.Connection, folder: str, name: str) -> str:
    base = found = without_number(name)
    taken = "SELECT 1 FROM message WHERE folder = ? AND name = ?"
    number = 1
    while database.execute(taken, (folder, found)).fetchone():
        number += 1
        found = f"{base}~{number}"
    return found


def without_number(name: str) -> str:
    """A name as it is by the message alone, without the number that tells it from others like it."""
    return name.partition("~")[0]


def entry(folder: str, row: Row) -> Entry:
    """A message as the verbs speak of it."""
    return _entry(folder, row.name, row.flags, row.size, row.arrived)


def _entry(folder: str, name: str, flags: str, size: int, arrived: int) -> Entry:
    return Entry(folder, name, "cur", flags, size, arrived, suffix(flags))


def _opened(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.touch(mode=0o600)
    try:
        return _connected(file)
    except sqlite3.DatabaseError:
        for leftover in file.parent.glob(f"{file.name}*"):
            leftover.unlink(missing_ok=True)
        file.touch(mode=0o600)
        return _connected(file)


def _connected(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=10, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == 0:
            connection.executescript(f"{_SCHEMA} PRAGMA user_version = {_VERSION};")
        elif version != _VERSION:
            raise sqlite3.DatabaseError("made by another version")
        connection.execute(_FACTS)
    except BaseException:
        with suppress(sqlite3.Error):
            connection.close()
        raise
    return connection
