"""A mail server that somebody says an address belongs to."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from connectors.messaging.server import IMAP_PORTS, SMTP_PORTS, Security


class Said(StrEnum):
    """Who says so: a provider of whom it is known, the domain's DNS or its settings, or nobody."""

    KNOWN = "known"
    DNS = "dns"
    SETTINGS = "settings"
    GUESSED = "guessed"


class Use(StrEnum):
    """What a server is for."""

    MAILBOX = "imap"
    SENDING = "smtp"


PORTS: Final = {Use.MAILBOX: IMAP_PORTS, Use.SENDING: SMTP_PORTS}


@dataclass(frozen=True, slots=True)
class Offer:
    """A server: its host in ASCII, port and way of encrypting; `user` is whom to sign in as, if told."""

    use: Use
    host: str
    port: int
    security: Security
    said: Said
    user: str = ""

    @property
    def typed(self) -> str:
        """The server as a person would type it."""
        return self.host if PORTS[self.use]["tls"] == self.port else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Offers:
    """The server of the mailbox and the one for sending, if found; `notes` are for the person."""

    mailbox: Offer | None = None
    sending: Offer | None = None
    notes: tuple[str, ...] = ()


class FindServers(Protocol):
    """What finds the servers of an address."""

    def find(self, address: str) -> Offers:
        """The two servers of an address. Never raises."""
        ...
