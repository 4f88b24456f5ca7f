"""What was asked, allowed and done, written down before and after it happens."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from connectors.base import Call
from permissions.anchor import AnchorFile
from permissions.audit import EVENT, PermissionChange, kept_change
from permissions.case import Case
from permissions.chain import PRUNED, Anchor
from permissions.columns import Columns, kept_text, kept_undo, planned, undo_start
from permissions.database import Database, JournalConflict, JournalError
from permissions.entry import Entry, State
from permissions.pruning import KEPT, cut, take_out
from permissions.readings import Readings
from permissions.shelf import Shelf
from permissions.steps import Steps
from permissions.words import GoalRef, Request

__all__ = ["Anchor", "Entry", "Journal", "JournalConflict", "JournalError", "State"]

_ENDED = "Askfirst ended before it knew the outcome."


class Journal(Readings):
    """The journal of one file; every step is one transaction that also extends the chained log.

    A step moves one call on from the state it must be in, and raises JournalConflict if it is in another;
    every method raises JournalError where the file cannot be read or written. All that is told of an effect
    is on the disk when a step returns; a question, an answer or a reading that a power cut could take away
    again takes nothing with it, and is written without waiting for the disk.
    """

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        super().__init__(Database(path, clock()), AnchorFile(path.with_name(f"{path.name}.anchor")))
        self._clock = clock
        self._steps = Steps(self._database, self._anchor_file, clock)
        self.shelf = Shelf(path.with_name(f"{path.name}.held"))
        self.trials = Shelf(path.with_name(f"{path.name}.trials"))

    def close(self) -> None:
        """Leave the file to others; calls that still run here will count as cut off."""
        self._database.close()

    def planned(
        self,
        request: Request,
        goal: GoalRef,
        fingerprint: str,
        policy: str = "",
        case: Case | None = None,
    ) -> None:
        """A call is asked for, judged as `case` by the rules of the version `policy`."""
        columns = planned(request, goal, fingerprint, self._database.owner, self._clock(), policy, case)
        with self._steps.writing(durable=False) as connection:
            self._steps.begin(connection, request.id, columns)

    def denied(self, id: str, answer: str) -> None:
        """The call may not run; the answer says who said so and why."""
        changes: Columns = {"answer": kept_text(answer)}
        self._steps.move(id, (State.PLANNED, State.APPROVED), State.DENIED, changes, durable=False)

    def approved(self, id: str, answer: str, given: str = "") -> None:
        """The call may run once; the answer says who allowed it, and how, `given` the same for machines."""
        changes: Columns = {"answer": kept_text(answer), "given": given}
        self._steps.move(id, (State.PLANNED,), State.APPROVED, changes, durable=False)

    def expired(self, id: str) -> None:
        """The approval was not used in time."""
        self._steps.move(id, (State.APPROVED,), State.EXPIRED, {}, durable=False)

    def hindered(self, id: str, text: str) -> None:
        """The call was allowed, but it was seen that it could not be done, and it was not begun."""
        changes: Columns = {"outcome": kept_text(text)}
        self._steps.move(id, (State.APPROVED,), State.FAILED, changes, durable=False)

    def held(self, id: str, fingerprint: str, until: datetime, call: Call) -> None:
        """The call, approved with this very fingerprint, waits, and can be taken back until then.

        It is kept whole on the shelf, so that it can be asked for again if Askfirst ends meanwhile.
        """
        try:
            self.shelf.keep(id, call)
        except (OSError, ValueError) as error:
            raise JournalError(f"The call cannot be kept for later: {error}.") from error
        try:
            self._steps.move(id, (State.APPROVED,), State.HELD, {"until": until.isoformat()}, fingerprint)
        except JournalError:
            self._unshelve(id)
            raise

    def withdrawn(self, id: str, text: str) -> None:
        """The call that waited was taken back: it is not done, and will not be."""
        self._steps.move(id, (State.HELD,), State.WITHDRAWN, {"outcome": kept_text(text)})
        self._unshelve(id)

    def started(self, id: str, fingerprint: str, *, durable: bool = True) -> None:
        """The call, approved with this very fingerprint, begins now; on return that is on the disk.

        Only what has no effect may begin before it is `durable`.
        """
        sources = (State.APPROVED, State.HELD)
        self._steps.move(id, sources, State.STARTED, {}, fingerprint, durable=durable)

    def finished(
        self,
        id: str,
        state: State,
        text: str,
        undo: Call | None = None,
        took_back: Call | None = None,
        *,
        durable: bool = True,
    ) -> None:
        """The call ended as `state` says; `took_back` is the undo call it was, whose deed is undone now."""
        changes: Columns = {"outcome": kept_text(text), "undo": kept_undo(undo)}
        if state is not State.UNKNOWN:
            self._unshelve(id)
        with self._steps.writing(durable=durable) as connection:
            self._steps.step(connection, id, (State.STARTED,), state, changes)
            if took_back:
                start = undo_start(took_back)
                query = "SELECT id FROM call WHERE undone = 0 AND substr(undo, 1, ?) = ? AND id != ?"
                for row in connection.execute(query, (len(start), start, id)).fetchall():
                    self._steps.mark_undone(connection, row["id"])

    def resolved(self, id: str, done: bool, text: str = "", undo: Call | None = None) -> None:
        """What was unknown is known now."""
        changes: Columns = {"outcome": kept_text(text)} if text else {}
        if undo:
            changes["undo"] = kept_undo(undo)
        self._steps.move(id, (State.UNKNOWN,), State.RESOLVED_DONE if done else State.RESOLVED_NOT, changes)
        self._unshelve(id)

    def left(self, id: str) -> None:
        """What is unknown stays so: the person wants to hear no more of it."""
        self._steps.move(id, (State.UNKNOWN,), State.LEFT, {})
        self._unshelve(id)

    def kept(self, id: str) -> None:
        """The person said to keep what would else have been set back."""
        with self._steps.writing() as connection:
            self._steps.log(connection, id, "kept", {})

    def mark_undone(self, id: str) -> None:
        """The deed was taken back; saying so twice changes nothing."""
        with self._steps.writing() as connection:
            self._steps.mark_undone(connection, id)

    def note(self, *changes: PermissionChange) -> None:
        """Write down changes of what is permitted."""
        with self._steps.writing() as connection:
            for change in changes:
                self._steps.log(connection, "", EVENT, kept_change(change))

    def unfinished(self) -> tuple[Entry, ...]:
        """At start: the calls that an ended process left running, now UNKNOWN, for the person to be told.

        What it left waiting or approved has EXPIRED; what it held stays HELD. Nothing is run again.
        """
        rows = self._database.rows("SELECT * FROM call WHERE state IN ('planned', 'approved', 'started')")
        dead = self._database.dead({row["owner"] for row in rows})
        left = [row["id"] for row in rows if row["owner"] in dead and self._left(row["id"], row["state"])]
        # Another process may be about to hold what it has approved.
        query = "SELECT id FROM call WHERE state IN ('approved', 'held', 'started', 'unknown')"
        self.shelf.sweep({row["id"] for row in self._database.rows(query)})
        return tuple(found for id in left if (found := self.entry(id)))

    def prune(self) -> int:
        """Take out the calls that are older than 90 days; how many went. The rest still verifies."""
        before = self._clock() - KEPT
        query = "SELECT n, hash, body FROM log ORDER BY n"
        if cut([tuple(row) for row in self._database.rows(f"{query} LIMIT 1")], before) is None:
            return 0
        with self._steps.writing() as connection:
            found = cut(connection.execute(query).fetchall(), before)
            if found is None or not found.calls:
                return 0
            self._steps.log(connection, "", PRUNED, {"n": found.end.count, "head": found.end.head})
            take_out(connection, found.end, found.calls)
            return len(found.calls)

    def _left(self, id: str, state: str) -> bool:
        """Settle one call of an ended process; True if it was running."""
        running = state == State.STARTED
        changes: Columns = {"outcome": _ENDED} if running else {}
        try:
            self._steps.move(id, (State(state),), State.UNKNOWN if running else State.EXPIRED, changes)
        except JournalConflict:
            return False  # Another process that also just started was quicker.
        return running

    def _unshelve(self, id: str) -> None:
        with suppress(OSError):
            self.shelf.drop(id)
