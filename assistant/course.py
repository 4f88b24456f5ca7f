"""The plan of one goal: sealed by the first answer, shown step by step, and held to from then on."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pydantic import JsonValue

from assistant.events import Step, StepState
from assistant.wording import call_words
from connectors.base import Call, Effect
from permissions.gate import Gate
from permissions.plan import admits, seal
from permissions.provenance import Provenance
from permissions.values import filled, is_open
from permissions.words import Asker, GoalRef


class Course:
    """Which calls come when, and which still wait for values; `goal` holds the sealed plan."""

    def __init__(self, goal: GoalRef, gate: Gate, provenance: Provenance) -> None:
        self.goal = goal
        self._gate = gate
        self._provenance = provenance
        self._steps: list[Step] = []
        self._waiting: list[Call] = []

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step, in the order in which they are shown."""
        return tuple(self._steps)

    def take(self, calls: Sequence[Call]) -> list[tuple[Call, Asker]]:
        """Take one answer's calls: which are to be carried out now, and on whose account each is.

        The first calls of a goal are its plan. Those among them that leave something open wait until a later
        answer fills it in; what a later answer asks for beyond that is an addition.
        """
        if not calls:
            return []
        if self.goal.plan is None:
            return self._seal(calls)
        return [self._placed(call) for call in calls]

    def add(self, call: Call, *, added: bool = True) -> None:
        """Show one more call."""
        self._steps.append(Step(call.id, self.words(call), added=added))

    def let_in(self, call: Call) -> None:
        """The person lets a call into the plan: from now on another plan is sealed."""
        if self.goal.plan is not None:
            self.goal = replace(self.goal, plan=self.goal.plan.let_in(call, self._effect(call.tool)))

    def left(self) -> tuple[Call, ...]:
        """The steps whose open values nobody filled in, without those, for the person to say."""
        left, self._waiting = tuple(map(_closed, self._waiting)), []
        return left

    def mark(self, call: Call, state: StepState) -> None:
        self._steps = [
            replace(step, state=state) if step.call_id == call.id else step for step in self._steps
        ]

    def place(self, call: Call) -> tuple[int, int]:
        """A call's number among the steps (0 if it is none of them), and how many there are."""
        ids = [step.call_id for step in self._steps]
        return (ids.index(call.id) + 1 if call.id in ids else 0), len(ids)

    def words(self, call: Call) -> str:
        """The call as one short line, with a gap for what is open in it."""
        tool = self._gate.tool(call.tool)
        call = replace(call, arguments={name: _gapped(value) for name, value in call.arguments.items()})
        return call_words(call, tool) if tool else call.tool

    def _seal(self, calls: Sequence[Call]) -> list[tuple[Call, Asker]]:
        plan = seal(self.goal.text, calls, self._effect, clean=not self._provenance.tainted)
        self.goal = replace(self.goal, plan=plan)
        ready = [call for call in calls if not _waits(call)]
        if not ready:
            calls = ready = [_closed(call) for call in calls]
        self._waiting = [call for call in calls if _waits(call)]
        for call in calls:
            self.add(call, added=False)
        return [(call, Asker.PLAN) for call in ready]

    def _placed(self, call: Call) -> tuple[Call, Asker]:
        """A later call in the place of the step that waited for it, or as an addition."""
        picked = partial(self._provenance.picked, call)
        for waiting in self._waiting:
            (step,) = seal("", [waiting], self._effect).steps
            if not _waits(call) and admits(step, call, picked):
                self._waiting.remove(waiting)
                self._steps = [
                    Step(call.id, self.words(call)) if shown.call_id == waiting.id else shown
                    for shown in self._steps
                ]
                return call, Asker.PLAN
        call = _closed(call)
        self.add(call)
        return call, Asker.ADDED

    def _effect(self, tool: str) -> Effect:
        found = self._gate.tool(tool)
        return found.effect if found else Effect.SEND


def _waits(call: Call) -> bool:
    return any(is_open(value) for value in call.arguments.values())


def _gapped(value: JsonValue) -> JsonValue:
    if isinstance(value, list | tuple):
        return [_gapped(item) for item in value]
    return "…" if is_open(value) else value


def _closed(call: Call) -> Call:
    """The call without what is open in it."""
    if not _waits(call):
        return call
    rest = {name: filled(value) for name, value in call.arguments.items()}
    return replace(call, arguments={name: value for name, value in rest.items() if value not in (None, [])})
