"""`askfirst connect`: sets up a service by questions on this terminal."""

import getpass
import sys
import termios
import warnings
from collections.abc import Sequence

from connectors.secrets.base import Secret
from tui.tty import Tty


class LineAsker:
    """Asks on this terminal, one line after the other; a secret is typed unseen or not at all."""

    def __init__(self, tty: Tty) -> None:
        self._tty = tty

    def say(self, text: str) -> None:
        self._tty.write(text)

    def ask(self, question: str, usual: str = "") -> str | None:
        answer = self._tty.read(f"{question} [{usual}] " if usual else f"{question} ")
        return answer if answer is None else answer.strip() or usual

    def ask_secret(self, question: str) -> Secret | None:
        with warnings.catch_warnings():
            # Where the terminal cannot hide what is typed, the library would only warn and show it.
            warnings.simplefilter("error", getpass.GetPassWarning)
            try:
                return Secret(getpass.getpass(question, stream=sys.stdout))
            except (EOFError, KeyboardInterrupt, getpass.GetPassWarning, termios.error, OSError):
                return None

    def pick(self, question: str, options: Sequence[str]) -> Sequence[int] | None:
        for number, option in enumerate(options, start=1):
            self._tty.write(f"  {number}  {option}")
        while True:
            answer = self._tty.read(f"{question} ")
            if answer is None:
                return None
            words = answer.replace(",", " ").split()
            if all(word.isdigit() and 1 <= int(word) <= len(options) for word in words):
                return [int(word) - 1 for word in words]
            self._tty.write(f"Numbers from 1 to {len(options)}, please.")

    def begin_writing(self) -> None:
        """Whoever asks line by line has all the answers by now."""
