"""Does a permission cover a call? By exact values only, and never past the floors."""

from datetime import datetime

from connectors.base import Effect, Prepared, Resolved, Role
from permissions.words import GoalRef, Grant, Scope

READING = frozenset({Effect.READ})


def covers(grant: Grant, prepared: Prepared, goal: GoalRef, now: datetime) -> bool:
    """True if the grant is in force and the call does only what it allows, to only what it names.

    Every destination and target of a call that does more than read must be among the exact values that the
    grant names for its argument; a thing the grant does not name is not covered.
    """
    return (
        _in_force(grant, goal, now)
        and _same_tool(grant, prepared)
        and bool(prepared.effects)
        and prepared.effects <= grant.effects
        and may_last(grant.scope, prepared)
        and _only_named(grant, prepared)
    )


def may_last(scope: Scope, prepared: Prepared) -> bool:
    """False where no permission of this scope may exist, whoever gives it.

    Sharing, deleting for good, and sending to somebody never written to are asked every time; sends to
    people written to before may be covered for one goal; a session covers reading and switchable settings.
    """
    if scope is Scope.ONCE:
        return True
    effects = prepared.effects
    if Effect.SHARE in effects or (Effect.DELETE in effects and prepared.undo is None):
        return False
    if Effect.SEND in effects and not _all_written_to(prepared.resolved):
        return False
    if scope is Scope.SESSION:
        return effects == READING or (effects == {Effect.CONFIGURE} and prepared.undo is not None)
    return scope is Scope.GOAL


def touched(prepared: Prepared) -> tuple[Resolved, ...]:
    """What the call acts on or goes to."""
    return tuple(thing for thing in prepared.resolved if thing.role in (Role.DESTINATION, Role.TARGET))


def _in_force(grant: Grant, goal: GoalRef, now: datetime) -> bool:
    if grant.given > now:
        return False
    return grant.scope is not Scope.GOAL or (bool(grant.goal) and grant.goal == goal.id)


def _same_tool(grant: Grant, prepared: Prepared) -> bool:
    tool = prepared.call.tool
    if grant.tool == tool:
        return True
    return grant.tool == tool.partition(".")[0] and prepared.effects == READING


def _only_named(grant: Grant, prepared: Prepared) -> bool:
    named = {argument: frozenset(values) for argument, values in grant.things}
    for thing in touched(prepared):
        if thing.argument in named:
            if thing.value not in named[thing.argument]:
                return False
        elif prepared.effects != READING:
            return False
    return prepared.effects == READING or bool(touched(prepared))


def _all_written_to(resolved: tuple[Resolved, ...]) -> bool:
    destinations = [thing for thing in resolved if thing.role is Role.DESTINATION]
    return bool(destinations) and all((thing.written_before or 0) > 0 for thing in destinations)
