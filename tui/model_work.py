"""One piece of work on the models at a time, which goes on while the person looks elsewhere."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from assistant.model.base import ModelError
from connectors.config import ConfigError
from tui.model_state import Progress

Job = Callable[[Progress], Awaitable[str]]
"""Does the work, and says in a sentence what came of it."""


class ModelWork:
    """What is being done, how far it is, and what came of it; `heard` is told of every change.

    `heard` gets the sentence at the end, and an empty text while the work goes on.
    """

    def __init__(self, heard: Callable[[str], None]) -> None:
        self._heard = heard
        self._task: asyncio.Task[None] | None = None
        self.text = ""
        self.fraction: float | None = None
        self.said = ""

    @property
    def busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self, job: Job, stopped: Callable[[], str]) -> None:
        """Begin; `stopped` is what to say if it is cancelled. Nothing may be under way."""
        self.said, self.text, self.fraction = "", "beginning", None
        self._task = asyncio.create_task(self._run(job, stopped))
        self._heard("")

    def cancel(self) -> None:
        """Stop what is under way."""
        if self._task is not None:
            self._task.cancel()

    async def end(self) -> None:
        """Stop what is under way, and wait until it is; nobody is told."""
        self._heard = lambda said: None
        self.cancel()
        if self._task is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self, job: Job, stopped: Callable[[], str]) -> None:
        try:
            self.said = await job(self._progressed)
        except asyncio.CancelledError:
            self.said = stopped()
        except (ModelError, ConfigError) as error:
            self.said = str(error)
        except OSError as error:
            self.said = f"It could not be kept ({error.strerror or error})."
        self.text, self.fraction, self._task = "", None, None
        self._heard(self.said)

    def _progressed(self, text: str, fraction: float | None) -> None:
        self.text, self.fraction = text, fraction
        self._heard("")
