"""In what role a person named a thing: to look at it, or to have something done with it."""

from collections.abc import Sequence

from connectors.base import Effect, Prepared, Resolved, Role
from permissions.plan import Plan, PlanStep
from permissions.tokens import find_run, sounds
from permissions.words import Origin, Who

_LOOKING = frozenset({Effect.READ, Effect.MARK})
_ASKS, _DOES, _REFERS = (
    frozenset(word for line in lines for word in line.split())
    for lines in (
        (
            "check display find how list look open read search show view what what's whats when where which",
            "who who's",
        ),
        (
            "add and also answer book but cancel change clear copy create delete draft drop email erase",
            "forward get if invite make mark message move or plan put remove rename reply reschedule",
            "schedule send set share switch tell then throw trash turn undo update wipe write",
        ),
        (
            "again all also both first former her him his instead it its last latter one ones same second",
            "that their them there these third this those too",
        ),
    )
)
_STOPS = ",;.?!:"


def only_looks(line: str) -> bool:
    """True if a typed line surely asks only to be shown something: one clause, and no word for a deed."""
    said = sounds(line)
    if not said or said[0] not in _ASKS or not _DOES.isdisjoint(said):
        return False
    return not any(stop in line.rstrip(_STOPS + " ") for stop in _STOPS)


def clashes(
    prepared: Prepared,
    traced: Sequence[Origin],
    lines: Sequence[str],
    plan: Plan | None,
    step: PlanStep | None,
) -> bool:
    """True if a call does more than look with a thing that the person named only to look at it.

    That is so where every line that names it only looks (of `lines`, the last is the goal at hand, for which
    earlier ones speak if it refers back), and where the plan has the name in steps that only look while it is
    not this call's own.
    """
    if prepared.effects <= _LOOKING:
        return False
    for thing, origin in zip(prepared.resolved, traced, strict=True):
        if origin.who is not Who.YOU or thing.role not in (Role.DESTINATION, Role.TARGET):
            continue
        if _only_looked_at(origin.seen, lines):
            return True
        if plan is not None and not _own(prepared, thing, step) and _said_to_read(plan, origin.seen):
            return True
    return False


def _own(prepared: Prepared, thing: Resolved, step: PlanStep | None) -> bool:
    """True if a step has a thing by name, or left it open and would not delete it: what was looked for by
    name may well be what the step is for, but it takes a second look before it goes."""
    if step is None or step.added:
        return False
    slot = step.slot(thing.argument)
    return bool(slot.values) or (slot.open and Effect.DELETE not in prepared.effects)


def _only_looked_at(name: str, lines: Sequence[str]) -> bool:
    """True if the goal, or where it neither has the name nor refers back the lines before it, only look."""
    if not lines:
        return False
    goal = lines[-1]
    if find_run(name, goal):
        return only_looks(goal)
    if not _REFERS.isdisjoint(sounds(goal)):
        return False
    earlier = [line for line in lines if find_run(name, line)]
    return bool(earlier) and all(map(only_looks, earlier))


def _said_to_read(plan: Plan, name: str) -> bool:
    """True if some steps of the plan have a name, and all of those only look."""
    has = [step.reads for step in plan.steps if any(_same(name, value) for value in _values(step))]
    return bool(has) and all(has)


def _values(step: PlanStep) -> list[str]:
    return [value for slot in step.slots for value in slot.values]


def _same(name: str, value: str) -> bool:
    return bool(find_run(name, value) or find_run(value, name))
