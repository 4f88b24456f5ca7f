"""Stands before a model and counts what it says and what that costs."""

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from assistant.model.base import Garbled, Model, Piece, Turn, Wish
from connectors.base import Tool

Tokens = Callable[[], int]
"""How many tokens a model has read and written so far."""


@dataclass(slots=True)
class Count:
    """What was counted: wishes, those of them said before, and answers that cannot be read.

    `seconds` are those in which the model was at work; `tokens` are those it has read anew and written.
    """

    wishes: int = 0
    repeated: int = 0
    garbled: int = 0
    seconds: float = 0.0
    tokens: int = 0
    said: set[str] = field(default_factory=set)


class MeteredModel:
    """Implements `Model` by another; `count` is of everything it has said since the last `reset`."""

    def __init__(self, model: Model, tokens: Tokens = lambda: 0) -> None:
        self._model = model
        self._tokens = tokens
        self.count = Count()

    @property
    def name(self) -> str:
        return self._model.name

    def reset(self) -> None:
        self.count = Count()

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        count, began, tokens = self.count, time.perf_counter(), self._tokens()
        async with aclosing(self._model.respond(transcript, tools)) as pieces:
            async for piece in pieces:
                self._take(piece)
                count.seconds += time.perf_counter() - began
                yield piece
                began = time.perf_counter()
        count.seconds += time.perf_counter() - began
        count.tokens += self._tokens() - tokens

    async def close(self) -> None:
        await self._model.close()

    def _take(self, piece: Piece) -> None:
        if isinstance(piece, Garbled):
            self.count.garbled += 1
        elif isinstance(piece, Wish):
            said = f"{piece.tool} {sorted(piece.arguments.items())!r}"
            self.count.wishes += 1
            self.count.repeated += said in self.count.said
            self.count.said.add(said)
