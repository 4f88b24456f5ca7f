"""This program's own terminal, as lines."""

import sys
import termios


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


def present() -> bool:
    """True if a person can be asked here."""
    return sys.stdin.isatty() and sys.stdout.isatty()
