"""The mailbox and the way out that the settings name."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from connectors.messaging.config import Account, Config
from connectors.messaging.connector import MessagingConnector
from connectors.messaging.imap.cache import Cache
from connectors.messaging.imap.connection import Connection
from connectors.messaging.imap.mailbox import ImapMailbox
from connectors.messaging.mailbox import Box
from connectors.messaging.maildir.mailbox import Mailbox
from connectors.messaging.records import short_hash
from connectors.messaging.sendmail import SendmailTransport
from connectors.messaging.server import Security, tls
from connectors.messaging.smtp.transport import SmtpTransport
from connectors.messaging.transport import NoTransport, Transport
from connectors.people import AddressBook
from connectors.secrets.base import Secret
from connectors.secrets.settings import SecretSource

IMAP_PORTS: Final[dict[Security, int]] = {"tls": 993, "starttls": 143, "none": 143}
SMTP_PORTS: Final[dict[Security, int]] = {"tls": 465, "starttls": 587, "none": 25}

FindSecret = Callable[[str, SecretSource | None], Secret]
"""Finds the secret of a name such as `messaging/imap`. Raises SecretError."""


def messaging(
    folder: Path, state: Path, config: Config, book: AddressBook, secrets: FindSecret
) -> MessagingConnector:
    """The service with the mailbox on its server, or else in `folder`. Nothing is connected to yet."""
    transport = way_out(config, secrets)
    if config.imap is None:
        return local(folder, state, config, book, transport)
    return MessagingConnector(_on_server(state, config, config.imap, secrets), state, config, book, transport)


def local(
    folder: Path, state: Path, config: Config, book: AddressBook, transport: Transport
) -> MessagingConnector:
    """The service with a Maildir on this machine, whatever way out it has."""
    return MessagingConnector(Mailbox(folder), state, config, book, transport)


def way_out(config: Config, secrets: FindSecret) -> Transport:
    """How messages leave."""
    if config.sendmail:
        return SendmailTransport(config.sendmail, config.address)
    if config.smtp is None:
        return NoTransport()
    server = config.smtp.server(SMTP_PORTS, config.address)
    context = tls(_authority(config.smtp))
    return SmtpTransport(server, config.address, _to_send(config, config.smtp, secrets), context)


def _on_server(state: Path, config: Config, account: Account, secrets: FindSecret) -> Box:
    server = account.server(IMAP_PORTS, config.address)
    connection = Connection(server, _revealed(secrets, "messaging/imap", account), tls(_authority(account)))
    # What is known of one account must never be taken for what is in another.
    name = short_hash(server.host, str(server.port), server.user)
    return ImapMailbox(connection, Cache(state / f"imap-{name}.db"))


def _to_send(config: Config, smtp: Account, secrets: FindSecret) -> Callable[[], str]:
    """The password for sending: the mailbox's where the same user signs in and no other is named."""
    same = config.imap is not None and config.imap.user == smtp.user and config.imap.login == smtp.login
    if config.imap and same and not smtp.password.model_fields_set:
        return _revealed(secrets, "messaging/imap", config.imap)
    return _revealed(secrets, "messaging/smtp", smtp)


def _revealed(secrets: FindSecret, name: str, account: Account) -> Callable[[], str]:
    source = account.password if account.password.model_fields_set else None
    return lambda: secrets(name, source).reveal()


def _authority(account: Account) -> str | None:
    return str(account.authority.expanduser()) if account.authority else None
