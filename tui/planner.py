"""The model in use: fetched if need be, loaded in the background, and spoken to once it is there."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from datetime import datetime
from pathlib import Path

from assistant.model.base import Loading, ModelError, Piece, Turn
from assistant.model.catalogue import find
from assistant.model.local import LocalModel, open_model
from assistant.model.starter import KEY, is_fetched
from assistant.model.starter.fetch import fetch_starter
from connectors.base import Tool
from tui.house import ModelState, Progress
from tui.settings import Settings


class Planner:
    """Implements `Model` by the model that the settings name; it is fetched and loaded when needed.

    Once loaded, it reads of the `tools` before the first goal is typed.
    """

    def __init__(
        self,
        settings: Settings,
        cache: Path,
        clock: Callable[[], datetime],
        tools: Callable[[], Sequence[Tool]] = tuple,
    ) -> None:
        self._settings = settings
        self._cache = cache
        self._clock = clock
        self._tools = tools
        self._lock = asyncio.Lock()
        self._model: LocalModel | None = None
        self.state = ModelState(settings.model, ready=False, text="not loaded yet")

    @property
    def name(self) -> str:
        return self._model.name if self._model else self._settings.model

    async def prepare(self, progress: Progress) -> None:
        """Fetch and load the model; does nothing if it is ready. Raises ModelError."""
        async with self._lock:
            if self._model is None:
                try:
                    await self._load(progress)
                except ModelError as error:
                    self.state = ModelState(self._settings.model, ready=False, text=str(error))
                    raise

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        if self._model is None:
            yield Loading("starting the model")
            await self.prepare(lambda stage, fraction: None)
        assert self._model is not None
        async with aclosing(self._model.respond(transcript, tools)) as pieces:
            async for piece in pieces:
                yield piece

    async def read_ahead(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> None:
        """Let the model read what is known of its next request; nothing if it is not loaded."""
        if self._model:
            await self._model.read_ahead(transcript, tools)

    async def close(self) -> None:
        if self._model:
            await self._model.close()

    async def _load(self, progress: Progress) -> None:
        if self._settings.model == KEY and not is_fetched(self._cache):
            self.state = ModelState(KEY, ready=False, text="being fetched")
            await fetch(self._cache, progress)
        spec = find(self._cache, self._settings.model)
        self.state = ModelState(spec.title, ready=False, text="loading")
        progress("loading the model", None)
        model = open_model(spec, self._clock)
        await model.warm_up(self._tools())
        self._model = model
        self.state = ModelState(spec.title, ready=True, text="ready")
        progress("ready", 1.0)


async def fetch(cache: Path, progress: Progress) -> None:
    """Bring the starter into the cache. Raises ModelError."""
    await fetch_starter(
        cache, lambda done, total: progress("fetching the starter model", done / max(total, 1))
    )
