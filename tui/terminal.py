"""The terminal's own title and bell; neither ever says what is asked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

IDLE = "Askfirst"
WAITING = "Askfirst: waiting for you"
_SAVE = "\x1b[22;2t"
_RESTORE = "\x1b[23;2t"


class TerminalTitle:
    """Sets the title while something waits; `write` sends to the terminal, `ring` rings its bell."""

    def __init__(self, write: Callable[[str], None], ring: Callable[[], None]) -> None:
        self._write = write
        self._ring = ring

    def start(self) -> None:
        """Keep the title that was there, and set ours."""
        self._write(_SAVE + _title(IDLE))

    def stop(self) -> None:
        """Give the terminal its title back."""
        self._write(_RESTORE)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Ring once, and say in the title that something waits, until it does no more."""
        self._ring()
        self._write(_title(WAITING))
        try:
            yield
        finally:
            self._write(_title(IDLE))


def _title(text: str) -> str:
    return f"\x1b]2;{text}\x07"
