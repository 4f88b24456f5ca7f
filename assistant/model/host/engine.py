"""Keeps one model loaded in a process of its own, and starts it again when it has ended."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace
from pathlib import Path

from assistant.model.base import ModelLost, ModelUnusable
from assistant.model.capacity.machine import available_memory, cores
from assistant.model.host.hosting import Hosted
from assistant.model.host.process import COMMAND, Patience
from assistant.model.spec import ModelSpec
from assistant.model.wire import (
    Cancel,
    Chat,
    Count,
    Counted,
    Ended,
    Event,
    Failed,
    Generate,
    Prepare,
    Ready,
)

_CANCEL_SECONDS = 30


def spare_threads() -> int:
    """The cores this process may use but one, which is left to everything else."""
    return max(cores() - 1, 1)


class Engine:
    """One model, loaded at the first request; answers are given one after the other.

    Raises ModelUnusable when the file cannot be loaded and ModelLost when the process ends or hangs in the
    middle; the next request starts it again. `states` is a folder for what was read of the beginnings of
    prompts, so that another run need not read them again. What needs more memory than the bytes that are
    `free` is not loaded; None means that it is not known how many are.
    """

    def __init__(
        self,
        spec: ModelSpec,
        *,
        threads: int | None = None,
        states: Path | None = None,
        patience: Patience | None = None,
        free: Callable[[], int | None] = available_memory,
        command: Sequence[str] = COMMAND,
    ) -> None:
        threads = threads or spare_threads()
        self._host = Hosted(spec, threads, patience or Patience(), free, command)
        self._title = spec.title
        self._states = str(states.absolute()) if states else None
        self._closes = 0
        self._ids = 0
        self._unfinished: int | None = None
        self._ahead: int | None = None
        self._turn = asyncio.Lock()

    @property
    def ready(self) -> Ready | None:
        """What the loaded model said of itself; None while none is loaded."""
        return self._host.ready

    @property
    def plain(self) -> bool:
        """True if the model runs without the processor's special instructions, because with them it died."""
        return self._host.plain

    @property
    def pid(self) -> int | None:
        return self._host.pid

    async def load(self) -> Ready:
        """Load the model if it is not loaded."""
        async with self._turn:
            return await self._load()

    async def generate(self, request: Generate) -> AsyncGenerator[Event]:
        """The events of one answer up to `Ended`; closing the iterator cancels it. The engine sets the id."""
        async with self._turn:
            await self._load()
            await self._settle()
            self._ids += 1
            request = replace(request, id=self._ids)
            self._unfinished = request.id
            try:
                event = await self._open(request)
                yield event
                while not isinstance(event, Ended):
                    event = await self._next(request.id)
                    yield event
            finally:
                if self._unfinished is not None and self.ready:
                    self._host.send(Cancel(request.id))

    async def count(self, prompts: Sequence[str | Chat]) -> tuple[int, ...]:
        """How many tokens each prompt is; nothing is read for it."""
        async with self._turn:
            await self._load()
            await self._settle()
            self._ids += 1
            event = await self._open(Count(self._ids, tuple(prompts)))
            return event.tokens if isinstance(event, Counted) else ()

    async def prepare(self, prompt: Chat) -> None:
        """Have a conversation read as it will stand before the next goal; returns at once.

        Any request interrupts it and uses what was read by then. Does nothing while no model is loaded.
        """
        if self.ready:
            self._ids += 1
            self._ahead = self._ids
            self._host.send(Prepare(self._ids, prompt))

    async def prepared(self) -> None:
        """Wait until what was given to `prepare` last is read, or need not be. Raises ModelLost."""
        async with self._turn:
            while self._ahead is not None and self.ready:
                await self._hear()

    async def _open(self, request: Generate | Count) -> Event:
        """Send a request and await its first event; a process that was dead or hung is started again.

        The last time it is started without what is kept on disk, which may be what ended it.
        """
        closes = self._closes
        for states in (self._states, None):
            try:
                self._host.send(request)
                return await self._next(request.id)
            except ModelLost:
                if self._closes != closes:
                    raise
                await self._load_with(states)
            self._unfinished = request.id if isinstance(request, Generate) else None
        self._host.send(request)
        return await self._next(request.id)

    async def _next(self, id_: int) -> Event:
        """The next event of an answer; ModelUnusable if it cannot be given."""
        while True:
            event = await self._hear()
            if getattr(event, "id", None) != id_:
                continue
            if isinstance(event, Failed):
                raise ModelUnusable(f"{self._title} cannot answer: {event.text}.")
            return event

    async def close(self) -> None:
        """End the process; a request after this starts a new one."""
        self._closes += 1
        await self._host.end()

    async def _load(self) -> Ready:
        return await self._load_with(self._states)

    async def _load_with(self, states: str | None) -> Ready:
        if not self.ready:
            self._unfinished = self._ahead = None
        return await self._host.load(states)

    async def _hear(self) -> Event:
        """The next event; what it ends is no longer awaited. Raises ModelLost, and then nothing is."""
        try:
            event = await self._host.receive()
        except ModelLost:
            self._unfinished = self._ahead = None
            raise
        if isinstance(event, Ended | Failed):
            self._unfinished = None if event.id == self._unfinished else self._unfinished
            self._ahead = None if event.id == self._ahead else self._ahead
        return event

    async def _settle(self) -> None:
        """Wait for the end of a cancelled answer; if it does not come, start the process again."""
        try:
            async with asyncio.timeout(_CANCEL_SECONDS):
                while self._unfinished is not None:
                    await self._hear()
        except (TimeoutError, ModelLost):
            await self._host.end()
            await self._load()
