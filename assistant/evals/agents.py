"""Anchors to compare a model with: one that knows the answer, and one that does nothing."""

from collections.abc import AsyncGenerator, Sequence

from assistant.evals.scenario import Scenario
from assistant.model.base import Goal, NoToolFits, Piece, Turn, Wish
from connectors.base import Tool

ORACLE, NOTHING, KEYWORDS = "oracle", "nothing", "keywords"


class Oracle:
    """Says the gold calls of the scenario, but leaves to Askfirst what Askfirst repairs by itself."""

    name = ORACLE

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        if not isinstance(transcript[-1], Goal):
            return
        said = sum(isinstance(turn, Goal) for turn in transcript)
        gold = [call for call in self._scenario.say[said - 1].gold if call.ends != "repair"]
        for call in gold:
            yield Wish(call.tool, call.arguments if call.proposed is None else call.proposed)
        if not gold:
            yield NoToolFits()

    async def close(self) -> None:
        pass


class Nothing:
    """Never says anything."""

    name = NOTHING

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        said: tuple[Piece, ...] = ()
        for piece in said:
            yield piece

    async def close(self) -> None:
        pass
