"""How the terminal tells somebody who looks away that they are asked; it never says what is asked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tui.keys import Clock
from tui.signs import Signs

IDLE = "Askfirst"
WAITING = "Askfirst: waiting for you"
_SAVE = "\x1b[22;2t"
_RESTORE = "\x1b[23;2t"
_BELL = "\x07"
_NOTIFICATION = "\x1b]9;Askfirst is waiting for you\x07"
AWAY_AFTER = 20.0
"""Seconds without a key after which nobody is taken to look, where the terminal does not report its focus."""


class Attention:
    """Whether somebody looks: as the terminal reports its focus, or else by the last key."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._focused: bool | None = None
        self._pressed = clock()

    def focused(self, focused: bool) -> None:
        """The terminal has said that it has the focus, or has lost it."""
        self._focused = focused

    def pressed(self) -> None:
        """A key has come."""
        self._pressed = self._clock()

    @property
    def away(self) -> bool:
        """True if nobody seems to look."""
        if self._focused is None:
            return self._clock() - self._pressed >= AWAY_AFTER
        return not self._focused


class TerminalSignals:
    """Gives the signs that are wanted; `write` sends to the terminal, or does nothing where there is none."""

    def __init__(self, write: Callable[[str], None], attention: Attention, signs: Signs) -> None:
        self._write = write
        self._attention = attention
        self._wanted = signs

    def start(self) -> None:
        """Keep the title that was there, and set ours."""
        if self._wanted.title:
            self._write(_SAVE + _title(IDLE))

    def stop(self) -> None:
        """Give the terminal its title back."""
        if self._wanted.title:
            self._write(_RESTORE)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Say in the title that something waits until it does no more; call once, if nobody looks."""
        if self._attention.away:
            self._write(self._call())
        if self._wanted.title:
            self._write(_title(WAITING))
        try:
            yield
        finally:
            if self._wanted.title:
                self._write(_title(IDLE))

    def _call(self) -> str:
        return (_BELL if self._wanted.bell else "") + (_NOTIFICATION if self._wanted.notification else "")


def _title(text: str) -> str:
    return f"\x1b]2;{text}\x07"
