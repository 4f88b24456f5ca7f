"""Does a permission or a standing no cover a call? By what they name only, and never past the floors."""

from datetime import datetime

from connectors.base import Effect, Prepared, Resolved, Role
from permissions.limits import within
from permissions.words import Ban, GoalRef, Grant, Scope

READING = frozenset({Effect.READ})
LASTING = frozenset({Effect.READ, Effect.MARK, Effect.WRITE, Effect.CONFIGURE})
"""What a call that undo can take back may do to be covered for longer than one goal."""
_ACTED_ON = (Role.DESTINATION, Role.TARGET)


def covers(grant: Grant, prepared: Prepared, goal: GoalRef, now: datetime) -> bool:
    """True if the grant is in force and the call does only what it allows, to only what it names."""
    return _in_force(grant, goal, now) and reaches(grant, prepared)


def reaches(grant: Grant, prepared: Prepared) -> bool:
    """True if the grant, while it is in force, covers this call.

    Every destination and target of a call that does more than read must be among the exact values that the
    grant names for its argument, or within its limits; a thing the grant does not name is not covered.
    """
    return (
        _same_tool(grant, prepared)
        and bool(prepared.effects)
        and prepared.effects <= grant.effects
        and may_last(grant.scope, prepared)
        and _only_named(grant, prepared)
    )


def may_last(scope: Scope, prepared: Prepared) -> bool:
    """False where no permission of this scope may exist, whoever gives it.

    Sharing, deleting for good, and sending to somebody never written to are asked every time; sends to
    people written to before, and putting in the trash, may be covered for one goal; longer than that only
    reading, and changes that undo can take back.
    """
    if scope is Scope.ONCE:
        return True
    effects = prepared.effects
    if Effect.SHARE in effects or (Effect.DELETE in effects and prepared.undo is None):
        return False
    if Effect.SEND in effects and not _all_written_to(prepared.resolved):
        return False
    if scope is Scope.GOAL:
        return True
    return effects == READING or (effects <= LASTING and prepared.undo is not None)


def bans(ban: Ban, prepared: Prepared, goal: GoalRef) -> bool:
    """True if the standing no is for this call: one thing of those it names is enough."""
    if ban.scope is Scope.GOAL and ban.goal != goal.id:
        return False
    tool = prepared.call.tool
    if ban.tool not in (tool, tool.partition(".")[0]):
        return False
    if not ban.things and not ban.limits:
        return True
    named = {argument: {value.casefold() for value in values} for argument, values in ban.things}
    return any(
        thing.value.casefold() in named.get(thing.argument, ())
        or any(within(limit, thing, generous=True) for limit in ban.limits)
        for thing in touched(prepared)
    )


def touched(prepared: Prepared) -> tuple[Resolved, ...]:
    """What the call acts on or goes to."""
    return tuple([thing for thing in prepared.resolved if thing.role in _ACTED_ON])


def _in_force(grant: Grant, goal: GoalRef, now: datetime) -> bool:
    if grant.given > now or (grant.expires is not None and grant.expires <= now):
        return False
    match grant.scope:
        case Scope.GOAL:
            return bool(grant.goal) and grant.goal == goal.id
        case Scope.UNTIL | Scope.ALWAYS:
            return grant.expires is not None
        case _:
            return True


def _same_tool(grant: Grant, prepared: Prepared) -> bool:
    tool = prepared.call.tool
    if grant.tool == tool:
        return True
    return grant.tool == tool.partition(".")[0] and prepared.effects == READING


def _only_named(grant: Grant, prepared: Prepared) -> bool:
    things = touched(prepared)
    if prepared.effects == READING and not grant.things and not grant.limits:
        return True
    return bool(things) and all(_is_named(grant, thing) for thing in things)


def _is_named(grant: Grant, thing: Resolved) -> bool:
    exact = any(argument == thing.argument and thing.value in values for argument, values in grant.things)
    return exact or any(within(limit, thing) for limit in grant.limits)


def _all_written_to(resolved: tuple[Resolved, ...]) -> bool:
    destinations = [thing for thing in resolved if thing.role is Role.DESTINATION]
    return bool(destinations) and all((thing.written_before or 0) > 0 for thing in destinations)
