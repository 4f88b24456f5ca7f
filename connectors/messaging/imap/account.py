"""The mailbox of an account, and the watch over it."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from connectors.messaging.config import Config
from connectors.messaging.imap.cache import Cache
from connectors.messaging.imap.connection import Connection
from connectors.messaging.imap.mailbox import ImapMailbox
from connectors.messaging.imap.watch import MailWatch
from connectors.messaging.records import short_hash
from connectors.messaging.server import IMAP_PORTS, tls


def opened(state: Path, config: Config, secret: Callable[[], str]) -> tuple[ImapMailbox, MailWatch]:
    """The mailbox that the settings name, with what is known of it in `state`. Nothing is connected to yet.

    Raises ValueError where they name none.
    """
    if config.imap is None:
        raise ValueError("the settings name no server")
    server = config.imap.server(IMAP_PORTS, config.address)
    context = tls(config.imap.authority)
    # What is known of one account must never be taken for what is in another.
    name = short_hash(server.host, str(server.port), server.user)
    cache = Cache(state / f"imap-{name}.db")
    box = ImapMailbox(Connection(server, secret, context), cache)
    watch = MailWatch(box, Connection(server, secret, context), lambda: datetime.now().astimezone(), cache)
    return box, watch
