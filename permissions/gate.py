"""The only door to the services: a call runs if policy allows it or a person said yes to it, and once."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import JsonValue

from connectors.base import Call, Connector, Context, Needs, Outcome, Prepared, Question, Tool, failed
from permissions.answers import covering, fault, no_words, yes_words
from permissions.carrying import Carrier, Patience, sentence
from permissions.columns import kept_cover, kept_yes
from permissions.grants import GrantBook
from permissions.holding import Holding
from permissions.journal import Entry, Journal, JournalError, State
from permissions.judge import Judge, Judged, Matter
from permissions.outbox import Outbox
from permissions.policy import Policy
from permissions.provenance import Provenance
from permissions.report import broke
from permissions.ticket import LIFETIME, Ticket, matches
from permissions.toolbox import Toolbox, made_call, no_tool
from permissions.trials import BACK, UNATTENDED, Ask, Trials
from permissions.words import Asker, Decision, GoalRef, Grant, Refused, Reply, Request, Ruling, Verdict

__all__ = ["Gate", "Patience", "Refused", "Ticket"]

log = logging.getLogger(__name__)

_DIVERGED = Ruling(
    Verdict.REFUSE, "floor.diverged", "something did more than was shown, so this goal is over"
)


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
        outbox: Outbox | None = None,
    ) -> None:
        self.journal = journal
        self.grants = grants
        self.policy = policy or Policy()
        self._toolbox = Toolbox(connectors)
        self._judge = Judge(grants)
        self._clock = clock
        self._patience = patience or Patience()
        self._carrier = Carrier(journal, self._judge, self._toolbox, self._patience, _deed)
        self.outbox = Holding(journal, self._carrier, outbox or Outbox(), clock, self._patience.hold)
        back = _SettingBack(journal, self._carrier, self._judge, self._toolbox, clock, self._patience.effect)
        self.trials = Trials(journal, self._carrier, self._toolbox, back.carry_out, clock)
        self._asked: dict[str, Judged] = {}
        self._issued: dict[str, tuple[Ticket, Judged]] = {}
        self._plans: dict[str, str] = {}

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that a model may ask for."""
        return tuple(filter(self._offers, self._toolbox.tools))

    def tool(self, name: str) -> Tool | None:
        """A tool by its name, hidden ones too."""
        return self._toolbox.tool(name)

    def make_call(self, tool: str, arguments: Mapping[str, JsonValue]) -> Call | Outcome:
        """A call out of a model's or a person's words, or one sentence on what does not fit."""
        found = self.tool(tool)
        return made_call(found, arguments) if found and self._offers(found) else no_tool(tool)

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
        self._plans |= {goal.id: judged.request.plan} if judged.case else {}
        if self.outbox.holds(prepared):
            judged = replace(judged, request=replace(judged.request, hold=self._patience.hold))
        request = judged.request
        if goal.id in self._carrier.diverged:
            request = replace(request, ruling=_DIVERGED, offers=())
        if self.trials.refuses(prepared):
            request = replace(request, ruling=UNATTENDED, offers=())
        refused = request.ruling.verdict is Verdict.REFUSE
        try:
            self.journal.planned(request, goal, judged.hash, self.policy.version, judged.case)
            if refused:
                self.journal.denied(request.id, f"refused: {request.ruling.reason}")
        except Exception as error:  # What cannot be written down must not run.
            log.error("a call of %s could not be written down: %s", prepared.call.tool, error)
            ruling = Ruling(Verdict.REFUSE, "floor.journal", sentence(error))
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
            return self._deny(judged, no_words(request, decision), decision.reason or "you said no", "person")
        if why := fault(request, decision):
            return self._deny(judged, f"refused: {why}", why, "answer")
        given = kept_yes(request, decision)
        return self._issue(judged, yes_words(request, decision), given, decision.grant)

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
        given = kept_cover(covering(judged, self.policy, self.grants, now))
        self.grants.used(judged.request.prepared, judged.matter.goal, now)
        return self._issue(judged, f"allowed by {request.ruling.rule}", given)

    async def perform(self, ticket: Ticket, ask: Ask | None = None) -> Outcome:
        """Carry out what a ticket is for, once, or hold it back for a while if it is sent out.

        STARTED is on the disk before, the truth after; an effect that breaks or gives no answer in time is
        UNKNOWN. What is held has an outcome with `until`. What is on trial is kept only if `ask` says so.
        Cancelling the caller lets an effect come to its end first, then raises CancelledError.
        """
        judged = self._redeem(ticket)
        if isinstance(judged, Outcome):
            return judged
        if self.outbox.holds(ticket.prepared):
            version, plan = self.policy.version, judged.request.plan
            return await self.outbox.hold(
                ticket, judged, self.prepare, lambda judged: self._may_go(ticket, judged, version, plan)
            )
        if ticket.prepared.trial:
            return await self.trials.carry_out(ticket, judged, ask)
        return await self._carrier.carry_out(ticket, judged)

    async def look_again(self, entry: Entry) -> Outcome | None:
        """Look whether a call of unknown outcome was done, and write down what is found; None if unclear."""
        found = await self._carrier.probe(entry.tool, entry.mark) if entry.state is State.UNKNOWN else None
        if found is not None:
            self.journal.resolved(entry.id, found.ok, found.text, found.undo)
        return found

    def drop(self, entry: Entry) -> None:
        """The person lets a call go that was held when Askfirst ended, or whose outcome is unknown."""
        if entry.state is State.HELD and not self.outbox.withdraw(entry.id):
            self.journal.withdrawn(entry.id, "Not sent: you let it go.")
        elif entry.state is State.UNKNOWN:
            self.journal.left(entry.id)

    def _offers(self, tool: Tool) -> bool:
        return tool.offered and not self.policy.hides(tool)

    def _take(self, request: Request) -> Judged | Refused:
        judged = self._asked.get(request.id)
        if judged is None or judged.request is not request:
            return Refused("this question is not open any more", "gate.not_open")
        del self._asked[request.id]
        return judged

    def _deny(self, judged: Judged, answer: str, reason: str, rule: str) -> Refused:
        self._carrier.note_down(lambda: self.journal.denied(judged.request.id, answer))
        return Refused(reason, f"gate.{rule}")

    def _issue(self, judged: Judged, answer: str, given: str, grant: Grant | None = None) -> Ticket | Refused:
        id, prepared = judged.request.id, judged.request.prepared
        if not matches(judged.hash, id, prepared, self.policy.version, self._plan(judged)):
            why = "it, the plan, or a rule about it, changed after it was shown"
            return self._deny(judged, f"refused: {why}", why, "changed")
        try:
            self.journal.approved(id, answer, given)
        except JournalError as error:
            return Refused(sentence(error), "floor.journal")
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
            self._carrier.note_down(lambda: self.journal.expired(ticket.id))
            return failed(Needs.CONFLICT, "The approval is too old; nothing was done.")
        if not matches(ticket.hash, ticket.id, ticket.prepared, self.policy.version, self._plan(judged)):
            self._carrier.note_down(
                lambda: self.journal.denied(ticket.id, "refused: it changed after it was approved")
            )
            return failed(Needs.CONFLICT, "It changed after it was approved; nothing was done.")
        return judged

    def _plan(self, judged: Judged) -> str:
        """The digest of the plan that the goal of a call has now."""
        return self._plans.get(judged.matter.goal.id, "")

    def _may_go(self, ticket: Ticket, judged: Judged, version: str, plan: str) -> bool:
        """True if a held call is still what was approved, and no rule of now forbids it."""
        unchanged = matches(ticket.hash, ticket.id, ticket.prepared, version, plan)
        return unchanged and self._judge.still(judged, self.policy, self._clock()) is not Verdict.REFUSE


