"""Sends wait before they go out: what is held can be taken back, and only this very process releases it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from connectors.base import Call, Context, Effect, Needs, Outcome, Prepared, Question, failed
from permissions.carrying import Carrier, sentence
from permissions.journal import Journal, JournalError
from permissions.judge import Judged
from permissions.outbox import Held, Outbox
from permissions.report import note
from permissions.ticket import Ticket

_MOVED = "It changed since you were asked; nothing was sent."
_RULES = "A rule about it changed while it waited; it was not sent."

Look = Callable[[Call, Context], Awaitable[Prepared | Question | Outcome]]
Still = Callable[[Judged], bool]


@dataclass(frozen=True, slots=True)
class Released:
    """A held call has ended: how, or None if it was taken back."""

    held: Held
    call: Call
    outcome: Outcome | None


class Holding:
    """Holds back what is sent for `seconds` after the yes; 0 holds nothing.

    `look` prepares a call anew, `still` says if what was judged may run by the rules of now.
    """

    def __init__(
        self,
        journal: Journal,
        carrier: Carrier,
        outbox: Outbox,
        clock: Callable[[], datetime],
        seconds: float,
    ) -> None:
        self._journal = journal
        self._carrier = carrier
        self._outbox = outbox
        self._clock = clock
        self._seconds = seconds
        self._calls: dict[str, Call] = {}
        self.watchers: list[Callable[[Released | None], None]] = []

    @property
    def waiting(self) -> tuple[Held, ...]:
        """What can still be taken back, the first to go out first."""
        return self._outbox.waiting

    def left(self, held: Held) -> float:
        """The seconds until it goes out."""
        return self._outbox.left(held)

    def holds(self, prepared: Prepared) -> bool:
        """True if a call waits before it is carried out."""
        return self._seconds > 0 and Effect.SEND in prepared.effects

    async def hold(self, ticket: Ticket, judged: Judged, look: Look, still: Still) -> Outcome:
        """Hold a call back, unless a look shows that it could not be done now: then why not."""
        hindrance = await self._looked_ahead(ticket, look)
        if hindrance:
            self._carrier.note_down(lambda: self._journal.hindered(ticket.id, hindrance.text))
            self._carrier.hindered(judged)
            return hindrance
        until = self._clock() + timedelta(seconds=self._seconds)
        ends = self._outbox.monotonic() + self._seconds
        held = Held(ticket.id, ticket.prepared.preview.title, until, ends)
        try:
            self._journal.held(ticket.id, ticket.hash, until, ticket.prepared.call)
        except JournalError as error:
            reason = sentence(error)
            self._carrier.note_down(lambda: self._journal.denied(ticket.id, f"refused: {reason}"))
            return failed(Needs.UNAVAILABLE, reason)
        self._calls[ticket.id] = ticket.prepared.call
        self._outbox.hold(held, lambda: self._release(held, ticket, judged, still))
        self._tell(None)
        return Outcome(ok=True, text=f"Held; goes out at {until:%H:%M:%S} unless you undo it.", until=until)

    def withdraw(self, id: str, why: str = "you took it back") -> bool:
        """Take a held call back for good; False if it does not wait (any more)."""
        held = self._outbox.take(id)
        if held is None:
            return False
        self._carrier.note_down(lambda: self._journal.withdrawn(id, f"Not sent: {why}."))
        self._tell(Released(held, self._calls.pop(id), None))
        return True

    def withdraw_all(self, why: str = "you took it back") -> int:
        """Take back all that waits; how many there were."""
        return sum(self.withdraw(held.id, why) for held in self.waiting)

    async def settled(self) -> None:
        """Wait until nothing waits and nothing is on its way."""
        await self._outbox.settled()

    async def close(self) -> None:
        """Release nothing more: what waits stays HELD in the journal, for the person to decide on."""
        await self._outbox.close()

    async def _looked_ahead(self, ticket: Ticket, look: Look) -> Outcome | None:
        """Why the call could not be carried out now, or None."""
        now = self._clock()
        zone = now.tzinfo if isinstance(now.tzinfo, ZoneInfo) else ZoneInfo("UTC")
        try:
            found = await look(ticket.prepared.call, Context(now, zone))
        except asyncio.CancelledError:
            self._carrier.note_down(
                lambda: self._journal.hindered(ticket.id, "It was stopped before it began.")
            )
            raise
        match found:
            case Outcome():
                return found if not found.ok else failed(Needs.CONFLICT, _MOVED)
            case Prepared(preview=preview) if preview == ticket.prepared.preview:
                # What a new look chose anew, such as an id, is not what was asked about; the service itself
                # sees whether its own basis moved.
                return None
        return failed(Needs.CONFLICT, _MOVED)

    async def _release(self, held: Held, ticket: Ticket, judged: Judged, still: Still) -> None:
        """Send it, if what was approved is still what would be sent, and no rule forbids it by now."""
        self._tell(None)
        if still(judged):
            outcome = await self._carrier.carry_out(ticket, judged)
        else:
            outcome = failed(Needs.CONFLICT, _RULES)
            self._carrier.note_down(lambda: self._journal.withdrawn(held.id, _RULES))
        self._tell(Released(held, self._calls.pop(held.id), outcome))

    def _tell(self, released: Released | None) -> None:
        for watcher in self.watchers:
            try:
                watcher(released)
            except Exception as error:  # Whoever looks on must not stop what is being done.
                note("looking on at the outbox", error)
