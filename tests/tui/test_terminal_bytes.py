"""What really reaches a terminal: the bytes of a whole run, on a pseudo-terminal."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
import unicodedata
from pathlib import Path

import pytest

from tests.tui.planted import PLANTED
from tui.keys import DEAD_TIME

ROOT = Path(__file__).parents[2]
OUR_SEQUENCES = re.compile(
    r"\x1b\[[0-9;:?<>=$]*[a-zA-Z]"  # CSI: colours, places, modes
    r"|\x1b\[\?[0-9]+\$p"
    r"|\x1b\]2;Askfirst(?:: waiting for you)?\x07"
    r"|\x1b\]9;Askfirst is waiting for you\x07"
    r"|\x1b\]22;[a-z-]*\x07"  # the shape of the mouse pointer
    r"|\x1b[=>78]"
    r"|\x1b_G[^\x1b]*\x1b\\"
)


class Terminal:
    """A child process on a terminal of its own, all of whose output is kept."""

    def __init__(self, *command: str, size: tuple[int, int]) -> None:
        self._end, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        env = os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self._child = subprocess.Popen(
            command, cwd=ROOT, env=env, stdin=other, stdout=other, stderr=other, start_new_session=True
        )
        os.close(other)
        self.output = b""

    def until(self, marker: str, since: int = 0, seconds: float = 30) -> int:
        """Read until the marker was written after the place `since`; returns where the output is then."""
        deadline = time.monotonic() + seconds
        while marker.encode() not in self.output[since:]:
            assert time.monotonic() < deadline, f"{marker!r} was not written: {self.output[-2000:]!r}"
            self._read(0.1)
        return len(self.output)

    def quiet(self, seconds: float = 0.3) -> int:
        """Read until nothing more has come for so long."""
        while self._read(seconds):
            pass
        return len(self.output)

    def press(self, keys: str) -> int:
        place = self.quiet()
        os.write(self._end, keys.encode())
        return place

    def press_until(self, keys: str, marker: str) -> None:
        """Press a key until it has counted: a key that comes too early starts the dead time anew."""
        place = self.quiet(2 * DEAD_TIME)
        for _ in range(30):
            os.write(self._end, keys.encode())
            self.quiet(2 * DEAD_TIME)
            if marker.encode() in self.output[place:]:
                return
        raise AssertionError(f"{marker!r} was not written: {self.output[-2000:]!r}")

    def _read(self, seconds: float) -> bool:
        if not select.select([self._end], [], [], seconds)[0]:
            return False
        try:
            part = os.read(self._end, 65536)
        except OSError:
            return False
        self.output += part
        return bool(part)

    def close(self) -> int:
        """Wait for the child to end; returns its exit code."""
        while self._child.poll() is None:
            self._read(0.1)
        self.quiet()
        return self._child.returncode

    def kill(self) -> None:
        """Leave nothing behind."""
        self._child.kill()
        self._child.wait()
        os.close(self._end)


@pytest.fixture(scope="module")
def output() -> str:
    """Everything written in a run that shows the planted text in every place."""
    terminal = Terminal(sys.executable, "-m", "tests.tui.planted", size=(100, 50))
    try:
        terminal.until("What shall I do?")
        terminal.press("hello\r")
        terminal.until("ASKFIRST ASKS")
        terminal.press_until("1", "no, because")
        terminal.press_until("w", "Why this is asked")
        for key in ("w", "v", "v", "a", "a", "N", "N", "z", "\x1b[B", "\x1b[6~"):
            terminal.press(key)
        terminal.press("\x1bOQ")  # F2
        terminal.until("Activity")
        terminal.press("\r")
        terminal.press("\x1bOS")  # F4
        terminal.until("Connectors")
        terminal.press("q")
        terminal.press_until("z", "no, because")
        terminal.press("\x1b[O")  # the terminal has lost the focus
        terminal.press_until("n", "one by one")
        for key in ("\x1b[6~", "w", "w", "2"):
            terminal.press(key)
        terminal.press("\x03")
        terminal.until("Stop")
        terminal.press("\x11")
        assert terminal.close() == 0
    finally:
        terminal.kill()
    return terminal.output.decode("utf-8", "strict")


@pytest.mark.parametrize("planted", PLANTED, ids=ascii)
def test_no_planted_sequence_reaches_the_terminal(output: str, planted: str) -> None:
    assert planted not in output


def test_the_planted_characters_were_shown_as_visible_escapes(output: str) -> None:
    for code in ("001B", "009B", "202E", "200B", "E0041", "2028", "0007"):
        assert f"⟨U+{code}⟩" in output


def test_all_that_commands_the_terminal_is_ours(output: str) -> None:
    rest = OUR_SEQUENCES.sub("", output)
    hidden = [c for c in rest if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")]
    assert set(hidden) <= set("\r\n\x07")
    assert hidden.count("\x07") == 1  # the bell, once the focus was lost


def test_the_desktop_is_told_once_and_not_of_what(output: str) -> None:
    assert re.findall(r"\x1b\]9;([^\x07\x1b]*)", output) == ["Askfirst is waiting for you"]


def test_the_title_never_says_what_is_asked(output: str) -> None:
    titles = set(re.findall(r"\x1b\][02];([^\x07\x1b]*)", output))
    assert titles == {"Askfirst", "Askfirst: waiting for you"}
