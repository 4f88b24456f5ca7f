"""What is known of an account on Matrix without asking it: one SQLite file, made anew when it is lost."""

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from connectors.messaging.chat import Room
from connectors.messaging.matrix.timeline import Change, Edit, File, Removal, Said
from connectors.messaging.mime.headers import Correspondent

_VERSION: Final = 1
_SCHEMA: Final = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE room (id TEXT PRIMARY KEY, facts TEXT NOT NULL, there INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE said (
  place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, room TEXT NOT NULL, sender TEXT NOT NULL,
  stamp INTEGER NOT NULL, text TEXT NOT NULL, answers TEXT NOT NULL, file TEXT NOT NULL,
  seen INTEGER NOT NULL
);
CREATE INDEX said_room ON said (room, place);
CREATE TABLE edit (id TEXT PRIMARY KEY, target TEXT NOT NULL, sender TEXT NOT NULL, stamp INTEGER NOT NULL,
  text TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX edit_target ON edit (target);
CREATE TABLE removal (target TEXT PRIMARY KEY, room TEXT NOT NULL, stamp INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE draft (id TEXT PRIMARY KEY, data BLOB NOT NULL, stamp INTEGER NOT NULL) WITHOUT ROWID;
"""
# Of the changes of a message only its own sender's count, the last that was not taken back.
_LATEST_EDIT: Final = """
SELECT text, stamp FROM edit WHERE target = said.id AND sender = said.sender
AND NOT EXISTS (SELECT 1 FROM removal WHERE removal.target = edit.id AND removal.room = said.room)
ORDER BY stamp DESC, id DESC LIMIT 1
"""
_MESSAGES: Final = f"""
SELECT said.id, said.room, sender, said.stamp, text, answers, file, seen, removal.stamp,
(SELECT text FROM ({_LATEST_EDIT})), (SELECT stamp FROM ({_LATEST_EDIT})),
(SELECT count(*) FROM edit WHERE target = said.id)
FROM said LEFT JOIN removal ON removal.target = said.id AND removal.room = said.room
"""
_Row = tuple[str, str, str, int, str, str, str, int, int | None, str | None, int | None, int]


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it is now; `changed` is when its words were last changed, `removed` when it was removed.

    Moments are in milliseconds since 1970, 0 for never. `version` grows with every change.
    """

    said: Said
    text: str
    seen: bool
    changed: int
    removed: int
    version: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A message of one's own that goes nowhere yet."""

    id: str
    data: bytes
    stamp: int


class Store:
    """What is known of one account. Used by several threads. Raises OSError where the file cannot be used.

    `generation` grows with every change of what can be read.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self.generation = 0

    def fact(self, name: str) -> str:
        with self.using() as database:
            row = database.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
        return row[0] if row else ""

    def set_fact(self, name: str, value: str) -> None:
        with self.using() as database:
            database.execute("REPLACE INTO fact VALUES (?, ?)", (name, value))

    def rooms(self) -> tuple[Room, ...]:
        """The rooms one is in, in no order."""
        with self.using() as database:
            rows = database.execute("SELECT facts FROM room WHERE there").fetchall()
        return tuple(_room(json.loads(facts)) for (facts,) in rows)

    def set_rooms(self, rooms: Iterable[Room], left: Iterable[str] = ()) -> None:
        with self.using() as database:
            for room in rooms:
                database.execute("REPLACE INTO room VALUES (?, ?, 1)", (room.id, json.dumps(_facts(room))))
            database.executemany("UPDATE room SET there = 0 WHERE id = ?", [(each,) for each in left])
            self.generation += 1

    def room_name(self, id: str) -> Room | None:
        """A room that one is in or was in."""
        with self.using() as database:
            row = database.execute("SELECT facts FROM room WHERE id = ?", (id,)).fetchone()
        return _room(json.loads(row[0])) if row else None

    def add(self, changes: Sequence[Change], seen: frozenset[str] = frozenset()) -> None:
        """Learn of changes in the order in which they happened; `seen` are messages known to be read."""
        if not changes:
            return
        with self.using() as database:
            for change in changes:
                _learn(database, change, change.id in seen if isinstance(change, Said) else False)
            self.generation += 1

    def known(self, id: str) -> bool:
        with self.using() as database:
            return bool(database.execute("SELECT 1 FROM said WHERE id = ?", (id,)).fetchone())

    def messages(self) -> list[Message]:
        with self.using() as database:
            return [_message(row) for row in database.execute(_MESSAGES)]

    def message(self, id: str) -> Message | None:
        with self.using() as database:
            row = database.execute(f"{_MESSAGES} WHERE said.id = ?", (id,)).fetchone()
        return _message(row) if row else None

    def set_seen(self, id: str, seen: bool) -> None:
        with self.using() as database:
            database.execute("UPDATE said SET seen = ? WHERE id = ?", (int(seen), id))
            self.generation += 1

    def seen_up_to(self, room: str, id: str) -> None:
        """Somebody has read all of a room up to this message, in another program."""
        with self.using() as database:
            place = database.execute(
                "SELECT place FROM said WHERE id = ? AND room = ?", (id, room)
            ).fetchone()
            if place:
                database.execute("UPDATE said SET seen = 1 WHERE room = ? AND place <= ?", (room, place[0]))
                self.generation += 1

    def drafts(self) -> list[Draft]:
        with self.using() as database:
            return [Draft(*row) for row in database.execute("SELECT id, data, stamp FROM draft")]

    def keep_draft(self, draft: Draft) -> None:
        with self.using() as database:
            database.execute("REPLACE INTO draft VALUES (?, ?, ?)", (draft.id, draft.data, draft.stamp))
            self.generation += 1

    def drop_draft(self, id: str) -> None:
        with self.using() as database:
            database.execute("DELETE FROM draft WHERE id = ?", (id,))
            self.generation += 1

    def close(self) -> None:
        with self._lock:
            if self._connection:
                self._connection.close()
            self._connection = None

    @contextmanager
    def using(self) -> Iterator[sqlite3.Connection]:
        """The database, for changes that are kept together or not at all."""
        with self._lock:
            try:
                database = self._opened()
                # The inner one of two is part of the outer one.
                inner = database.in_transaction
                if not inner:
                    database.execute("BEGIN")
                yield database
                if not inner:
                    database.commit()
            except sqlite3.OperationalError as error:
                self._back()
                raise OSError(f"what is known of Matrix cannot be read or kept: {error}") from error
            except sqlite3.DatabaseError as error:
                self.close()
                self._file.unlink(missing_ok=True)
                raise OSError("what was known of Matrix was damaged; it is fetched anew") from error
            except BaseException:
                self._back()
                raise

    def _back(self) -> None:
        if self._connection and self._connection.in_transaction:
            self._connection.rollback()

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file.touch(mode=0o600)
            try:
                self._connection = self._connected()
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:
                self._file.unlink(missing_ok=True)
                self._connection = self._connected()
        return self._connection

    def _connected(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._file, check_same_thread=False, isolation_level=None)
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version != _VERSION:
            for (name,) in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ).fetchall():
                database.execute(f'DROP TABLE "{name}"')
            database.executescript(f"{_SCHEMA} PRAGMA user_version = {_VERSION};")
        return database


def _learn(database: sqlite3.Connection, change: Change, seen: bool) -> None:
    match change:
        case Said():
            file = json.dumps([change.file.name, change.file.media, change.file.size]) if change.file else ""
            values = (
                change.id,
                change.room,
                change.sender,
                change.stamp,
                change.text,
                change.answers,
                file,
                seen,
            )
            database.execute(
                "INSERT OR IGNORE INTO said (id, room, sender, stamp, text, answers, file, seen)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )
            if change.removed:
                _learn(database, Removal(change.room, change.removed, change.id), False)
        case Edit():
            values = (change.id, change.target, change.sender, change.stamp, change.text)
            database.execute("INSERT OR IGNORE INTO edit VALUES (?, ?, ?, ?, ?)", values)
        case Removal():
            values = (change.target, change.room, change.stamp)
            database.execute("INSERT OR IGNORE INTO removal VALUES (?, ?, ?)", values)
            # What was taken back is not kept here either.
            database.execute(
                "UPDATE said SET text = '', file = '' WHERE id = ? AND room = ?", (change.target, change.room)
            )


def _message(row: _Row) -> Message:
    id, room, sender, stamp, text, answers, file, seen, removed, edited, changed, edits = row
    said = Said(id, room, sender, stamp, text, answers, File(*json.loads(file)) if file else None)
    gone = removed is not None
    return Message(
        said,
        "" if gone else edited if edited is not None else text,
        bool(seen),
        changed or 0,
        (removed or 1) if gone else 0,
        edits + 1_000_000 * gone,
    )


def _facts(room: Room) -> Mapping[str, object]:
    return {
        "id": room.id,
        "name": room.name,
        "people": [(each.name, each.address) for each in room.people],
        "direct": room.direct,
        "encrypted": room.encrypted,
        "open": room.open,
    }


def _room(facts: Mapping[str, object]) -> Room:
    people = facts["people"] if isinstance(facts["people"], list) else []
    return Room(
        str(facts["id"]),
        str(facts["name"]),
        tuple(Correspondent(*each) for each in people),
        str(facts["direct"]),
        bool(facts["encrypted"]),
        bool(facts["open"]),
    )
