"""A signal from outside: the app ends in good order, and leaves the terminal as it was."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from permissions.outbox import Held
from tests.tui.fake_house import NOW
from tests.tui.stage import playing
from tests.waiting import until

ROOT = Path(__file__).parents[2]
LEAVES_THE_SCREEN = b"\x1b[?1049l"

pytestmark = pytest.mark.timeout(120)


@dataclass
class Running:
    """The app in a process of its own, on a terminal of its own."""

    process: subprocess.Popen[bytes]
    end: int
    seen: bytes = b""

    def read_until(self, marker: bytes, seconds: float = 60) -> None:
        over = time.monotonic() + seconds
        while marker not in self.seen:
            assert time.monotonic() < over, self.seen[-1000:]
            if select.select([self.end], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.end, 65536)
                except OSError:
                    return


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    end, other = pty.openpty()
    environment = {"ASKFIRST_HOME": str(tmp_path), "TERM": "xterm-256color", "PIP_NO_INDEX": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tui.cli", "--demo"],
        cwd=ROOT,
        env=os.environ | environment,
        stdin=other,
        stdout=other,
        stderr=other,
        start_new_session=True,
    )
    os.close(other)
    yield Running(process, end)
    process.kill()
    process.wait()
    os.close(end)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_told_to_end_the_app_gives_the_terminal_back_and_ends_well(
    number: signal.Signals, running: Running
) -> None:
    running.read_until(b"What shall I do?")
    running.process.send_signal(number)
    running.read_until(LEAVES_THE_SCREEN)
    assert running.process.wait(30) == 0


async def test_the_app_does_not_stand_aside_while_a_message_waits() -> None:
    async with playing(waiting=[Held("h1", "Send a message to Ana", NOW, 30.0)]) as stage:
        await stage.press("ctrl+z")
        await stage.until(lambda: "cannot stand aside" in stage.text)


def stopped(process: subprocess.Popen[bytes]) -> bool:
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="whether it stands still is read from /proc")
def test_the_app_stands_aside_and_paints_everything_anew_when_it_comes_back(running: Running) -> None:
    running.read_until(b"What shall I do?")
    os.write(running.end, b"\x1a")
    running.read_until(LEAVES_THE_SCREEN)
    until(lambda: stopped(running.process))
    running.seen = b""
    running.process.send_signal(signal.SIGCONT)
    running.read_until("╰".encode())
    running.read_until(b"quit")
    assert b"What shall I do?" in running.seen
    assert "╭".encode() in running.seen
