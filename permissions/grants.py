"""Permissions in force, and those that may be given with a yes: kept in memory, as narrow as is useful."""

from collections.abc import Iterator
from datetime import datetime

from connectors.base import Effect, Prepared
from permissions.coverage import READING, covers, may_last, touched
from permissions.words import GoalRef, Grant, Key, Offer, Ruling, Scope, Verdict

__all__ = ["GrantBook", "covers", "offers"]

_SERVICES = {
    "calendar": "the calendar",
    "messaging": "messages that leaves them as they are",
    "files": "files",
    "settings": "settings",
}
_SPANS = {Scope.GOAL: "for this goal", Scope.SESSION: "for this session"}
_SHOWN = 3


class GrantBook:
    """The grants now in force; they end with the call, the goal or the process."""

    def __init__(self) -> None:
        self._grants: list[Grant] = []

    def __iter__(self) -> Iterator[Grant]:
        return iter(tuple(self._grants))

    def add(self, grant: Grant) -> None:
        if grant not in self._grants:
            self._grants.append(grant)

    def revoke(self, grant: Grant) -> None:
        """Take a grant back; calls it covered are asked again."""
        self._grants = [kept for kept in self._grants if kept != grant]

    def used(self, prepared: Prepared, goal: GoalRef, now: datetime) -> None:
        """Strike out the once-grant that covered this call, if it was one that did."""
        first = next((grant for grant in self._grants if covers(grant, prepared, goal, now)), None)
        if first is not None and first.scope is Scope.ONCE:
            self._grants.remove(first)

    def end_goal(self, goal: GoalRef) -> None:
        """Drop what was given for one goal."""
        self._grants = [kept for kept in self._grants if kept.scope is not Scope.GOAL or kept.goal != goal.id]

    def clear(self) -> None:
        """Take everything back."""
        self._grants = []


def offers(prepared: Prepared, ruling: Ruling, goal: GoalRef, now: datetime) -> tuple[Offer, ...]:
    """The grants that may go with a yes to this call, narrowest first; every one covers the call itself.

    None where a word must be typed or a rule of the person's asks, and none for a deed that happens once.
    """
    if ruling.verdict is not Verdict.ASK or ruling.key is Key.TYPED or ruling.rule.startswith("user."):
        return ()
    if Effect.DELETE in prepared.effects:
        return ()
    made = (_offer(scope, prepared, goal, now) for scope in _SPANS if may_last(scope, prepared))
    return tuple(offer for offer in made if covers(offer.grant, prepared, goal, now))


def _offer(scope: Scope, prepared: Prepared, goal: GoalRef, now: datetime) -> Offer:
    tool = prepared.call.tool
    goal_id = goal.id if scope is Scope.GOAL else ""
    if prepared.effects == READING:
        service = tool.partition(".")[0]
        words = f"any reading of {_SERVICES.get(service, service)}, {_SPANS[scope]}"
        return Offer(Grant(service, (), scope, now, goal_id, READING), words)
    grant = Grant(tool, _things(prepared), scope, now, goal_id, prepared.effects)
    return Offer(grant, f"{_doing(prepared)}, {_SPANS[scope]}")


def _things(prepared: Prepared) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The exact things the call touches, by argument."""
    named: dict[str, dict[str, None]] = {}
    for thing in touched(prepared):
        named.setdefault(thing.argument, {})[thing.value] = None
    return tuple((argument, tuple(values)) for argument, values in named.items())


def _doing(prepared: Prepared) -> str:
    """What a grant for these things allows: anything of the kind, with all that it may touch."""
    labels = list(dict.fromkeys(thing.label for thing in touched(prepared)))
    shown = ", ".join(labels[:_SHOWN])
    more = f" and {len(labels) - _SHOWN} more" if len(labels) > _SHOWN else ""
    return f"anything more that {prepared.preview.deed} (only {shown}{more})"
