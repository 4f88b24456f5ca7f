"""This program's own terminal, as lines."""

import os
import select
import sys
import termios
import time
from collections.abc import Callable

_SLICE = 0.2
_LINE = 4096
"""The most bytes of a line that a terminal hands over at once (MAX_CANON and more)."""


class Tty:
    """Reads and writes lines on standard input and output."""

    def write(self, text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    def read(self, prompt: str) -> str | None:
        """One typed line, or None at the end of input; what was typed before the question is dropped."""
        try:
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
            return input(prompt)
        except (EOFError, KeyboardInterrupt):
            return None
        except (termios.error, OSError):
            return None

    def read_within(self, prompt: str, seconds: float, unwanted: Callable[[], bool]) -> str | None:
        """Like `read`, but None if no line was finished in time, or as soon as it is unwanted."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        over = time.monotonic() + seconds
        try:
            stdin = sys.stdin.fileno()
            termios.tcflush(stdin, termios.TCIFLUSH)
            ready: list[int] = []
            while not ready and not unwanted() and (left := over - time.monotonic()) > 0:
                ready = select.select([stdin], [], [], min(left, _SLICE))[0]
            line = os.read(stdin, _LINE) if ready else b""
        except (termios.error, OSError, ValueError):
            line = b""
        if not line:
            self.write("")
            return None
        return line.decode("utf-8", "replace").rstrip("\r\n")


def present() -> bool:
    """True if a person can be asked here."""
    return sys.stdin.isatty() and sys.stdout.isatty()
