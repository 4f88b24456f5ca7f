"""Prepared calls, and grants for them, that the tests of permissions are made of."""

from dataclasses import replace
from datetime import timedelta

from connectors.base import Effect, Prepared, Resolved, Role
from permissions.offers import offers
from permissions.words import GoalRef, Grant, Offer, Ruling, Scope, Verdict
from tests.permissions.fakes import ANA, GOAL, NOW, prepared_for

READ, WRITE, SEND = frozenset({Effect.READ}), frozenset({Effect.WRITE}), frozenset({Effect.SEND})
CONFIGURE, DELETE, SHARE = (
    frozenset({Effect.CONFIGURE}),
    frozenset({Effect.DELETE}),
    frozenset({Effect.SHARE}),
)
UNDO = "it can be put back"
OTHER = GoalRef("goal-2", "something else")
ASK = Ruling(Verdict.ASK, "ask.default", "no permission covers it yet")


def dest(value: str = ANA, written: int | None = 3, argument: str = "to") -> Resolved:
    return Resolved(Role.DESTINATION, argument, value, value, written)


def thing(value: str = "note:1", argument: str = "thing", role: Role = Role.TARGET) -> Resolved:
    return Resolved(role, argument, value, f"label of {value}")


def reading(*things: Resolved, tool: str = "calendar.list_events") -> Prepared:
    return prepared_for(tool, READ, things, {})


def writing(*things: Resolved, effects: frozenset[Effect] = WRITE, undo: str | None = UNDO) -> Prepared:
    return prepared_for("files.write", effects, things or (thing(),), {}, undo=undo)


def sending(*things: Resolved, effects: frozenset[Effect] = SEND) -> Prepared:
    return prepared_for("messaging.send", effects, things or (dest(),), {})


def setting(undo: str | None = UNDO) -> Prepared:
    return prepared_for("settings.set", CONFIGURE, (thing("wifi", "setting"),), {}, undo=undo)


def grant(prepared: Prepared, scope: Scope = Scope.GOAL, **changes: object) -> Grant:
    things: dict[str, list[str]] = {}
    for each in prepared.resolved:
        things.setdefault(each.argument, []).append(each.value)
    named = tuple((argument, tuple(values)) for argument, values in things.items())
    made = Grant(prepared.call.tool, named, scope, NOW, GOAL.id, prepared.effects)
    return replace(made, **changes)


EVERY = set(Scope) - {Scope.ONCE}
GOAL_ONLY = {Scope.GOAL}


def standing(prepared: Prepared, scope: Scope) -> Grant:
    """A grant that names all of a call, with an end far away."""
    return grant(prepared, scope, expires=NOW + timedelta(days=1))


def first_of(found: tuple[Offer, ...], scope: Scope) -> Offer:
    return next(offer for offer in found if offer.grant.scope is scope)


def words_of(prepared: Prepared, scope: Scope) -> list[str]:
    return [offer.words for offer in offers(prepared, ASK, GOAL, NOW) if offer.grant.scope is scope]
