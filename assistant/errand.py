"""One goal being carried out: each of its calls tried, and repaired where Askfirst knows how."""

import uuid
from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue

from assistant.attempt import Attempt, Trying, TurnOver
from assistant.budget import Budget
from assistant.course import Course
from assistant.events import CallDenied, CallFinished, Ending, PlanChanged, RepairOffered, StepState
from assistant.frontend import Frontend
from assistant.repairs import Repair, repair
from connectors.base import Call, Context, Needs, Outcome, failed
from permissions.gate import Gate
from permissions.provenance import Provenance
from permissions.words import Asker, GoalRef

_MOST_TRIES = 4


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
        self._trying = Trying(self._course, gate, front, budget, provenance, context)
        self.told: list[tuple[StepState, str]] = []
        self._edited: dict[str, Mapping[str, JsonValue]] = {}

    def end(self) -> None:
        """The goal is over, and with it the permissions given for it."""
        self._trying.drop("the goal was over before its turn came")
        self._gate.grants.end_goal(self._course.goal)

    def halt(self) -> None:
        """Stop before the next call."""
        self._trying.halt()

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
        self._trying.following = following
        if reason := self.budget.attempt(call):
            raise TurnOver(Ending.LIMIT, reason)
        if self.budget.has_failed(call):
            return failed(Needs.INVALID, "This very request has failed before; it was not run again.")
        await self._mark(call, StepState.DOING)
        attempt = await self._with_repairs(call, asker)
        await self._conclude(call, attempt)
        return attempt.outcome

    def edited(self, call: Call) -> Mapping[str, JsonValue]:
        """The arguments that the person wrote anew before the call was carried out or refused."""
        return self._edited.get(call.id, {})

    async def _with_repairs(self, call: Call, asker: Asker) -> Attempt:
        attempt = await self._trying.once(call, asker)
        for _ in range(_MOST_TRIES):
            if attempt.state is not StepState.FAILED or not await self._mended(attempt.outcome):
                break
            self.budget.mended(call)
            attempt = (await self._trying.once(attempt.call, asker)).after(attempt)
        return attempt

    async def _mended(self, outcome: Outcome) -> bool:
        if outcome.needs is Needs.CONFLICT:
            await self._front.show(RepairOffered(f"{outcome.text} Here it is again as it stands now."))
            return True
        found = repair(outcome, {tool.name for tool in self._gate.tools})
        return found is not None and await self._apply(found)

    async def _apply(self, found: Repair) -> bool:
        await self._front.show(RepairOffered(found.text))
        picked = await self._trying.choose(found.choice) if found.choice else {}
        if picked is None:
            return False
        call = self._gate.make_call(found.tool, found.arguments)
        if isinstance(call, Outcome):
            return False
        call = self._trying.changed(call, picked)
        await self.add(call)
        await self._mark(call, StepState.DOING)
        attempt = await self._trying.once(call, Asker.REPAIR)
        await self._conclude(call, attempt)
        return attempt.outcome.ok

    async def _conclude(self, call: Call, attempt: Attempt) -> None:
        outcome = attempt.outcome
        self._edited[call.id] = attempt.edited
        if not outcome.ok:
            self.budget.failed(call)
        if attempt.state is StepState.FAILED:
            self._trying.drop("the one before it failed, so it is asked about anew")
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


def new_goal(text: str, *, pasted: bool = False) -> GoalRef:
    """A goal with an id of its own; `pasted` says that some of it was not typed."""
    return GoalRef(uuid.uuid4().hex, text, pasted=pasted)
