"""The transport over a program that takes mail as sendmail does (msmtp, postfix, exim, nullmailer)."""

import asyncio
import shutil
from collections.abc import Sequence

from connectors.base import Needs
from connectors.clean import clean_line
from connectors.messaging.transport import Delivery, Obstacle

# sysexits.h: what a program that takes mail says by its exit code.
_MEANINGS = {
    64: (Needs.INVALID, "was called wrongly"),
    67: (Needs.INVALID, "does not know the address"),
    68: (Needs.OFFLINE, "cannot find the server"),
    69: (Needs.UNAVAILABLE, "is not available"),
    75: (Needs.OFFLINE, "cannot send just now"),
    77: (Needs.SIGNED_OUT, "may not send: the sign-in was refused"),
    78: (Needs.ACCOUNT, "is not set up"),
}


class SendmailTransport:
    """Runs `command` with `-i -f SENDER -- ADDRESS ...` and the message on its standard input, once.

    A program that breaks off by a signal, or that is given up on, has not said whether the message left.
    """

    def __init__(self, command: Sequence[str], sender: str) -> None:
        self._command = tuple(command)
        self._sender = sender

    async def obstacle(self) -> Obstacle | None:
        if shutil.which(self._command[0]) is None:
            name = clean_line(self._command[0], 80)
            return Obstacle(
                Needs.ACCOUNT, f"The program “{name}” that should send mail is not on this machine."
            )
        return None

    async def send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
        if missing := await self.obstacle():
            return Delivery(obstacle=missing)
        process = await asyncio.create_subprocess_exec(
            *self._command,
            *("-i", "-f", self._sender, "--", *recipients),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            _, said = await process.communicate(message)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == 0:
            return Delivery()
        if process.returncode is None or process.returncode < 0:
            raise RuntimeError("the program that sends mail was broken off")
        return Delivery(obstacle=self._refusal(process.returncode, said))

    def _refusal(self, code: int, said: bytes) -> Obstacle:
        name = clean_line(self._command[0].rpartition("/")[2], 80)
        needs, meaning = _MEANINGS.get(code, (Needs.UNAVAILABLE, f"ended with code {code}"))
        last = said.decode("utf-8", "replace").strip().rpartition("\n")[2]
        reason = f" ({clean_line(last, 200).rstrip('.')})" if last else ""
        return Obstacle(needs, f"{name} {meaning}{reason}; nothing was sent.")
