"""What was asked, allowed and done, on the disk before and after it happens."""

import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from connectors.base import Call
from permissions.chain import Anchor, append
from permissions.database import Database, JournalConflict, JournalError
from permissions.entry import Columns, Entry, State, kept_text, kept_undo, planned, undo_start
from permissions.readings import Readings
from permissions.words import GoalRef, Request

__all__ = ["Anchor", "Entry", "Journal", "JournalConflict", "JournalError", "State"]

_ENDED = "Askfirst ended before it knew the outcome."


class Journal(Readings):
    """The journal of one file; every step is one durable transaction that also extends the chained log.

    A step moves one call on from the state it must be in, and raises JournalConflict if it is in another;
    every method raises JournalError where the file cannot be read or written.
    """

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        super().__init__(Database(path, clock()))
        self._clock = clock

    def close(self) -> None:
        """Leave the file to others; calls that still run here will count as cut off."""
        self._database.close()

    def planned(self, request: Request, goal: GoalRef, fingerprint: str) -> None:
        """A call is asked for; nothing has been decided."""
        columns = planned(request, goal, fingerprint, self._database.owner, self._clock())
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        with self._database.writing() as connection:
            connection.execute(f"INSERT INTO call ({names}) VALUES ({marks})", tuple(columns.values()))
            self._log(connection, request.id, "planned", columns)

    def denied(self, id: str, answer: str) -> None:
        """The call may not run; the answer says who said so and why."""
        self._move(id, (State.PLANNED, State.APPROVED), State.DENIED, {"answer": kept_text(answer)})

    def approved(self, id: str, answer: str) -> None:
        """The call may run once; the answer says who allowed it, and how."""
        self._move(id, (State.PLANNED,), State.APPROVED, {"answer": kept_text(answer)})

    def expired(self, id: str) -> None:
        """The approval was not used in time."""
        self._move(id, (State.APPROVED,), State.EXPIRED, {})

    def started(self, id: str, fingerprint: str) -> None:
        """The call, approved with this very fingerprint, begins now; on return that is on the disk."""
        self._move(id, (State.APPROVED,), State.STARTED, {}, fingerprint)

    def finished(
        self, id: str, state: State, text: str, undo: Call | None = None, took_back: Call | None = None
    ) -> None:
        """The call ended as `state` says; `took_back` is the undo call it was, whose deed is undone now."""
        changes: Columns = {"outcome": kept_text(text), "undo": kept_undo(undo)}
        with self._database.writing() as connection:
            self._step(connection, id, (State.STARTED,), state, changes)
            if took_back:
                start = undo_start(took_back)
                query = "SELECT id FROM call WHERE undone = 0 AND substr(undo, 1, ?) = ? AND id != ?"
                for row in connection.execute(query, (len(start), start, id)).fetchall():
                    self._mark_undone(connection, row["id"])

    def resolved(self, id: str, done: bool, text: str = "", undo: Call | None = None) -> None:
        """What was unknown is known now."""
        changes: Columns = {"outcome": kept_text(text)} if text else {}
        if undo:
            changes["undo"] = kept_undo(undo)
        self._move(id, (State.UNKNOWN,), State.RESOLVED_DONE if done else State.RESOLVED_NOT, changes)

    def mark_undone(self, id: str) -> None:
        """The deed was taken back; saying so twice changes nothing."""
        with self._database.writing() as connection:
            self._mark_undone(connection, id)

    def unfinished(self) -> tuple[Entry, ...]:
        """At start: the calls that an ended process left running, now UNKNOWN, for the person to be told.

        What it left waiting or approved has EXPIRED; nothing is run again.
        """
        rows = self._database.rows("SELECT * FROM call WHERE state IN ('planned', 'approved', 'started')")
        dead = self._database.dead({row["owner"] for row in rows})
        left = [row["id"] for row in rows if row["owner"] in dead and self._left(row["id"], row["state"])]
        return tuple(found for id in left if (found := self.entry(id)))

    def _left(self, id: str, state: str) -> bool:
        """Settle one call of an ended process; True if it was running."""
        running = state == State.STARTED
        changes: Columns = {"outcome": _ENDED} if running else {}
        try:
            self._move(id, (State(state),), State.UNKNOWN if running else State.EXPIRED, changes)
        except JournalConflict:
            return False  # Another process that also just started was quicker.
        return running

    def _move(
        self, id: str, sources: tuple[State, ...], to: State, changes: Columns, fingerprint: str | None = None
    ) -> None:
        with self._database.writing() as connection:
            self._step(connection, id, sources, to, changes, fingerprint)

    def _step(
        self,
        connection: sqlite3.Connection,
        id: str,
        sources: tuple[State, ...],
        to: State,
        changes: Columns,
        fingerprint: str | None = None,
    ) -> None:
        columns: Columns = {"state": to.value, **changes}
        if to not in (State.APPROVED, State.STARTED):
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
        self._log(connection, id, to.value, columns)

    def _mark_undone(self, connection: sqlite3.Connection, id: str) -> None:
        query = "UPDATE call SET undone = 1 WHERE id = ? AND undone = 0"
        if connection.execute(query, (id,)).rowcount == 1:
            self._log(connection, id, "undone", {"undone": 1})

    def _log(self, connection: sqlite3.Connection, id: str, event: str, columns: Columns) -> None:
        body: Columns = {"at": self._clock().isoformat(), "event": event, "id": id, "set": dict(columns)}
        append(connection, body)
