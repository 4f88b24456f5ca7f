"""One turn at a time: it begins, may be stopped in two ways, and always ends with a word."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from textual.app import App
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from assistant.frontend import Frontend
from tui.front import Front
from tui.house import House
from tui.preparing import Preparation

Job = Callable[[Frontend], Awaitable[None]]


class Turns:
    """Runs a job of the house as the app's worker; `ended` is called after each."""

    def __init__(
        self,
        app: App[str],
        house: House,
        front: Front,
        preparation: Preparation,
        ended: Callable[[], None],
    ) -> None:
        self._app = app
        self._house = house
        self._front = front
        self._preparation = preparation
        self._ended = ended
        self._worker: Worker[None] | None = None

    @property
    def busy(self) -> bool:
        """True while a turn is going on."""
        return self._worker is not None and not self._worker.is_finished

    def start(self, job: Job, goal: str) -> None:
        """Begin a turn; the goal is seen at once, although the model may not be ready yet."""
        self._front.began(goal)
        self._worker = self._app.run_worker(self._run(job), group="turn", exit_on_error=False)
        self._app.refresh_bindings()

    def stop_softly(self) -> bool:
        """Begin no other call; a turn that has not begun its work ends at once. False if there is none."""
        if not self.busy:
            return False
        if self._front.started:
            self._house.stop_softly()
        else:
            self.stop_now()
        return True

    def stop_now(self) -> bool:
        """End the turn at once; False if there is none."""
        if self._worker is None or not self.busy:
            return False
        self._worker.cancel()
        return True

    async def end(self) -> None:
        """Stop, and wait until the turn is over."""
        if self._worker is not None and self.stop_now():
            with suppress(WorkerFailed, WorkerCancelled):
                await self._worker.wait()

    async def _run(self, job: Job) -> None:
        try:
            await self._preparation.ensure()
            await job(self._front)
        except asyncio.CancelledError:
            self._front.broke_off("Stopped at once.")
            raise
        except Exception as error:
            self._front.broke_off(str(error) or type(error).__name__)
        finally:
            self._front.broke_off("It ended without a word.")
            self._app.call_later(self._ended)
