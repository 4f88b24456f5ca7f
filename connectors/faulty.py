"""A service with faults put in on purpose, and a record of what it has done: for measuring, never for use."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from connectors.base import Call, Connector, Context, Needs, Outcome, Prepared, Question, Tool, failed


class FaultKind(StrEnum):
    """What goes wrong: it says no, it breaks before or after acting, or the world moves first."""

    REFUSES = "refuses"
    BREAKS = "breaks"
    BREAKS_AFTER = "breaks_after"
    WORLD_MOVES = "world_moves"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: at the first `times` performances of `tool`.

    A service that refuses answers with `needs` and `text`; where the world moves, `move` is called before it
    acts, after it has looked.
    """

    tool: str
    kind: FaultKind
    times: int = 1
    needs: Needs = Needs.UNAVAILABLE
    text: str = ""
    move: Callable[[], None] | None = None


class FaultyConnector:
    """Stands before a connector; `done` is what was carried out through it, in order."""

    def __init__(self, behind: Connector, faults: Sequence[Fault] = ()) -> None:
        self._behind = behind
        self._faults = faults
        self._struck = [0] * len(faults)
        self.done: list[Prepared] = []

    @property
    def name(self) -> str:
        return self._behind.name

    @property
    def tools(self) -> Sequence[Tool]:
        return self._behind.tools

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        return await self._behind.prepare(call, context)

    async def perform(self, prepared: Prepared) -> Outcome:
        fault = self._next(prepared.call.tool)
        if fault and fault.kind is FaultKind.REFUSES:
            return failed(fault.needs, fault.text or "This cannot be done just now.")
        if fault and fault.kind is FaultKind.BREAKS:
            raise RuntimeError(fault.text or "broken on purpose")
        if fault and fault.move:
            fault.move()
        outcome = await self._behind.perform(prepared)
        if outcome.ok:
            self.done.append(prepared)
        if fault and fault.kind is FaultKind.BREAKS_AFTER:
            raise RuntimeError(fault.text or "broken on purpose")
        return outcome

    def _next(self, tool: str) -> Fault | None:
        for at, fault in enumerate(self._faults):
            if fault.tool == tool and self._struck[at] < fault.times:
                self._struck[at] += 1
                return fault
        return None
