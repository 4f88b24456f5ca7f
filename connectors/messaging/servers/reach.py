"""Which of the usual names of mail servers there is really a server behind; nobody signs in to find out."""

import socket
import ssl
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

from connectors.messaging.server import Security
from connectors.messaging.servers.offer import PORTS, Offer, Said, Use
from connectors.trust import tls

_SECONDS: Final = 4.0
_GREETINGS: Final = {Use.MAILBOX: b"* OK", Use.SENDING: b"220"}
_NAMES: Final = {Use.MAILBOX: ("imap", "mail"), Use.SENDING: ("smtp", "mail")}
_SECURE: Final[tuple[Security, ...]] = ("tls", "starttls")


class Reach(Protocol):
    """What tells the servers that are there from those that are not."""

    def first(self, offers: Sequence[Offer]) -> Offer | None:
        """The first one that answers, or None; never raises."""
        ...


class Network:
    """Connects to all of them at once: with TLS and a certificate that is trusted, or up to a greeting."""

    def __init__(self, trusted: ssl.SSLContext | None = None, seconds: float = _SECONDS) -> None:
        self._trusted = trusted or tls()
        self._seconds = seconds

    def first(self, offers: Sequence[Offer]) -> Offer | None:
        if not offers:
            return None
        with ThreadPoolExecutor(len(offers)) as threads:
            answers = list(threads.map(self._answers, offers))
        return next((offer for offer, there in zip(offers, answers, strict=True) if there), None)

    def _answers(self, offer: Offer) -> bool:
        try:
            with socket.create_connection((offer.host, offer.port), timeout=self._seconds) as plain:
                if offer.security == "starttls":
                    return plain.recv(200).startswith(_GREETINGS[offer.use])
                with self._trusted.wrap_socket(plain, server_hostname=offer.host) as secure:
                    return secure.recv(200).startswith(_GREETINGS[offer.use])
        except (OSError, ValueError):
            return False


def guesses(use: Use, domain: str) -> Iterator[Offer]:
    """The names and ports that most domains have, the safest first."""
    for security in _SECURE:
        for name in (*(f"{each}.{domain}" for each in _NAMES[use]), domain):
            yield Offer(use, name, PORTS[use][security], security, Said.GUESSED)
