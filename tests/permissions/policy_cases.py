"""Cases for the policy tests, made from a few words."""

from dataclasses import replace
from typing import Any

from connectors.base import Effect, Resolved, Role
from permissions.policy import Case, Policy, decide
from permissions.words import Asker, Grant, Origin, Ruling, Scope, Who
from tests.permissions.fakes import ANA, GOAL, NOW, prepared_for, tool_for

R, M, W, C, D, SH, S = (
    Effect.READ,
    Effect.MARK,
    Effect.WRITE,
    Effect.CONFIGURE,
    Effect.DELETE,
    Effect.SHARE,
    Effect.SEND,
)

UNDO = "it can be put back"

NONE = Policy()


def dest(value: str = ANA, written: int | None = 3) -> Resolved:
    return Resolved(Role.DESTINATION, "to", value, value, written)


def targets(count: int = 1, label: str = "thing") -> tuple[Resolved, ...]:
    return tuple(Resolved(Role.TARGET, "thing", f"{label}:{n}", f"{label} {n}") for n in range(count))


def case(
    effect: Effect = S,
    resolved: tuple[Resolved, ...] | None = None,
    who: Who | tuple[Who, ...] = Who.YOU,
    *,
    also: frozenset[Effect] = frozenset(),
    undo: str | None = None,
    **changes: Any,
) -> Case:
    """A case of one effect on some things, whose origins are all `who` or one by one."""
    things = resolved if resolved is not None else ((dest(),) if effect in (S, SH) else targets())
    prepared = prepared_for(f"messaging.{effect.value}", also | {effect}, things, {}, undo=undo)
    whos = who if isinstance(who, tuple) else (who,) * len(things)
    made = Case(tool_for(prepared, effect), prepared, tuple(map(Origin, whos)), Asker.PLAN, True, GOAL)
    return replace(made, **changes)


def grant_for(judged: Case, scope: Scope = Scope.GOAL) -> Grant:
    things: dict[str, list[str]] = {}
    for thing in judged.prepared.resolved:
        things.setdefault(thing.argument, []).append(thing.value)
    named = tuple((argument, tuple(values)) for argument, values in things.items())
    return Grant(judged.tool.name, named, scope, NOW, GOAL.id, judged.prepared.effects)


def ruled(judged: Case, *grants: Grant, policy: Policy = NONE) -> Ruling:
    return decide(judged, policy, grants, NOW)
