"""A model on this machine: a dialect speaks, an engine computes."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from datetime import datetime
from functools import partial

from assistant.model.answering import READING, Answering
from assistant.model.base import Cut, Goal, Loading, Piece, Turn
from assistant.model.dialects.base import Dialect, Guard
from assistant.model.dialects.chat import ChatDialect
from assistant.model.dialects.choice import dialect_for
from assistant.model.host.engine import Engine
from assistant.model.spec import ModelSpec
from assistant.model.talking import Talk
from assistant.model.wire import Event, Ready
from connectors.base import Tool

STARTING = "starting"
_PATIENCE = 5.0

log = logging.getLogger(__name__)

__all__ = ["READING", "STARTING", "LocalModel", "open_model"]


class LocalModel:
    """Implements `Model` for one model file; closing an answer early cancels it in the model's process.

    `heard` is given everything that comes from that process for an answer.
    """

    def __init__(
        self, spec: ModelSpec, engine: Engine, dialect: Dialect, heard: Callable[[Event], None] | None = None
    ) -> None:
        self._spec = spec
        self._engine = engine
        self._dialect = dialect
        self._heard = heard
        self._talk = Talk(spec.title, engine, dialect, heard) if isinstance(dialect, ChatDialect) else None

    @property
    def name(self) -> str:
        return self._spec.title

    async def warm_up(self, tools: Sequence[Tool] | None = None) -> None:
        """Load the model before it is needed, and let it read of the tools; raises ModelError."""
        await self._engine.load()
        if tools:
            await self.read_ahead((), tools)

    async def read_ahead(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> None:
        """Let the model read what is known of its next request; nothing if it is not loaded, or is slow."""
        if not self._talk or not (ready := self._engine.ready):
            return
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._talk.read_ahead(transcript, tools, ready)
        except TimeoutError:
            log.warning("the model did not say in time how long its tools are")

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        if self._dialect.request(transcript, tools, Guard()) is None:
            return
        if not self._engine.ready:
            yield Loading(STARTING)
        ready = await self._engine.load()
        answer = self._talk.answer if self._talk else self._plain
        async with aclosing(answer(transcript, tools, ready)) as pieces:
            async for piece in pieces:
                yield piece

    async def close(self) -> None:
        await self._engine.close()

    async def _plain(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], ready: Ready
    ) -> AsyncGenerator[Piece]:
        """Ask for an answer; while the prompt is too long, without the oldest goals, of which few matter."""
        for skip in range(max(sum(isinstance(turn, Goal) for turn in transcript), 1)):
            request = self._dialect.request(transcript, tools, Guard(ready.marks), skip)
            if request is None:
                return
            answering = Answering(self._engine, self._heard)
            reader_for = partial(self._dialect.reader, transcript, tools, ready)
            async with aclosing(answering.pieces(request, reader_for)) as pieces:
                async for piece in pieces:
                    yield piece
            if not answering.too_long:
                return
        yield Cut(f"This is longer than {self._spec.title} can read at once.")


def open_model(spec: ModelSpec, clock: Callable[[], datetime]) -> LocalModel:
    """A model to talk to; it is loaded at the first request. The clock says the time to models that ask."""
    return LocalModel(spec, Engine(spec), dialect_for(spec, clock))
