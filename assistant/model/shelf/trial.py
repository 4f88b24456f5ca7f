"""Tries a model file once, in a process of its own, before it is taken in."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from assistant.model.base import ModelUnusable
from assistant.model.capacity.footprint import need_memory
from assistant.model.capacity.machine import available_memory
from assistant.model.host.engine import Engine
from assistant.model.shelf.catalogue import Installed, spec_at
from assistant.model.shelf.importing import import_model, is_starter
from assistant.model.spec import ModelSpec
from connectors.clean import clean_line

Stage = Callable[[str, float | None], None]

_CONTEXT = 512


async def try_model(spec: ModelSpec) -> None:
    """Load a model and let it compute once. Raises ModelError with the reason where it cannot."""
    await asyncio.to_thread(need_memory, spec, available_memory())
    engine = Engine(replace(spec, context=_CONTEXT))
    try:
        await engine.load()
    finally:
        await engine.close()


async def import_tried(path: Path, cache: Path, stage: Stage) -> Installed:
    """Take a file in if it can be used here: by its header, by the memory there is, and by loading it once.

    `stage` hears in words what is being done, and how far it is. Raises ModelError.
    """
    if not await asyncio.to_thread(is_starter, path):
        stage("trying it", None)
        await try_model(await asyncio.to_thread(spec_at, path))
    loop, stopped = asyncio.get_running_loop(), threading.Event()

    def copied(done: int, size: int) -> None:
        if stopped.is_set():
            raise ModelUnusable(f"{clean_line(path.name)} was not imported: it was stopped.")
        loop.call_soon_threadsafe(stage, "copying", done / max(size, 1))

    try:
        return await asyncio.to_thread(import_model, path, cache, copied)
    except asyncio.CancelledError:
        stopped.set()
        raise
