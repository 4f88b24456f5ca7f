"""A world whose mailbox is on a real server, and another program on the same account."""

import itertools
from pathlib import Path

from imapclient import IMAPClient

from connectors.messaging.connector import MessagingConnector
from connectors.messaging.imap.cache import Cache
from connectors.messaging.imap.connection import Connection
from connectors.messaging.imap.flags import flags as server_flags
from connectors.messaging.imap.mailbox import ImapMailbox
from connectors.messaging.maildir.names import handle
from connectors.messaging.server import Server, tls
from tests.connectors.messaging.conftest import NOW, World
from tests.connectors.messaging.dovecot import PASSWORD, Dovecot

_NAMES = {"Sent": "Sent Items"}
_users = itertools.count(1)


class ServerWorld(World):
    """The same world with its mailbox on a server, and another program that puts messages there."""

    def __init__(self, root: Path, server: Dovecot, password: str = PASSWORD) -> None:
        self.password = password
        self.port = server.port
        self.user = f"robin{next(_users)}@home.example"
        self.server = Server("127.0.0.1", server.port, "none", self.user, timeout=20)
        self.box: ImapMailbox | None = None
        super().__init__(root)

    def build(self, **config: object) -> None:
        super().build(**config)
        self.end()
        connection = Connection(self.server, lambda: self.password, tls())
        self.box = ImapMailbox(connection, Cache(self.state / "imap.db"), lambda: next(_users) * 2.5)
        self.connector = MessagingConnector(
            self.box, self.state, self.config, self.book, self.transport, self.lender
        )

    def receive_bytes(self, data: bytes, *, folder: str = "", flags: str = "") -> str:
        with self.other() as client:
            name = _NAMES.get(folder, folder) or "INBOX"
            if not client.folder_exists(name):
                client.create_folder(name)
            client.append(name, data.replace(b"\n", b"\r\n"), server_flags(flags), NOW)
        assert self.box is not None
        return handle(folder or "INBOX", self.box.new_name(data))

    def other(self) -> IMAPClient:
        """Another program on the same account."""
        client = IMAPClient("127.0.0.1", self.port, ssl=False, timeout=20)
        client.login(self.user, PASSWORD)
        return client

    def end(self) -> None:
        if self.box:
            self.box.close()
