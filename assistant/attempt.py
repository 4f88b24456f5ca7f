"""One try of a call: made exact, asked for, and performed if that was allowed."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from assistant.ahead import Ahead, Held
from assistant.budget import Budget
from assistant.course import Course
from assistant.events import CallAllowed, Ending, StepState
from assistant.frontend import Frontend
from connectors.base import Call, Context, Needs, Option, Outcome, Prepared, Question, failed
from permissions.gate import Gate
from permissions.provenance import Provenance
from permissions.standing_table import OUTSIDE
from permissions.trials import KEEP_IT
from permissions.words import Asker, Decision, Refused, Reply, Request, Verdict

_MOST_QUESTIONS = 8


class TurnOver(Exception):
    """The goal ends here, with a reason in words."""

    def __init__(self, ending: Ending, reason: str = "") -> None:
        super().__init__(reason)
        self.ending = ending
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of a call: the call as it was in the end, its state, title and outcome.

    `edited` are the arguments that the person wrote anew.
    """

    call: Call
    state: StepState
    title: str
    outcome: Outcome
    edited: Mapping[str, JsonValue] = field(default_factory=dict)

    def after(self, earlier: "Attempt") -> "Attempt":
        """This attempt, after another of the same call: what was edited then is edited still."""
        return replace(self, edited={**earlier.edited, **self.edited})


class Trying:
    """Tries calls of one goal, with the person asked whatever is to be asked."""

    def __init__(
        self,
        course: Course,
        gate: Gate,
        front: Frontend,
        budget: Budget,
        provenance: Provenance,
        context: Callable[[], Context],
    ) -> None:
        self._course = course
        self._gate = gate
        self._front = front
        self._budget = budget
        self._provenance = provenance
        self._context = context
        self._halted = False
        self.following: Sequence[Call] = ()
        self._ahead = Ahead(gate, lambda call: gate.prepare(call, context()), self._request)

    def halt(self) -> None:
        """Stop before the next call."""
        self._halted = True

    def drop(self, reason: str) -> None:
        """What was asked ahead of its turn holds no more."""
        self._ahead.drop(reason)

    async def once(self, call: Call, asker: Asker) -> Attempt:
        """Prepare, ask and perform once; an edit is prepared and decided anew."""
        edited: dict[str, JsonValue] = {}
        for _ in range(_MOST_QUESTIONS):
            self._check_halt()
            held = self._ahead.take(call)
            if held is None:
                call, prepared = await self._settle_details(call)
                if isinstance(prepared, Outcome):
                    return Attempt(call, StepState.FAILED, self._course.words(call), prepared, edited)
                held = Held(self._request(prepared, asker))
            request = held.request
            if request.ruling.rule == OUTSIDE:
                if await self._let_in(request):
                    continue
                return _left_out(request)
            if reason := self._budget.spend(request.prepared.effects):
                raise TurnOver(Ending.LIMIT, reason)
            decision = self._unless_stopped(request, held.decision or await self._decide(request))
            if decision is None or decision.reply is not Reply.EDIT:
                return replace(await self._settle(request, decision), edited=edited)
            edited.update(decision.edited or {})
            call = self.changed(call, decision.edited or {})
        raise TurnOver(Ending.LIMIT, "the request was changed too often")

    def _request(self, prepared: Prepared, asker: Asker) -> Request:
        place = self._course.place(prepared.call)
        return self._gate.request(prepared, self._provenance, self._course.goal, asker, *place)

    async def _let_in(self, request: Request) -> bool:
        """Put it to the person whether a call that the goal never asked for may become part of the plan."""
        if not self._budget.may_add():
            return False
        text = f"Wanted also: {request.prepared.preview.title} – this is not in your request."
        options = (Option("Leave it out", {}), Option("Add it to the plan, to be asked about", {"add": True}))
        if (await self.choose(Question(text, options)) or {}).get("add") is True:
            self._course.let_in(request.call)
            self._ahead.drop("another plan holds now, so it is asked about anew")
            return True
        if reason := self._budget.denied():
            raise TurnOver(Ending.STOPPED, reason)
        return False

    async def _decide(self, request: Request) -> Decision | None:
        """The person's decision, or None where the ruling needs none; asked with what can be asked along."""
        if request.ruling.verdict in (Verdict.ALLOW, Verdict.REFUSE):
            return None
        planned = request.asker in (Asker.PLAN, Asker.ADDED)
        following = itertools.takewhile(lambda call: not self._budget.has_failed(call), self.following)
        requests = await self._ahead.beside(request, tuple(following) if planned else ())
        return self._ahead.keep(requests, await self._front.ask(requests))

    def _unless_stopped(self, request: Request, decision: Decision | None) -> Decision | None:
        if decision is not None and decision.reply is Reply.STOP:
            self._gate.settle(request, decision)
            raise TurnOver(Ending.STOPPED, "you stopped it")
        return decision

    async def _settle(self, request: Request, decision: Decision | None) -> Attempt:
        title = request.prepared.preview.title
        ticket = self._gate.settle(request, decision) if decision else self._gate.allowed(request)
        if isinstance(ticket, Refused):
            said_no = decision is not None and decision.reply is Reply.NO
            state = StepState.DENIED if said_no else StepState.FAILED
            outcome = Outcome(ok=False, text=ticket.reason)
            return Attempt(request.call, state, title, outcome)
        if decision is None:
            await self._front.show(CallAllowed(request.call, title, request.ruling.rule))
        outcome = await self._gate.perform(ticket, self._keeps)
        state = _reached(outcome)
        return Attempt(request.call, state, title, outcome)

    async def _keeps(self, question: Question) -> bool:
        """Whether the person says to keep what would else be set back."""
        return (await self._front.choose(question)).arguments == KEEP_IT.arguments

    async def _settle_details(self, call: Call) -> tuple[Call, Prepared | Outcome]:
        """Ask the person whatever the connector needs to know, then hold the call made exact."""
        for _ in range(_MOST_QUESTIONS):
            prepared = await self._gate.prepare(call, self._context())
            if not isinstance(prepared, Question):
                return call, prepared
            picked = await self.choose(prepared)
            if picked is None:
                return call, failed(Needs.INVALID, f"It was not said: {prepared.text}")
            call = self.changed(call, picked)
        return call, failed(Needs.INVALID, "It could not be made exact.")

    async def choose(self, question: Question) -> Mapping[str, JsonValue] | None:
        """What the person answers, or None. Raises TurnOver."""
        self._check_halt()
        return (await self._front.choose(question)).arguments

    def changed(self, call: Call, arguments: Mapping[str, JsonValue]) -> Call:
        """The call with arguments that the person picked or typed; they are the person's from now on."""
        self._provenance.endorse(arguments, call)
        return replace(call, arguments={**call.arguments, **arguments})

    def _check_halt(self) -> None:
        if self._halted:
            raise TurnOver(Ending.STOPPED, "you stopped it")


def _reached(outcome: Outcome) -> StepState:
    """How far a call has come that was carried out."""
    if not outcome.ok:
        return StepState.FAILED
    return StepState.HELD if outcome.until else StepState.DONE


def _left_out(request: Request) -> Attempt:
    """What becomes of a call that is not in the plan and was not let in."""
    outcome = Outcome(ok=False, text="wanted also, but it is not in your request")
    return Attempt(request.call, StepState.SKIPPED, request.prepared.preview.title, outcome)
