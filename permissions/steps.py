"""How the journal is written: every step is one transaction that also extends the chained log."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from pydantic import JsonValue

from permissions.anchor import AnchorFile
from permissions.chain import Anchor, append
from permissions.columns import Columns
from permissions.database import Database, JournalConflict
from permissions.entry import State

_OPEN = (State.APPROVED, State.HELD, State.STARTED)


class Steps:
    """Writes the steps of calls, and what else is told in the log, into one journal file.

    A step moves one call on from the state it must be in, and raises JournalConflict if it is in another;
    every method raises JournalError where the file cannot be written.
    """

    def __init__(self, database: Database, anchor_file: AnchorFile, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._anchor_file = anchor_file
        self._clock = clock
        self._head: Anchor | None = None

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """One transaction; what a durable one has put on the disk for certain is anchored beside it."""
        with self._database.writing(durable=durable) as connection:
            self._head = None
            yield connection
        if durable and self._head:
            self._anchor_file.write(self._head)

    def begin(self, connection: sqlite3.Connection, id: str, columns: Columns) -> None:
        """A new call, with these columns."""
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        connection.execute(f"INSERT INTO call ({names}) VALUES ({marks})", tuple(columns.values()))
        self.log(connection, id, "planned", columns)

    def move(
        self,
        id: str,
        sources: tuple[State, ...],
        to: State,
        changes: Columns,
        fingerprint: str | None = None,
        *,
        durable: bool = True,
    ) -> None:
        """One step as a transaction of its own."""
        with self.writing(durable=durable) as connection:
            self.step(connection, id, sources, to, changes, fingerprint)

    def step(
        self,
        connection: sqlite3.Connection,
        id: str,
        sources: tuple[State, ...],
        to: State,
        changes: Columns,
        fingerprint: str | None = None,
    ) -> None:
        """Move a call on, if it is in one of the states, and has the fingerprint if one is given."""
        columns: Columns = {"state": to.value, **changes}
        if to not in _OPEN:
            columns["ended"] = self._clock().isoformat()
        names = ", ".join(f"{name} = ?" for name in columns)
        marks = ", ".join("?" * len(sources))
        query = f"UPDATE call SET {names} WHERE id = ? AND state IN ({marks}) AND (? IS NULL OR hash = ?)"
        values = (*columns.values(), id, *sources, fingerprint, fingerprint)
        try:
            changed = connection.execute(query, values).rowcount
        except sqlite3.IntegrityError as error:
            raise JournalConflict("This very call has already been carried out or begun.") from error
        if changed != 1:
            raise JournalConflict(f"The call is not in a state from which it could be {to.value}.")
        self.log(connection, id, to.value, columns)

    def mark_undone(self, connection: sqlite3.Connection, id: str) -> None:
        """A deed was taken back; saying so twice changes nothing."""
        query = "UPDATE call SET undone = 1 WHERE id = ? AND undone = 0"
        if connection.execute(query, (id,)).rowcount == 1:
            self.log(connection, id, "undone", {"undone": 1})

    def log(self, connection: sqlite3.Connection, id: str, event: str, told: Mapping[str, JsonValue]) -> None:
        """One row of the log: what happened to a call, or with no id to the journal or the permissions."""
        body: Columns = {"at": self._clock().isoformat(), "event": event, "id": id, "set": dict(told)}
        self._head = append(connection, body)
