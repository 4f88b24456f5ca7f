"""Waiting for what comes about on another thread or in another process, but not for ever."""

import time
from collections.abc import Callable


def until(true: Callable[[], object], seconds: float = 30) -> None:
    """Look again and again until it is true; fails when it does not come about in so many seconds."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.01)
