"""One approved call carried out: STARTED is on the disk before, the truth after, and nothing twice."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any

from connectors.base import Arguments, Connector, Needs, Outcome, Prepared, Prober, failed
from permissions.coverage import READING
from permissions.deed import Watched, watch
from permissions.entry import State
from permissions.journal import Journal, JournalError
from permissions.judge import Judge, Judged
from permissions.report import Report, note, report
from permissions.ticket import Ticket, frozen
from permissions.toolbox import Toolbox
from permissions.words import Asker

log = logging.getLogger(__name__)

Deed = Callable[[Connector, Prepared], Coroutine[Any, Any, Outcome]]


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a service may take, in seconds; an effect that takes longer may still happen.

    `hold` is how long what is sent waits before it goes out, so that it can be taken back.
    """

    look: float = 15
    read: float = 15
    effect: float = 30
    hold: float = 0


class Carrier:
    """Carries out what a ticket was redeemed for; `deed` sets a service to work.

    `diverged` are the goals in which a call did more than was shown.
    """

    def __init__(
        self, journal: Journal, judge: Judge, toolbox: Toolbox, patience: Patience, deed: Deed
    ) -> None:
        self._journal = journal
        self._judge = judge
        self._toolbox = toolbox
        self._patience = patience
        self._deed = deed
        self.diverged: set[str] = set()

    async def carry_out(self, ticket: Ticket, judged: Judged) -> Outcome:
        """Do it once. An effect that breaks or gives no answer in time is UNKNOWN, unless a look can tell.

        Cancelling the caller lets an effect come to its end first, then raises CancelledError.
        """
        reads = ticket.prepared.effects == READING
        try:
            self._journal.started(ticket.id, ticket.hash, durable=not reads)
        except JournalError as error:
            reason = sentence(error)
            self.note_down(lambda: self._journal.denied(ticket.id, f"refused: {reason}"))
            return failed(Needs.UNAVAILABLE, reason)
        connector = self._toolbox.service(ticket.prepared.call.tool)
        seconds = self._patience.read if reads else self._patience.effect
        watched = await watch(self._deed(connector, frozen(ticket.prepared)), seconds, shielded=not reads)
        if watched.late:
            watched.task.add_done_callback(lambda task: self._came_late(ticket, task))
        told = report(connector.name, ticket.prepared, watched, seconds)
        outcome = self._conclude(ticket, judged, told)
        if watched.cancelled:
            raise asyncio.CancelledError
        if told.state is State.UNKNOWN:
            return await self._looked_into(ticket, watched, outcome)
        return outcome

    def hindered(self, judged: Judged) -> None:
        """It was seen that the call cannot be done as things stand; unchanged it is not run in this goal."""
        self._judge.remember(judged, State.FAILED)

    def note_down(self, write: Callable[[], None]) -> None:
        """Write down what changes nothing any more; a journal that fails now will refuse the next call."""
        try:
            write()
        except JournalError:
            log.exception("the journal could not be written")

    async def probe(self, tool: str, mark: Arguments) -> Outcome | None:
        """What a look of the service tells of a call that is unknown; None where it cannot tell."""
        connector = self._toolbox.service(tool)
        if not mark or not isinstance(connector, Prober):
            return None
        try:
            async with asyncio.timeout(self._patience.look):
                found = await connector.probe(tool, mark)
        except Exception as error:  # A look that fails tells nothing.
            note(connector.name, error)
            return None
        if not isinstance(found, Outcome):
            return None
        return replace(found, undo=self._toolbox.undo(found.undo) if found.ok else None)

    def _conclude(self, ticket: Ticket, judged: Judged, told: Report) -> Outcome:
        """Write down how it ended, and let what was learnt be known."""
        outcome, done = told.outcome, told.state is State.DONE
        undo = self._toolbox.undo(outcome.undo)
        took_back = ticket.prepared.call if done and judged.matter.asker is Asker.UNDO else None
        durable = ticket.prepared.effects != READING
        try:
            self._journal.finished(ticket.id, told.state, outcome.text, undo, took_back, durable=durable)
        except JournalError as error:
            log.error("the end of call %s could not be written down: %s", ticket.id, error)
            outcome = replace(outcome, text=f"{outcome.text} {error}")
        self._judge.remember(judged, told.state)
        if told.state is State.DIVERGED:
            self.diverged.add(judged.matter.goal.id)
        judged.matter.provenance.learn(ticket.prepared, outcome)
        return replace(outcome, undo=undo)

    async def _looked_into(self, ticket: Ticket, watched: Watched, outcome: Outcome) -> Outcome:
        """The outcome of an unknown call, after a look; what still runs may be done yet, whatever is seen."""
        found = await self.probe(ticket.prepared.call.tool, ticket.prepared.mark)
        if found is None or (watched.late and not found.ok):
            return outcome
        self.note_down(lambda: self._journal.resolved(ticket.id, found.ok, found.text, found.undo))
        return found

    def _came_late(self, ticket: Ticket, task: asyncio.Task[Outcome]) -> None:
        """A deed that was given up on has ended after all: what is known now is written down."""
        if task.cancelled():
            return
        if error := task.exception():
            note("a service", error)
            return
        outcome = task.result()
        known = isinstance(outcome, Outcome) and (outcome.ok or outcome.needs is not Needs.TIMEOUT)
        if known and ticket.prepared.effects != READING:
            self.note_down(lambda: self._resolve(ticket.id, outcome))

    def _resolve(self, id: str, outcome: Outcome) -> None:
        entry = self._journal.entry(id)
        if entry is None or entry.state is State.UNKNOWN:  # A look may have told meanwhile.
            undo = self._toolbox.undo(outcome.undo) if outcome.ok else None
            self._journal.resolved(id, outcome.ok, outcome.text, undo)


def sentence(error: Exception) -> str:
    """Why something could not be written down, and that therefore nothing was done."""
    return f"{error} Nothing was done." if isinstance(error, JournalError) else "this call cannot be kept"
