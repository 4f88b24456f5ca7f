"""Waiting for something a service does: in time, to the end even if the waiter is cancelled, and honestly."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from connectors.base import Outcome

_GRACE = 1.0


@dataclass(frozen=True, slots=True)
class Watched:
    """How the waiting ended: with an outcome, an error, or neither in time.

    `cancelled` says that the waiter was told to stop meanwhile and must pass that on.
    """

    task: asyncio.Task[Outcome]
    outcome: Outcome | None = None
    error: BaseException | None = None
    cancelled: bool = False

    @property
    def late(self) -> bool:
        """True if it still runs, so that its outcome may come after all."""
        return not self.task.done()


async def watch(deed: Coroutine[Any, Any, Outcome], seconds: float, *, shielded: bool) -> Watched:
    """Run a deed for at most `seconds`, then ask it to stop and give it a moment to say how far it came.

    Shielded, a first cancellation of the waiter lets the deed go on to its end; a second one does not.
    """
    task = asyncio.ensure_future(deed)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    cancels = 0
    while not task.done() and loop.time() < deadline and cancels < (2 if shielded else 1):
        try:
            await asyncio.wait({task}, timeout=deadline - loop.time())
        except asyncio.CancelledError:
            cancels += 1
    cancelled = cancels > 0
    if not task.done():
        task.cancel()
        cancelled |= await _settle(task)
    return _result(task, cancelled)


async def _settle(task: asyncio.Task[Outcome]) -> bool:
    """Wait a moment for a task that was told to stop; true if the waiter was cancelled over it."""
    try:
        await asyncio.wait({task}, timeout=_GRACE)
    except asyncio.CancelledError:
        return True
    return False


def _result(task: asyncio.Task[Outcome], cancelled: bool) -> Watched:
    if not task.done() or task.cancelled():
        return Watched(task, cancelled=cancelled)
    if error := task.exception():
        return Watched(task, error=error, cancelled=cancelled)
    outcome = task.result()
    if isinstance(outcome, Outcome):
        return Watched(task, outcome=outcome, cancelled=cancelled)
    return Watched(task, error=TypeError("a service gave no outcome"), cancelled=cancelled)
