"""When a key counts as an answer: not while somebody may still be typing something else."""

import sys
import time
from collections.abc import Callable

from textual import events

Clock = Callable[[], float]
"""Seconds that only go up."""

DEAD_TIME = 0.4
EARLY = "a moment: keys count once there was time to look"

_event_time: Clock = time.perf_counter if sys.platform == "win32" else time.monotonic


def key_name(display: str) -> str:
    """A key as it stands on the keyboard: "Esc", "F2", "Ctrl+Q", "y"."""
    names = {
        "esc": "Esc",
        "pgup": "PgUp",
        "pgdn": "PgDn",
        "⏎": "Enter",
        "space": "Space",
        "home": "Home",
        "end": "End",
    }
    if display.startswith("^") and len(display) > 1:
        return f"Ctrl+{display[1:].upper()}"
    if display[:1] == "f" and display[1:].isdigit():
        return display.upper()
    return names.get(display, display)


class Guard:
    """Keys are dead until `DEAD_TIME` seconds have passed since the question came into view.

    A key that comes too early starts the time anew, so a word being typed is never an answer however long
    it is. A key's time is when it was pressed, not when a busy program came round to it.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: float | None = None

    def appeared(self) -> None:
        """The question has just come into view."""
        self._since = self._clock()

    def hidden(self) -> None:
        """The question is out of view: no key answers it."""
        self._since = None

    @property
    def in_view(self) -> bool:
        """True if the question has come into view."""
        return self._since is not None

    @property
    def awake(self) -> bool:
        """True if a key pressed now would count."""
        return self._since is not None and self._clock() - self._since >= DEAD_TIME

    def lets_pass(self, event: events.Key) -> bool:
        """True if this key may answer."""
        if self._since is None:
            return False
        pressed = self._clock() - (_event_time() - event.time)
        if pressed - self._since >= DEAD_TIME:
            return True
        self._since = max(pressed, self._since)
        return False
