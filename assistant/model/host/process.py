"""One run of the model's process, seen from outside."""

import asyncio
import contextlib
import signal
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.model.wire import Alive, Event, Ping, Request, decode_event, encode_request

# -P: what lies in the folder Askfirst was started in must not be taken for a module.
COMMAND = (sys.executable, "-P", "-m", "assistant.model.child")

_LONGEST_LINE = 16 * 1024 * 1024
_KEPT_LINES = 40
_LONGEST_WORDS = 300


class Silent(Exception):
    """The process is there but nothing comes of it; the text is a plain clause."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a process, in seconds.

    After `silence` it is asked whether it lives and has as long again to say so; one that lives may go on
    without a result for `work`.
    """

    silence: float = 15
    work: float = 300


class Process:
    """Sends requests and receives events; its output never reaches the terminal."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._listener = asyncio.create_task(self._listen(), name="model log")

    @classmethod
    async def start(cls, command: Sequence[str] = COMMAND) -> "Process":
        """Start it in a session of its own, so that Ctrl+C in the terminal is not for it. Raises OSError."""
        return cls(
            await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
                start_new_session=True,
            )
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def ended(self) -> bool:
        return self._process.returncode is not None

    def send(self, request: Request) -> None:
        """Queue a request; one to a process that has ended is lost, which `receive` then shows."""
        if self._process.stdin and not self._process.stdin.is_closing():
            self._process.stdin.write(encode_request(request))

    async def receive(self) -> Event | None:
        """The next event, or None once the process has ended."""
        assert self._process.stdout
        line = await self._process.stdout.readline()
        return decode_event(line) if line.endswith(b"\n") else None

    async def hear(self, patience: Patience) -> Event | None:
        """The next event, or None once the process has ended. Raises Silent."""
        waited, asked = 0.0, False
        while waited < patience.work:
            try:
                async with asyncio.timeout(patience.silence):
                    event = await self.receive()
            except TimeoutError:
                if asked:
                    raise Silent("does not answer") from None
                self.send(Ping())
                waited, asked = waited + patience.silence, True
                continue
            if not isinstance(event, Alive):
                return event
            asked = False
        raise Silent("comes to no result")

    async def last_words(self) -> str:
        """How the process ended and the last line it wrote, as one sentence."""
        code = await self._process.wait()
        with contextlib.suppress(asyncio.CancelledError):
            await self._listener
        how = f"it was ended by {_signal_name(-code)}" if code < 0 else f"it ended with code {code}"
        line = next((line for line in reversed(self._lines) if line.strip()), "")
        return f"{how}; its last line: {line.strip()[:_LONGEST_WORDS]}" if line else how

    async def kill(self) -> None:
        """End it now and wait until it is gone."""
        if self._process.stdin:
            self._process.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        await self._listener

    async def _listen(self) -> None:
        assert self._process.stderr
        while data := await self._process.stderr.read(65536):
            self._lines.extend(data.decode("utf-8", "replace").splitlines())


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
