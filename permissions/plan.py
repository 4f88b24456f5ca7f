"""The sealed plan: what the first answer, made before anything was read, asked for, and nothing more."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from connectors.base import Call, Effect
from permissions.canonical import digest
from permissions.values import OPEN, is_open, spelled

Picked = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Slot:
    """The values that one argument of a step may take; an open one may take any, once it is known."""

    argument: str
    values: tuple[str, ...] = ()
    open: bool = False


@dataclass(frozen=True, slots=True)
class PlanStep:
    """A tool with its slots, and how often it may be used so.

    `added` says that it was written after something foreign was read: its values vouch for nothing.
    """

    tool: str
    slots: tuple[Slot, ...]
    reads: bool = False
    count: int = 1
    added: bool = False

    def slot(self, argument: str) -> Slot:
        """The slot of an argument; one that the plan does not have takes nothing."""
        return next((slot for slot in self.slots if slot.argument == argument), Slot(argument))

    @property
    def open(self) -> bool:
        return any(slot.open for slot in self.slots)


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps for one goal; nothing changes a plan, and letting a call in makes another one."""

    goal: str
    steps: tuple[PlanStep, ...] = ()

    @property
    def digest(self) -> str:
        """The SHA-256 of the goal and every step, in hex."""
        steps = [
            [
                step.tool,
                [[slot.argument, slot.values, slot.open] for slot in step.slots],
                step.reads,
                step.count,
                step.added,
            ]
            for step in self.steps
        ]
        return digest({"v": 1, "goal": self.goal, "steps": steps})

    @property
    def services(self) -> frozenset[str]:
        """The services that the plan uses."""
        return frozenset(step.tool.partition(".")[0] for step in self.steps)

    def let_in(self, call: Call, effect: Effect) -> "Plan":
        """The plan with one more call in it, as the person has it now."""
        return replace(self, steps=(*self.steps, replace(_step(call, effect), added=True)))


@dataclass(slots=True)
class Progress:
    """Which calls have taken which steps of the plan of one goal; what was tried is taken."""

    goal: str
    taken: dict[str, int] = field(default_factory=dict)

    def place(self, plan: Plan, call: Call, picked: Picked) -> PlanStep | None:
        """The step that a call is, now its own; None where the plan has no room for it.

        `picked` says of an argument and one value whether the person chose it.
        """
        for number in self._free(plan, call):
            if admits(plan.steps[number], call, picked):
                self.taken[call.id] = number
                return plan.steps[number]
        return None

    def _free(self, plan: Plan, call: Call) -> Iterator[int]:
        """The steps that a call may take: the one it has, else those with room, exact ones first."""
        if call.id in self.taken:
            yield self.taken[call.id]
            return
        numbers = sorted(range(len(plan.steps)), key=lambda number: plan.steps[number].open)
        used = list(self.taken.values())
        yield from (number for number in numbers if used.count(number) < plan.steps[number].count)


def seal(goal: str, calls: Sequence[Call], effect: Callable[[str], Effect], *, clean: bool = True) -> Plan:
    """The plan that these calls make, equal ones counted together; `effect` knows each tool's.

    `clean` says that nothing foreign had been read when they were written.
    """
    steps: dict[PlanStep, int] = {}
    for call in calls:
        step = _step(call, effect(call.tool))
        steps[step] = steps.get(step, 0) + 1
    return Plan(goal, tuple(replace(step, count=count, added=not clean) for step, count in steps.items()))


def admits(step: PlanStep, call: Call, picked: Picked) -> bool:
    """True if a call is this step: its own values in the plan's slots, anything else picked by the person."""
    if step.tool != call.tool:
        return False
    arguments = {slot.argument for slot in step.slots} | set(call.arguments)
    return all(_fits(step.slot(argument), call, picked) for argument in arguments)


def unsealed(step: PlanStep | None, call: Call, picked: Picked) -> frozenset[str]:
    """The arguments whose values the first plan does not hold and the person did not pick.

    What was let in later was written after it, and holds nothing in this sense.
    """
    if step is not None and step.added:
        step = None
    return frozenset(
        argument
        for argument, value in call.arguments.items()
        if not all(
            picked(argument, item) or (step is not None and item in step.slot(argument).values)
            for item in spelled(value)
        )
    )


def _fits(slot: Slot, call: Call, picked: Picked) -> bool:
    if slot.open:
        return True
    given = list(spelled(call.arguments.get(slot.argument)))
    if not given and slot.values:
        return picked(slot.argument, "")
    return all(item in slot.values or picked(slot.argument, item) for item in given)


def _step(call: Call, effect: Effect) -> PlanStep:
    slots = (_slot(argument, call) for argument in sorted(call.arguments))
    return PlanStep(call.tool, tuple(slots), effect in (Effect.READ, Effect.MARK))


def _slot(argument: str, call: Call) -> Slot:
    value = call.arguments[argument]
    items = dict.fromkeys(item for item in spelled(value) if item.strip() != OPEN)
    return Slot(argument, tuple(items), is_open(value))
