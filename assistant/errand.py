"""One goal being carried out: each call made exact, asked for, run, and repaired where Askfirst knows how."""

import itertools
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from assistant.ahead import Ahead, Held
from assistant.budget import Budget
from assistant.course import Course
from assistant.events import (
    CallAllowed,
    CallDenied,
    CallFinished,
    Ending,
    PlanChanged,
    RepairOffered,
    StepState,
)
from assistant.frontend import Frontend
from assistant.repairs import Repair, repair
from connectors.base import Call, Context, Needs, Option, Outcome, Prepared, Question, failed
from permissions.gate import Gate
from permissions.provenance import Provenance
from permissions.standing_table import OUTSIDE
from permissions.trials import KEEP_IT
from permissions.words import Asker, Decision, GoalRef, Refused, Reply, Request, Verdict

_MOST_QUESTIONS = 8
_MOST_TRIES = 4


class TurnOver(Exception):
    """The goal ends here, with a reason in words."""

    def __init__(self, ending: Ending, reason: str = "") -> None:
        super().__init__(reason)
        self.ending = ending
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of a call: the call as it was in the end, its state, title and outcome."""

    call: Call
    state: StepState
    title: str
    outcome: Outcome


class Errand:
    """Carries the calls of one goal through preparation, permission and performance."""

    def __init__(
        self,
        goal: GoalRef,
        gate: Gate,
        front: Frontend,
        budget: Budget,
        provenance: Provenance,
        context: Callable[[], Context],
    ) -> None:
        self._course = Course(goal, gate, provenance)
        self._gate = gate
        self._front = front
        self.budget = budget
        self._provenance = provenance
        self._context = context
        self._halted = False
        self._following: Sequence[Call] = ()
        self._ahead = Ahead(gate, lambda call: gate.prepare(call, context()), self._request)
        self.told: list[tuple[StepState, str]] = []

    def end(self) -> None:
        """The goal is over, and with it the permissions given for it."""
        self._ahead.drop("the goal was over before its turn came")
        self._gate.grants.end_goal(self._course.goal)

    def halt(self) -> None:
        """Stop before the next call."""
        self._halted = True

    async def take(self, calls: Sequence[Call]) -> list[tuple[Call, Asker]]:
        """Take up the calls of one answer, the first of which is the plan: what to carry out now."""
        taken = self._course.take(calls)
        await self._show_plan()
        return taken

    async def add(self, call: Call, *, added: bool = True) -> None:
        """Show a call that no answer of the model asked for."""
        self._course.add(call, added=added)
        await self._show_plan()

    async def left(self) -> tuple[Call, ...]:
        """The steps that still wait for values, for the person to say; none if something went wrong."""
        left = self._course.left()
        if all(state in (StepState.DONE, StepState.HELD) for state, _ in self.told):
            return left
        for call in left:
            self.told.append((StepState.SKIPPED, self._course.words(call)))
            await self._mark(call, StepState.SKIPPED)
        return ()

    async def carry_out(self, call: Call, asker: Asker, following: Sequence[Call] = ()) -> Outcome:
        """Run one planned call to its end, repairs included, and say what came of it. Raises TurnOver.

        `following` are the calls that come after it on the same account; what can be is asked about with it.
        """
        self._following = following
        if reason := self.budget.attempt(call):
            raise TurnOver(Ending.LIMIT, reason)
        if self.budget.has_failed(call):
            return failed(Needs.INVALID, "This very request has failed before; it was not run again.")
        await self._mark(call, StepState.DOING)
        attempt = await self._with_repairs(call, asker)
        await self._conclude(call, attempt)
        return attempt.outcome

    async def _with_repairs(self, call: Call, asker: Asker) -> Attempt:
        attempt = await self._try(call, asker)
        for _ in range(_MOST_TRIES):
            if attempt.state is not StepState.FAILED or not await self._mended(attempt.outcome):
                break
            self.budget.mended(call)
            attempt = await self._try(attempt.call, asker)
        return attempt

    async def _mended(self, outcome: Outcome) -> bool:
        if outcome.needs is Needs.CONFLICT:
            await self._front.show(RepairOffered(f"{outcome.text} Here it is again as it stands now."))
            return True
        found = repair(outcome, {tool.name for tool in self._gate.tools})
        return found is not None and await self._apply(found)

    async def _apply(self, found: Repair) -> bool:
        await self._front.show(RepairOffered(found.text))
        picked = await self._choose(found.choice) if found.choice else {}
        if picked is None:
            return False
        call = self._gate.make_call(found.tool, found.arguments)
        if isinstance(call, Outcome):
            return False
        call = self._changed(call, picked)
        await self.add(call)
        await self._mark(call, StepState.DOING)
        attempt = await self._try(call, Asker.REPAIR)
        await self._conclude(call, attempt)
        return attempt.outcome.ok

    async def _try(self, call: Call, asker: Asker) -> Attempt:
        """Prepare, ask and perform once; an edit is prepared and decided anew."""
        for _ in range(_MOST_QUESTIONS):
            self._check_halt()
            held = self._ahead.take(call)
            if held is None:
                call, prepared = await self._settle_details(call)
                if isinstance(prepared, Outcome):
                    return Attempt(call, StepState.FAILED, self._course.words(call), prepared)
                held = Held(self._request(prepared, asker))
            request = held.request
            if request.ruling.rule == OUTSIDE:
                if await self._let_in(request):
                    continue
                return _left_out(request)
            if reason := self.budget.spend(request.prepared.effects):
                raise TurnOver(Ending.LIMIT, reason)
            decision = self._unless_stopped(request, held.decision or await self._decide(request))
            if decision is None or decision.reply is not Reply.EDIT:
                return await self._settle(request, decision)
            call = self._changed(call, decision.edited or {})
        raise TurnOver(Ending.LIMIT, "the request was changed too often")

    def _request(self, prepared: Prepared, asker: Asker) -> Request:
        place = self._course.place(prepared.call)
        return self._gate.request(prepared, self._provenance, self._course.goal, asker, *place)

    async def _let_in(self, request: Request) -> bool:
        """Put it to the person whether a call that the goal never asked for may become part of the plan."""
        if not self.budget.may_add():
            return False
        text = f"Wanted also: {request.prepared.preview.title} – this is not in your request."
        options = (Option("Leave it out", {}), Option("Add it to the plan, to be asked about", {"add": True}))
        if (await self._choose(Question(text, options)) or {}).get("add") is True:
            self._course.let_in(request.call)
            self._ahead.drop("another plan holds now, so it is asked about anew")
            return True
        if reason := self.budget.denied():
            raise TurnOver(Ending.STOPPED, reason)
        return False

    async def _decide(self, request: Request) -> Decision | None:
        """The person's decision, or None where the ruling needs none; asked with what can be asked along."""
        if request.ruling.verdict in (Verdict.ALLOW, Verdict.REFUSE):
            return None
        planned = request.asker in (Asker.PLAN, Asker.ADDED)
        following = itertools.takewhile(lambda call: not self.budget.has_failed(call), self._following)
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
            picked = await self._choose(prepared)
            if picked is None:
                return call, failed(Needs.INVALID, f"It was not said: {prepared.text}")
            call = self._changed(call, picked)
        return call, failed(Needs.INVALID, "It could not be made exact.")

    async def _choose(self, question: Question) -> Mapping[str, JsonValue] | None:
        self._check_halt()
        return (await self._front.choose(question)).arguments

    def _changed(self, call: Call, arguments: Mapping[str, JsonValue]) -> Call:
        """The call with arguments that the person picked or typed; they are the person's from now on."""
        self._provenance.endorse(arguments, call)
        return replace(call, arguments={**call.arguments, **arguments})

    async def _conclude(self, call: Call, attempt: Attempt) -> None:
        outcome = attempt.outcome
        if not outcome.ok:
            self.budget.failed(call)
        if attempt.state is StepState.FAILED:
            self._ahead.drop("the one before it failed, so it is asked about anew")
        unsaid = attempt.state in (StepState.DENIED, StepState.SKIPPED)
        text = f"{attempt.title} ({outcome.text})" if unsaid else outcome.text
        self.told.append((attempt.state, text))
        await self._mark(call, attempt.state)
        if attempt.state is not StepState.DENIED:
            await self._front.show(CallFinished(attempt.call, attempt.title, outcome))
            return
        await self._front.show(CallDenied(attempt.call, attempt.title, outcome.text))
        if reason := self.budget.denied():
            raise TurnOver(Ending.STOPPED, reason)

    async def _mark(self, call: Call, state: StepState) -> None:
        self._course.mark(call, state)
        await self._show_plan()

    async def _show_plan(self) -> None:
        await self._front.show(PlanChanged(self._course.steps))

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


def new_goal(text: str, *, pasted: bool = False) -> GoalRef:
    """A goal with an id of its own; `pasted` says that some of it was not typed."""
    return GoalRef(uuid.uuid4().hex, text, pasted=pasted)
