"""Runs what blocks on a thread that nobody has to wait for."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def aside(work: Callable[[], T]) -> T:
    """What some blocking work gives. Cancelled, or when the program ends, the work is left to itself.

    The usual executor's threads would be waited for at the end, however long a silent server takes.
    """
    loop = asyncio.get_running_loop()
    given: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if given.cancelled():
            return
        if error is None:
            given.set_result(value)  # type: ignore[arg-type]
        else:
            given.set_exception(error)

    def run() -> None:
        value, failed = None, None
        try:
            value = work()
        except Exception as error:
            failed = error
        # The loop is closed where nobody waits any more.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, value, failed)

    threading.Thread(target=run, daemon=True).start()
    return await given
