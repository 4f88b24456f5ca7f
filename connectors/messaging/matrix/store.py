"""What is known of an account on Matrix without asking it: rooms, messages and what became of them."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from connectors.messaging.chat import Room
from connectors.messaging.matrix.database import Database
from connectors.messaging.matrix.timeline import Change, Edit, File, Removal, Said
from connectors.messaging.mime.headers import Correspondent

# Of the changes of a message only its own sender's count, the last that was not taken back.
_LATEST_EDIT: Final = """
SELECT text, stamp FROM edit WHERE target = said.id AND sender = said.sender
AND NOT EXISTS (SELECT 1 FROM removal WHERE removal.target = edit.id AND removal.room = said.room)
ORDER BY stamp DESC, id DESC LIMIT 1
"""
_MESSAGES: Final = f"""
SELECT said.id, said.room, sender, said.stamp, text, answers, file, seen, readers, removal.stamp,
CASE WHEN edits.number THEN (SELECT text FROM ({_LATEST_EDIT})) END,
CASE WHEN edits.number THEN (SELECT stamp FROM ({_LATEST_EDIT})) END,
coalesce(edits.number, 0)
FROM said LEFT JOIN (SELECT target, count(*) AS number FROM edit GROUP BY target) AS edits
ON edits.target = said.id LEFT JOIN removal ON removal.target = said.id AND removal.room = said.room
"""
_ROOMS: Final = """
SELECT facts FROM room WHERE there
ORDER BY (SELECT max(place) FROM said WHERE said.room = room.id) DESC, id
"""
_Row = tuple[str, str, str, int, str, str, str, int, str, int | None, str | None, int | None, int]


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it is now; `changed` is when its words were last changed, `removed` when it was removed.

    Moments are in milliseconds since 1970, 0 for never. `version` grows with every change. `readers` are
    those who were in the room when it was said, as far as that is known.
    """

    said: Said
    text: str
    seen: bool
    changed: int
    removed: int
    version: int
    readers: tuple[Correspondent, ...] = ()


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
        self._database = Database(file)
        self.using = self._database.using
        self.close = self._database.close
        self.generation = 0

    def fact(self, name: str) -> str:
        with self.using() as database:
            row = database.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
        return row[0] if row else ""

    def set_fact(self, name: str, value: str) -> None:
        with self.using() as database:
            database.execute("REPLACE INTO fact VALUES (?, ?)", (name, value))

    def rooms(self) -> tuple[Room, ...]:
        """The rooms one is in, the one with the newest message first."""
        with self.using() as database:
            rows = database.execute(_ROOMS).fetchall()
        return tuple(_room(json.loads(facts)) for (facts,) in rows)

    def set_rooms(self, rooms: Iterable[Room], left: Iterable[str] = ()) -> None:
        with self.using() as database:
            for room in rooms:
                database.execute("REPLACE INTO room VALUES (?, ?, 1)", (room.id, json.dumps(_facts(room))))
            database.executemany("UPDATE room SET there = 0 WHERE id = ?", [(each,) for each in left])
            self.generation += 1

    def written(self, room: str, sender: str) -> int:
        """How many messages of somebody are known in a room."""
        with self.using() as database:
            row = database.execute(
                "SELECT count(*) FROM said WHERE room = ? AND sender = ?", (room, sender)
            ).fetchone()
        return int(row[0])

    def room(self, id: str) -> Room | None:
        """A room that one is in or was in."""
        with self.using() as database:
            row = database.execute("SELECT facts FROM room WHERE id = ?", (id,)).fetchone()
        return _room(json.loads(row[0])) if row else None

    def add(
        self,
        changes: Sequence[Change],
        seen: frozenset[str] = frozenset(),
        readers: Sequence[Correspondent] = (),
    ) -> None:
        """Learn of changes in the order in which they happened; `seen` are messages known to be read.

        `readers` are those who were in the room all that time.
        """
        if not changes:
            return
        with self.using() as database:
            there = json.dumps([(each.name, each.address) for each in readers])
            for change in changes:
                _learn(database, change, there, isinstance(change, Said) and change.id in seen)
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


def _learn(database: sqlite3.Connection, change: Change, readers: str, seen: bool) -> None:
    match change:
        case Said(removed=0):
            file = json.dumps([change.file.name, change.file.media, change.file.size]) if change.file else ""
            database.execute(
                "INSERT OR IGNORE INTO said (id, room, sender, stamp, text, answers, file, seen, readers)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    change.id,
                    change.room,
                    change.sender,
                    change.stamp,
                    change.text,
                    change.answers,
                    file,
                    seen,
                    readers,
                ),
            )
        case Said():
            # What was removed before it was ever seen here may as well have been a change of another message.
            _learn(database, Removal(change.room, change.removed, change.id), "", False)
        case Edit():
            database.execute(
                "INSERT OR IGNORE INTO edit VALUES (?, ?, ?, ?, ?)",
                (change.id, change.target, change.sender, change.stamp, change.text),
            )
        case Removal():
            database.execute(
                "INSERT OR IGNORE INTO removal VALUES (?, ?, ?)", (change.target, change.room, change.stamp)
            )
            _wipe(database, change)


def _wipe(database: sqlite3.Connection, removal: Removal) -> None:
    """What was taken back by its sender is not kept here either."""
    mine = (removal.target, removal.room)
    database.execute("UPDATE said SET text = '', file = '' WHERE id = ? AND room = ?", mine)
    database.execute(
        "UPDATE edit SET text = '' WHERE (id = ?1 OR target = ?1)"
        " AND EXISTS (SELECT 1 FROM said WHERE said.id = edit.target AND said.room = ?2)",
        mine,
    )


def _message(row: _Row) -> Message:
    id, room, sender, stamp, text, answers, file, seen, readers, removed, edited, changed, edits = row
    said = Said(id, room, sender, stamp, text, answers, File(*json.loads(file)) if file else None)
    gone = removed is not None
    return Message(
        said,
        "" if gone else edited if edited is not None else text,
        bool(seen),
        changed or 0,
        (removed or 1) if gone else 0,
        edits + 1_000_000 * gone,
        tuple(Correspondent(*each) for each in json.loads(readers)),
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