async def _deed(connector: Connector, prepared: Prepared) -> Outcome:
    return await connector.perform(prepared)


@dataclass(frozen=True, slots=True)
class _SettingBack:
    """Sets back what nobody kept; `seconds` is how long the service may take if it cannot be written down."""

    journal: Journal
    carrier: Carrier
    judge: Judge
    toolbox: Toolbox
    clock: Callable[[], datetime]
    seconds: float

    async def carry_out(self, prepared: Prepared, goal: GoalRef) -> Outcome:
        """Carry out the promised second half of an approved deed; nobody is asked again."""
        tool, now = self.toolbox.tool(prepared.call.tool), self.clock()
        judged = self.judge.judge(prepared, tool, Matter(Provenance(), goal, Asker.UNDO), Policy(), now)
        judged = replace(judged, request=replace(judged.request, ruling=BACK, offers=()))
        id = judged.request.id
        try:
            self.journal.planned(judged.request, goal, judged.hash)
            self.journal.approved(id, BACK.reason)
        except JournalError:
            # A machine that is cut off would be the greater harm; the promise stays on the disk.
            log.exception("that a change is set back could not be written down")
            return await _unwritten(self.toolbox.service(prepared.call.tool), prepared, self.seconds)
        ticket = Ticket(id, judged.request.prepared, judged.hash, now, now + LIFETIME)
        return await self.carrier.carry_out(ticket, judged)


async def _unwritten(connector: Connector, prepared: Prepared, seconds: float) -> Outcome:
    """What comes of a deed that the journal knows nothing of."""
    try:
        async with asyncio.timeout(seconds):
            return await _deed(connector, prepared)
    except Exception as error:  # Whatever a service throws, the next start tries again.
        return broke(connector.name, None if isinstance(error, TimeoutError) else error, seconds)
