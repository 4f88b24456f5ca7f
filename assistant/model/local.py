"""A model on this machine: a dialect speaks, an engine computes."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from datetime import datetime

from assistant.model.base import Cut, Goal, Loading, Piece, Turn
from assistant.model.dialects.base import Dialect, Guard, Reader
from assistant.model.dialects.choice import dialect_for
from assistant.model.engine import Engine
from assistant.model.spec import ModelSpec
from assistant.model.wire import Ended, Event, Opened, Read, Ready, Said, Second, Sure
from connectors.base import Tool

READING = "reading"
STARTING = "starting"


class _TooLong:
    """The prompt does not fit into the context."""


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

    @property
    def name(self) -> str:
        return self._spec.title

    async def warm_up(self) -> None:
        """Load the model before it is needed; raises ModelError."""
        await self._engine.load()

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        if self._dialect.request(transcript, tools, Guard()) is None:
            return
        if not self._engine.ready:
            yield Loading(STARTING)
        ready = await self._engine.load()
        for skip in range(max(sum(isinstance(turn, Goal) for turn in transcript), 1)):
            fits = True
            async with aclosing(self._answer(transcript, tools, ready, skip)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, _TooLong):
                        fits = False
                    else:
                        yield piece
            if fits:
                return
        yield Cut(f"This is longer than {self._spec.title} can read at once.")

    async def _answer(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], ready: Ready, skip: int
    ) -> AsyncGenerator[Piece | _TooLong]:
        request = self._dialect.request(transcript, tools, Guard(ready.marks), skip)
        if request is None:
            return
        reader: Reader | None = None
        async with aclosing(self._engine.generate(request)) as events:
            async for event in events:
                if self._heard:
                    self._heard(event)
                if isinstance(event, Opened):
                    reader = self._dialect.reader(transcript, tools, ready, event.tail)
                elif isinstance(event, Ended) and event.reason == "full" and not event.tokens:
                    yield _TooLong()
                elif reader:
                    for piece in _pieces(event, reader):
                        yield piece

    async def close(self) -> None:
        await self._engine.close()


def open_model(spec: ModelSpec, clock: Callable[[], datetime]) -> LocalModel:
    """A model to talk to; it is loaded at the first request. The clock says the time to models that ask."""
    return LocalModel(spec, Engine(spec), dialect_for(spec, clock))


def _pieces(event: Event, reader: Reader) -> list[Piece]:
    match event:
        case Read(done=done, total=total) if done < total:
            return [Loading(READING, done / total)]
        case Said(text=text, mark=mark):
            return reader.feed(text, mark)
        case Sure() | Second():
            return reader.weigh(event)
        case Ended(reason=reason):
            return reader.end(reason)
    return []
