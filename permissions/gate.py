"""The only door to the services: a call runs if policy allows it or a person said yes to it, and once."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import JsonValue

from connectors.base import Call, Connector, Context, Needs, Outcome, Prepared, Question, Tool, failed
from permissions.answers import fault, no_words, yes_words
from permissions.coverage import READING
from permissions.deed import watch
from permissions.grants import GrantBook
from permissions.journal import Journal, JournalError, State
from permissions.judge import Judge, Judged, Matter
from permissions.policy import Policy
from permissions.provenance import Provenance
from permissions.report import Report, note, report
from permissions.ticket import LIFETIME, Ticket, frozen, matches
from permissions.toolbox import Toolbox, made_call, no_tool
from permissions.words import Asker, Decision, GoalRef, Grant, Refused, Reply, Request, Ruling, Verdict

__all__ = ["Gate", "Patience", "Refused", "Ticket"]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a service may take, in seconds; an effect that takes longer may still happen."""

    look: float = 15
    read: float = 15
    effect: float = 30


class Gate:
    """Judges, asks for, and carries out calls; nothing else holds a service.

    `clock` gives aware times. `policy` may be replaced at any time, and holds for all that has not begun.
    """

    def __init__(
        self,
        connectors: Sequence[Connector],
        journal: Journal,
        grants: GrantBook,
        clock: Callable[[], datetime],
        policy: Policy | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.journal = journal
        self.grants = grants
        self.policy = policy or Policy()
        self._toolbox = Toolbox(connectors)
        self._judge = Judge(grants)
        self._clock = clock
        self._patience = patience or Patience()
        self._asked: dict[str, Judged] = {}
        self._issued: dict[str, tuple[Ticket, Judged]] = {}

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that a model may ask for."""
        return tuple(t for t in self._toolbox.tools if t.offered and not self.policy.hides(t))

    def tool(self, name: str) -> Tool | None:
        """A tool by its name, hidden ones too."""
        return self._toolbox.tool(name)

    def make_call(self, tool: str, arguments: Mapping[str, JsonValue]) -> Call | Outcome:
        """A call out of a model's or a person's words, or one sentence on what does not fit."""
        found = next((offered for offered in self.tools if offered.name == tool), None)
        return made_call(found, arguments) if found else no_tool(tool)

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        """Let the service look at what a call would do; whatever goes wrong becomes an outcome."""
        return await self._toolbox.look(call, context, self._patience.look)

    def request(
        self,
        prepared: Prepared,
        provenance: Provenance,
        goal: GoalRef,
        asker: Asker = Asker.PLAN,
        step: int = 0,
        steps: int = 0,
    ) -> Request:
        """The question to put to the person, with the ruling; a ruling of refuse or allow needs no asking."""
        matter = Matter(provenance, goal, asker, step, steps)
        tool = self.tool(prepared.call.tool)
        judged = self._judge.judge(prepared, tool, matter, self.policy, self._clock())
        request = judged.request
        refused = request.ruling.verdict is Verdict.REFUSE
        try:
            self.journal.planned(request, goal, judged.hash)
            if refused:
                self.journal.denied(request.id, f"refused: {request.ruling.reason}")
        except Exception as error:  # What cannot be written down must not run.
            log.error("a call of %s could not be written down: %s", prepared.call.tool, error)
            ruling = Ruling(Verdict.REFUSE, "floor.journal", _sentence(error))
            return request if refused else replace(request, ruling=ruling, offers=())
        if not refused:
            self._asked[request.id] = judged
        return request

    def settle(self, request: Request, decision: Decision) -> Ticket | Refused:
        """Take a person's answer: leave to perform, or why not. A question is answered once."""
        judged = self._take(request)
        if isinstance(judged, Refused):
            return judged
        if decision.reply is not Reply.YES:
            if decision.reply is Reply.NO and decision.ban in request.bans:
                self.grants.ban(decision.ban)
            return self._deny(judged, no_words(decision), decision.reason or "you said no", "person")
        if why := fault(request, decision):
            return self._deny(judged, f"refused: {why}", why, "answer")
        return self._issue(judged, yes_words(request, decision), decision.grant)

    def allowed(self, request: Request) -> Ticket | Refused:
        """Leave to perform what the ruling allows unasked, if a permission still covers it."""
        if request.ruling.verdict is Verdict.REFUSE:
            return Refused(request.ruling.reason, request.ruling.rule)
        judged = self._take(request)
        if isinstance(judged, Refused):
            return judged
        now = self._clock()
        if self._judge.still(judged, self.policy, now) is not Verdict.ALLOW:
            why = "no permission covers it"
            return self._deny(judged, f"refused: {why}", why, "grant")
        self.grants.used(judged.request.prepared, judged.matter.goal, now)
        return self._issue(judged, f"allowed by {request.ruling.rule}", None)

    async def perform(self, ticket: Ticket) -> Outcome:
        """Carry out what a ticket is for, once: STARTED is on the disk before, the truth after.

        An effect that breaks or gives no answer in time is UNKNOWN. Cancelling the caller lets an effect come
        to its end first, then raises CancelledError.
        """
        judged = self._redeem(ticket)
        if isinstance(judged, Outcome):
            return judged
        try:
            self.journal.started(ticket.id, ticket.hash)
        except JournalError as error:
            reason = _sentence(error)
            self._note(lambda: self.journal.denied(ticket.id, f"refused: {reason}"))
            return failed(Needs.UNAVAILABLE, reason)
        connector = self._toolbox.service(ticket.prepared.call.tool)
        reads = ticket.prepared.effects == READING
        seconds = self._patience.read if reads else self._patience.effect
        watched = await watch(_deed(connector, frozen(ticket.prepared)), seconds, shielded=not reads)
        if watched.late:
            watched.task.add_done_callback(lambda task: self._came_late(ticket, task))
        outcome = self._conclude(ticket, judged, report(connector.name, watched, seconds, reads=reads))
        if watched.cancelled:
            raise asyncio.CancelledError
        return outcome

    def _take(self, request: Request) -> Judged | Refused:
        judged = self._asked.get(request.id)
        if judged is None or judged.request is not request:
            return Refused("this question is not open any more", "gate.not_open")
        del self._asked[request.id]
        return judged

    def _deny(self, judged: Judged, answer: str, reason: str, rule: str) -> Refused:
        self._note(lambda: self.journal.denied(judged.request.id, answer))
        return Refused(reason, f"gate.{rule}")

    def _issue(self, judged: Judged, answer: str, grant: Grant | None) -> Ticket | Refused:
        id, prepared = judged.request.id, judged.request.prepared
        if not matches(judged.hash, id, prepared, self.policy.version):
            why = "it, or a rule about it, changed after it was shown"
            return self._deny(judged, f"refused: {why}", why, "changed")
        try:
            self.journal.approved(id, answer)
        except JournalError as error:
            return Refused(_sentence(error), "floor.journal")
        if grant:
            self.grants.add(grant)
        now = self._clock()
        ticket = Ticket(id, prepared, judged.hash, now, now + LIFETIME)
        self._issued[id] = (ticket, judged)
        return ticket

    def _redeem(self, ticket: Ticket) -> Judged | Outcome:
        """Take a ticket in; it is good once, while it lives, for exactly what was approved."""
        held, judged = self._issued.get(ticket.id, (None, None))
        if judged is None or held is not ticket:
            return failed(Needs.CONFLICT, "This approval has been used or was never given; nothing was done.")
        del self._issued[ticket.id]
        if not ticket.valid(self._clock()):
            self._note(lambda: self.journal.expired(ticket.id))
            return failed(Needs.CONFLICT, "The approval is too old; nothing was done.")
        if not matches(ticket.hash, ticket.id, ticket.prepared, self.policy.version):
            self._note(lambda: self.journal.denied(ticket.id, "refused: it changed after it was approved"))
            return failed(Needs.CONFLICT, "It changed after it was approved; nothing was done.")
        return judged

    def _conclude(self, ticket: Ticket, judged: Judged, told: Report) -> Outcome:
        """Write down how it ended, and let what was learnt be known."""
        outcome, done = told.outcome, told.state is State.DONE
        undo = self._toolbox.undo(outcome.undo)
        took_back = ticket.prepared.call if done and judged.matter.asker is Asker.UNDO else None
        try:
            self.journal.finished(ticket.id, told.state, outcome.text, undo, took_back)
        except JournalError as error:
            log.error("the end of call %s could not be written down: %s", ticket.id, error)
            outcome = replace(outcome, text=f"{outcome.text} {error}")
        self._judge.remember(judged, told.state)
        judged.matter.provenance.learn(ticket.prepared, outcome)
        return replace(outcome, undo=undo)

    def _came_late(self, ticket: Ticket, task: asyncio.Task[Outcome]) -> None:
        """A deed that was given up on has ended after all: what is known now is written down."""
        if task.cancelled():
            return
        if error := task.exception():
            note("a service", error)
            return
        outcome = task.result()
        if ticket.prepared.effects != READING and isinstance(outcome, Outcome):
            undo = self._toolbox.undo(outcome.undo) if outcome.ok else None
            self._note(lambda: self.journal.resolved(ticket.id, outcome.ok, outcome.text, undo))

    def _note(self, write: Callable[[], None]) -> None:
        """Write down what changes nothing any more; a journal that fails now will refuse the next call."""
        try:
            write()
        except JournalError:
            log.exception("the journal could not be written")


async def _deed(connector: Connector, prepared: Prepared) -> Outcome:
    return await connector.perform(prepared)


def _sentence(error: Exception) -> str:
    return f"{error} Nothing was done." if isinstance(error, JournalError) else "this call cannot be kept"
