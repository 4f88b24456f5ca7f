"""One call as it is judged: what it would do, and all that was found out about it."""

from dataclasses import dataclass, replace

from connectors.base import Effect, Prepared, Resolved, Role, Tool
from permissions.coverage import touched
from permissions.words import Asker, Flag, GoalRef, Origin


@dataclass(frozen=True, slots=True)
class Case:
    """One call to be judged.

    `traced` has the origin of each of `prepared.resolved`, in that order; `flags` are those that only
    provenance can see; `repeated` says that this very deed has failed in this goal and nothing was mended.
    `tainted` says that foreign text has entered the model's context since the goal was typed,
    `service_in_plan` that the plan uses the call's service, and `sealed` that every value stood in the plan
    before anything was read.
    """

    tool: Tool
    prepared: Prepared
    traced: tuple[Origin, ...]
    asker: Asker
    in_plan: bool
    goal: GoalRef
    flags: frozenset[Flag] = frozenset()
    repeated: bool = False
    tainted: bool = False
    service_in_plan: bool = True
    sealed: bool = False

    @property
    def effects(self) -> frozenset[Effect]:
        """All that the call may do."""
        return self.prepared.effects


def whole(prepared: Prepared, tool: Tool) -> Prepared:
    """The call with all its effects: never less than its tool is declared to have."""
    if tool.effect in prepared.effects:
        return prepared
    return replace(prepared, effects=prepared.effects | {tool.effect})


def destinations(prepared: Prepared) -> tuple[Resolved, ...]:
    """Where a call goes to."""
    return tuple(thing for thing in prepared.resolved if thing.role is Role.DESTINATION)


def objects(prepared: Prepared) -> frozenset[str]:
    """The different values that a call touches."""
    return frozenset(thing.value for thing in touched(prepared))
