"""The transport over a submission server."""

import asyncio
import ssl
import time
from collections.abc import Callable, Sequence

from connectors.messaging.server import Server
from connectors.messaging.smtp.conversation import Stopped, hand_over, largest, signed_in
from connectors.messaging.transport import Delivery, Obstacle

_FRESH = 30.0


class SmtpTransport:
    """Sends by a server, as `sender`; `secret` fetches the password or token each time it is needed."""

    def __init__(
        self,
        server: Server,
        sender: str,
        secret: Callable[[], str],
        tls: ssl.SSLContext,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._server = server
        self._sender = sender
        self._secret = secret
        self._tls = tls
        self._clock = clock
        self._seen_well: float | None = None
        self.largest: int | None = None

    async def obstacle(self) -> Obstacle | None:
        """Sign in and out again; a good answer is believed for half a minute."""
        if self._seen_well is not None and self._clock() - self._seen_well < _FRESH:
            return None
        found = await asyncio.to_thread(self._look)
        self._seen_well = None if found else self._clock()
        return found

    async def send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
        return await asyncio.to_thread(self._send, message, recipients)

    def _look(self) -> Obstacle | None:
        try:
            with signed_in(self._server, self._secret, self._tls) as connection:
                self.largest = largest(connection)
                return None
        except Stopped as stopped:
            return stopped.obstacle

    def _send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
        try:
            with signed_in(self._server, self._secret, self._tls) as connection:
                return hand_over(connection, self._sender, recipients, message)
        except Stopped as stopped:
            self._seen_well = None
            return Delivery(obstacle=stopped.obstacle)
