"""What was allowed and waits before it goes out, so that it can be taken back until then."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from permissions.report import note

Monotonic = Callable[[], float]
Pause = Callable[[float], Awaitable[object]]
Release = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Held:
    """One call that waits: the id of its request, what it will do, and when, by the wall clock.

    `ends` is the same moment on the clock that cannot be set; only that one counts.
    """

    id: str
    title: str
    until: datetime
    ends: float


class Outbox:
    """Lets each call wait for its time; needs a running event loop, and ends with it.

    `monotonic` gives seconds on a clock that nobody can set, `pause` waits for some of them.
    """

    def __init__(self, monotonic: Monotonic = time.monotonic, pause: Pause = asyncio.sleep) -> None:
        self.monotonic = monotonic
        self._pause = pause
        self._waiting: dict[str, tuple[Held, asyncio.Task[None]]] = {}
        self._going: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> tuple[Held, ...]:
        """What can still be taken back, the first to go out first."""
        return tuple(sorted((held for held, _ in self._waiting.values()), key=lambda held: held.ends))

    def left(self, held: Held) -> float:
        """The seconds until it goes out, never less than 0."""
        return max(held.ends - self.monotonic(), 0.0)

    def hold(self, held: Held, release: Release) -> None:
        """Let a call wait; when its time has come, it is released once."""
        task = asyncio.get_running_loop().create_task(self._wait(held, release))
        self._waiting[held.id] = (held, task)

    def take(self, id: str) -> Held | None:
        """Take a call out for good; None if it does not wait (any more)."""
        held, task = self._waiting.pop(id, (None, None))
        if task is not None:
            task.cancel()
        return held

    async def settled(self) -> None:
        """Wait until nothing waits and nothing is on its way."""
        while tasks := {*self._going, *(task for _, task in self._waiting.values())}:
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Release nothing more, and let what is on its way come to its end."""
        for id in list(self._waiting):
            self.take(id)
        if self._going:
            await asyncio.wait(set(self._going))

    async def _wait(self, held: Held, release: Release) -> None:
        while (rest := self.left(held)) > 0:
            await self._pause(rest)
        _, task = self._waiting.pop(held.id)
        self._going.add(task)
        try:
            await release()
        except Exception as error:  # What goes wrong with one call must not stop the others.
            note("releasing a call", error)
        finally:
            self._going.discard(task)
