"""A service under its name for good, whatever stands behind it now."""

from collections.abc import Sequence

from connectors.base import (
    Arguments,
    Call,
    Connector,
    Context,
    Effect,
    Needs,
    Outcome,
    Prepared,
    Prober,
    Question,
    Tool,
    failed,
)

_NOTHING = frozenset[Effect]()


class Live:
    """Hands every call to the connector of now; what the settings rule out is refused, even to that one.

    What is ruled out may change at any moment, on any thread; the connector, and with it what is offered,
    only while no call is under way. What was done on trial may be taken back all the same.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.now: Connector | None = None
        self._stops = self._hidden = _NOTHING
        self._why = ""
        self._owed: list[tuple[str, Arguments]] = []

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that the settings have left when it was last exchanged; none without a connector."""
        there = self.now.tools if self.now else ()
        return tuple(tool for tool in there if tool.effect not in self._hidden)

    @property
    def stops(self) -> frozenset[Effect]:
        """The effects that are ruled out."""
        return self._stops

    def stop(self, effects: frozenset[Effect], why: str = "") -> None:
        """Rule out exactly these, from now on; `why` is a sentence for whoever meets it."""
        self._stops, self._why = effects, why

    def exchange(self, connector: Connector, stops: frozenset[Effect]) -> None:
        """Put another connector in the place of the one there was."""
        self.now, self._hidden, self._owed = connector, stops, []
        self.stop(stops)

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        tool = self._tool(call.tool)
        if self.now is None or tool is None:
            return failed(Needs.UNSUPPORTED, f"The {self.name} service cannot do that now.")
        if self._is_owed(call):
            return await self.now.prepare(call, context)
        found = self._refused({tool.effect}) or await self.now.prepare(call, context)
        return (self._refused(found.effects) or found) if isinstance(found, Prepared) else found

    async def perform(self, prepared: Prepared) -> Outcome:
        if self.now is None:
            return failed(Needs.UNAVAILABLE, f"The {self.name} service is off.")
        refused = None if self._is_owed(prepared.call) else self._refused(prepared.effects)
        if refused is None and prepared.trial:
            self._owed.append((prepared.trial.back.tool, dict(prepared.trial.back.arguments)))
        return refused or await self.now.perform(prepared)

    async def probe(self, tool: str, mark: Arguments) -> Outcome | None:
        return await self.now.probe(tool, mark) if isinstance(self.now, Prober) else None

    def _is_owed(self, call: Call) -> bool:
        return (call.tool, dict(call.arguments)) in self._owed

    def _tool(self, name: str) -> Tool | None:
        there = self.now.tools if self.now else ()
        return next((tool for tool in there if tool.name == name), None)

    def _refused(self, effects: frozenset[Effect] | set[Effect]) -> Outcome | None:
        """Why effects are ruled out, or None."""
        if self._stops.isdisjoint(effects):
            return None
        if self._why:
            return failed(Needs.READ_ONLY, self._why)
        file = f"{self.name}.toml"
        if Effect.READ in self._stops:
            return failed(Needs.UNAVAILABLE, f"Not done: {file} turns the {self.name} service off.")
        if Effect.WRITE in self._stops:
            return failed(Needs.READ_ONLY, f"Not done: {file} lets the {self.name} service only read.")
        return failed(Needs.READ_ONLY, f"Not done: {file} lets the {self.name} service send nothing.")
