"""Takes over changed settings of the services between the goals, and never in the middle of one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from tui.services import Services

log = logging.getLogger(__name__)


class Reloading:
    """Counts what is under way; `held` says if something waits to go out, `tell` says what was done.

    `after` is awaited once something was taken over.
    `look` may be called on any thread; all else on the event loop that `begin` was called on.
    """

    def __init__(
        self,
        services: Services,
        held: Callable[[], bool],
        tell: Callable[[str], object],
        after: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        self._services = services
        self._held = held
        self._tell = tell
        self._after = after
        self._under_way = 0
        self._lock = asyncio.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """From now on settings are taken over as soon as nothing is under way."""
        self._loop = asyncio.get_running_loop()

    def look(self) -> None:
        """See what the files say by now; what they rule out holds at once."""
        for running in self._services.look():
            if running.fault:
                self._tell(running.fault)
            elif running.waits and not self._idle():
                self._tell(f"{running.name}.toml was changed; it is taken over after this goal.")
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._soon)

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Something is being done; nothing is exchanged meanwhile."""
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            self._soon()

    async def settled(self) -> None:
        """Wait until what can be taken over now has been."""
        async with self._lock:
            told = await self._services.exchange(self._idle)
            for text in told:
                self._tell(text)
            if told and self._after:
                await self._after()

    def end(self) -> None:
        """Take nothing over any more."""
        self._loop = None
        if self._task is not None:
            self._task.cancel()

    def _idle(self) -> bool:
        return not self._under_way and not self._held()

    def _soon(self) -> None:
        if self._loop is not None and self._idle():
            self._task = self._loop.create_task(self._exchange())

    async def _exchange(self) -> None:
        try:
            await self.settled()
        except Exception:  # What goes wrong here must not stop what the person does.
            log.exception("changed settings could not be taken over")
