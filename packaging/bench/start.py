"""From the command to the first paint, and what importing costs, beside an empty Textual app and pydantic."""

import os
import pty
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rows import Row, median, timed

RUNS = 5
EMPTY_APP = "from textual.app import App; from textual.widgets import Static\n" + (
    "class A(App):\n  def compose(self): yield Static('Askfirst')\nA().run()"
)


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ,
            "ASKFIRST_HOME": home,
            "TERM": "xterm-256color",
            "COLUMNS": "80",
            "LINES": "24",
        }
        ours = [sys.executable, "-m", "tui.cli", "--demo"]
        painted = _paint(ours, environment)
        empty = _paint([sys.executable, "-c", EMPTY_APP], environment)
    core = "import assistant.session, permissions.gate, tui.line"
    return [
        timed("start to first paint", painted, empty, "an empty Textual app"),
        timed(
            "import of the core, no screen",
            _import(core),
            _import("import pydantic, sqlite3, asyncio"),
            "pydantic",
        ),
    ]


def _paint(command: list[str], environment: dict[str, str]) -> float:
    times = sorted(_first_paint(command, environment) for _ in range(RUNS))
    return times[RUNS // 2]


def _first_paint(command: list[str], environment: dict[str, str]) -> float:
    """Seconds until the word Askfirst stands on the screen of a real terminal."""
    ours, theirs = pty.openpty()
    began = time.perf_counter()
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""
    try:
        while b"Askfirst" not in seen:
            ready, _, _ = select.select([ours], [], [], 30)
            if not ready:
                raise TimeoutError(f"{command} painted nothing in 30 s")
            seen += os.read(ours, 65536)
        return time.perf_counter() - began
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _import(code: str) -> float:
    root = Path(__file__).resolve().parents[2]
    return median(lambda: subprocess.run([sys.executable, "-c", code], check=True, cwd=root), RUNS)
