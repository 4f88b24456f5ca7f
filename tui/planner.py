"""The model in use: fetched if need be, loaded in the background, and exchanged without a restart."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from datetime import datetime
from pathlib import Path

from assistant.model.base import Loading, ModelError, ModelUnusable, Piece, Turn
from assistant.model.dialects.choice import dialect_for
from assistant.model.host.engine import Engine
from assistant.model.local import LocalModel
from assistant.model.shelf.catalogue import find
from assistant.model.spec import ModelSpec
from assistant.model.starter import KEY, is_fetched
from assistant.model.starter.fetch import fetch_starter
from connectors.base import Tool
from tui.model_sources import tuning_of
from tui.model_state import ModelState, Progress
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
        self._exchanging = False
        self._answers = 0
        self.state = ModelState(settings.model, ready=False, text="not loaded yet")

    @property
    def name(self) -> str:
        return self._model.name if self._model else self._settings.model

    @property
    def key(self) -> str:
        """The key or the path of the model in use."""
        return self._settings.model

    async def prepare(self, progress: Progress) -> None:
        """Fetch and load the model; does nothing if it is ready. Raises ModelError."""
        async with self._lock:
            if self._model is None:
                await self._load(self._settings, progress)

    async def exchange(self, settings: Settings, progress: Progress) -> None:
        """Use the model that these settings name; an answer that is asked for meanwhile is its own.

        Raises ModelError where an answer is under way, or the model cannot be loaded; then the one before is
        loaded again.
        """
        if self._answers:
            raise ModelUnusable("The model is answering. Use another when this goal has ended.")
        self._exchanging = True
        try:
            await self._exchange(settings, progress)
        finally:
            self._exchanging = False

    async def _exchange(self, settings: Settings, progress: Progress) -> None:
        async with self._lock:
            spec = await asyncio.to_thread(_spec, settings, self._cache)
            before = self.state.name
            self.state = ModelState(spec.title, ready=False, text="loading")
            await self._unload()
            try:
                await self._load(settings, progress)
            except ModelError:
                with suppress(ModelError):
                    await self._load(self._settings, progress)
                raise
            except BaseException:
                self.state = ModelState(before, ready=False, text="not loaded")
                raise
            self._settings = settings

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        if self._model is None or self._exchanging:
            yield Loading("starting the model")
            await self.prepare(lambda stage, fraction: None)
        assert self._model is not None
        self._answers += 1
        try:
            async with aclosing(self._model.respond(transcript, tools)) as pieces:
                async for piece in pieces:
                    yield piece
        finally:
            self._answers -= 1

    async def read_ahead(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> None:
        """Let the model read what is known of the next request; nothing if it is not loaded."""
        if self._model is not None:
            await self._model.read_ahead(transcript, tools)

    async def close(self) -> None:
        if self._model:
            await self._model.close()

    async def _unload(self) -> None:
        model, self._model = self._model, None
        if model:
            await model.close()

    async def _load(self, settings: Settings, progress: Progress) -> None:
        try:
            if settings.model == KEY and not is_fetched(self._cache):
                self.state = ModelState(KEY, ready=False, text="being fetched")
                await fetch(self._cache, progress)
            spec = await asyncio.to_thread(_spec, settings, self._cache)
            self.state = ModelState(spec.title, ready=False, text="loading")
            progress("loading the model", None)
            self._model = await self._loaded(spec, settings.threads, progress)
        except ModelError as error:
            self.state = ModelState(settings.model, ready=False, text=str(error))
            raise
        self.state = ModelState(spec.title, ready=True, text="ready")
        progress("ready", 1.0)

    async def _loaded(self, spec: ModelSpec, threads: int | None, progress: Progress) -> LocalModel:
        """The model, ready to answer; its process is ended where that fails or is cancelled."""
        engine = Engine(spec, threads=threads, states=self._cache / "states")
        model = LocalModel(spec, engine, dialect_for(spec, self._clock))
        try:
            await model.warm_up()
            progress("reading of the tools", None)
            await model.read_ahead((), self._tools())
        except BaseException:
            await model.close()
            raise
        return model


def _spec(settings: Settings, cache: Path) -> ModelSpec:
    return find(cache, settings.model, tuning=tuning_of(settings, settings.model))


async def fetch(cache: Path, progress: Progress) -> None:
    """Bring the starter into the cache. Raises ModelError."""
    await fetch_starter(
        cache, lambda done, total: progress("fetching the starter model", done / max(total, 1))
    )
