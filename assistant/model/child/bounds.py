"""Bounds on foreign code: so much processor time and so much memory, and then it is over."""

import contextlib
import resource
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

_AGAIN = 0.05
_PAGE = resource.getpagesize()


class OutOfTime(Exception):
    """The code has used up its time."""


@contextlib.contextmanager
def bounded(seconds: float, memory: int) -> Iterator[None]:
    """Run the body for at most so many seconds of the processor and with so many bytes more than there are.

    Raises OutOfTime, and MemoryError as Python does. Time is bounded in the main thread only, memory only
    where the system says how much there is in use.
    """
    with _short_of_memory(memory), _short_of_time(seconds):
        yield


@contextlib.contextmanager
def _short_of_time(seconds: float) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _stop)
    # Again and again, because the code may catch what is raised in the middle of it.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextlib.contextmanager
def _short_of_memory(memory: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = _in_use() + memory
    if most == memory or (soft != resource.RLIM_INFINITY and soft < most):
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _in_use() -> int:
    """Bytes of address space in use; 0 where that is not known."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * _PAGE
    except (OSError, ValueError, IndexError):
        return 0


def _stop(number: int, frame: FrameType | None) -> None:
    raise OutOfTime
