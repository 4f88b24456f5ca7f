"""Tries again what may work in a moment, and knows when to stop."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from assistant.model.hub.words import Again, Interrupted

T = TypeVar("T")

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Patience:
    """How often something is tried in a row without getting further, and for how long in seconds is waited.

    A hub that asks for a longer wait than `longest` is not waited for. `tell` hears why it is waited, as a
    clause.
    """

    tries: int = 6
    first: float = 1.0
    longest: float = 120.0
    sleep: Sleep = asyncio.sleep
    tell: Callable[[str], None] = lambda clause: None

    async def wait(self, failed: int, again: Again, subject: str, stays: str = "") -> None:
        """Wait after the `failed`-th failure in a row. Raises Interrupted where it is no use."""
        tell = f" {stays}" if stays else ""
        if again.wait is not None and again.wait > self.longest:
            minutes = -(-again.wait // 60)
            raise Interrupted(f"{subject}: {again}, for {minutes:.0f} minutes. Try again then.{tell}")
        if failed >= self.tries:
            raise Interrupted(f"{subject}: {again}. Try again later.{tell}")
        seconds = again.wait if again.wait is not None else self.first * 2 ** (failed - 1)
        self.tell(f"{again}, trying again in {seconds:.0f} s")
        await self.sleep(seconds)

    async def over(self, attempt: Callable[[], Awaitable[T]], subject: str) -> T:
        """What an attempt gives at last. Raises Interrupted when it fails too often."""
        failed = 0
        while True:
            try:
                return await attempt()
            except Again as again:
                failed += 1
                await self.wait(failed, again, subject)
