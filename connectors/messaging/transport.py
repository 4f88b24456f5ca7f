"""How a message leaves this machine, or why it cannot."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable
from urllib.parse import quote

from connectors.base import Needs
from connectors.messaging.maildir.mailbox import Mailbox
from connectors.messaging.maildir.names import INBOX


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why nothing can be sent now: a code that a repair can be found for, and a plain sentence."""

    needs: Needs
    text: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a transport says of one message.

    `refused` names the addresses that were not accepted, with the reason in its own words (not cleaned).
    With an `obstacle` the message has certainly reached nobody.
    """

    refused: tuple[tuple[str, str], ...] = ()
    obstacle: Obstacle | None = None


NO_ACCOUNT = Obstacle(
    Needs.ACCOUNT, "No account for sending is set up, so nothing can be sent. It can be kept as a draft."
)


class Transport(Protocol):
    """A way out for messages."""

    async def obstacle(self) -> Obstacle | None:
        """Look, without sending anything, whether a message could leave now."""
        ...

    async def send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
        """Send exactly these bytes (RFC 5322, lines end in LF) once, and never try again by itself.

        Whatever it raises means that nobody knows whether the message has left.
        """
        ...


@runtime_checkable
class Traceable(Protocol):
    """A way out that can be asked afterwards."""

    async def delivered(self, message_id: str, recipients: Sequence[str]) -> bool | None:
        """True if the message reached somebody, False if it certainly reached nobody, None if unclear."""
        ...


@runtime_checkable
class Bounded(Protocol):
    """A way out that takes messages up to a size."""

    @property
    def largest(self) -> int | None:
        """The most bytes it takes, as far as is known after `obstacle`."""
        ...


class NoTransport:
    """No account is set up: nothing ever leaves."""

    async def obstacle(self) -> Obstacle | None:
        return NO_ACCOUNT

    async def send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
        return Delivery(obstacle=NO_ACCOUNT)


class LoopbackTransport:
    """Delivers into a Maildir for each recipient under a folder: a post office on this machine.

    `online` says whether it can be reached; `mailboxes` places the Maildirs of some addresses (lower case)
    elsewhere, such as one's own.
    """

    _OFFLINE = Obstacle(Needs.OFFLINE, "This machine is offline, so nothing can be sent.")

    def __init__(
        self, folder: Path, online: Callable[[], bool], mailboxes: Mapping[str, Path] | None = None
    ) -> None:
        self._folder = folder
        self._online = online
        self._mailboxes = dict(mailboxes or {})

    async def obstacle(self) -> Obstacle | None:
        return None if self._online() else self._OFFLINE

    async def send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
        if not self._online():
            return Delivery(obstacle=self._OFFLINE)
        return Delivery(await asyncio.to_thread(self._delivered, message, recipients))

    async def delivered(self, message_id: str, recipients: Sequence[str]) -> bool | None:
        return await asyncio.to_thread(self._has_reached, message_id, recipients)

    def _has_reached(self, message_id: str, recipients: Sequence[str]) -> bool | None:
        wanted = f"message-id: {message_id}".lower().encode()
        for address in recipients:
            box = Mailbox(self._place(address))
            try:
                if any(wanted in box.read(entry).lower() for entry in box.entries()):
                    return True
            except OSError:
                return None
        return False

    def _delivered(self, message: bytes, recipients: Sequence[str]) -> tuple[tuple[str, str], ...]:
        refused = []
        for address in recipients:
            try:
                Mailbox(self._place(address)).deliver(INBOX, message, flags="")
            except OSError as error:
                refused.append((address, error.strerror or "it could not be delivered"))
        return tuple(refused)

    def _place(self, address: str) -> Path:
        # A slash may stand in an address (RFC 5322 atext), and a folder must not begin with a dot.
        key = address.lower()
        return self._mailboxes.get(
            key, self._folder / quote(key, safe="@+-_.").replace(".", "%2E", key[:1] == ".")
        )
