"""Runs one command of the system, with no shell, no input and a time limit."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from connectors.base import Needs
from connectors.clean import clean_line
from connectors.settings.device import DeviceError

_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Result:
    """How a command ended: its exit code, and what it wrote."""

    code: int
    out: str = ""
    err: str = ""

    def good(self) -> str:
        """What it wrote, if it ended well. Raises DeviceError."""
        if self.code == 0:
            return self.out.strip()
        said = clean_line((self.err or self.out).strip(), _SHOWN).rstrip(".")
        raise DeviceError(f"the system refused: {said or f'exit code {self.code}'}")


Run = Callable[[Sequence[str]], Awaitable[Result]]
"""Runs a command given as a list. Raises DeviceError where it cannot be run or does not end in time."""


class Commands:
    """Runs commands; `timeout` is in seconds, for each."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout

    async def __call__(self, command: Sequence[str]) -> Result:
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            raise DeviceError(f"the command {clean_line(command[0], _SHOWN)} cannot be run") from error
        try:
            async with asyncio.timeout(self._timeout):
                out, err = await process.communicate()
        except TimeoutError as error:
            text = f"the command {clean_line(command[0], _SHOWN)} does not end in time"
            raise DeviceError(text, Needs.TIMEOUT) from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return Result(process.returncode or 0, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))
