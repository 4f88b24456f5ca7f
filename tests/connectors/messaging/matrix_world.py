"""A person with mail and an account on Matrix, and other people there."""

from pathlib import Path
from typing import Any

from connectors.messaging.boxes import Boxes
from connectors.messaging.chat import MATRIX
from connectors.messaging.connector import MessagingConnector
from connectors.messaging.maildir.mailbox import Mailbox
from connectors.messaging.maildir.names import handle
from connectors.messaging.matrix.account import MatrixAccount, opened
from connectors.messaging.matrix.config import Account
from connectors.messaging.matrix.watch import MatrixWatch
from tests.connectors.messaging.conftest import World
from tests.connectors.messaging.synapse import Person, Synapse


class MatrixWorld(World):
    """The same world with conversations beside the mail; `me` is the person's other program."""

    def __init__(self, root: Path, server: Synapse) -> None:
        self.server = server
        self.me = server.person("Robin").named("Robin Vale")
        self.url = server.url
        self.token = self.me.token
        self.settings: dict[str, Any] = {}
        self.chatting = False
        self.rooms: dict[str, tuple[Person, str]] = {}
        self.account: MatrixAccount | None = None
        self.watch: MatrixWatch | None = None
        super().__init__(root)

    def build(self, **config: object) -> None:
        self.end()
        super().build(**config)
        given = {"user": self.me.user, "homeserver": self.url, "timeout": 5.0, **self.settings}
        account, box, self.watch = opened(
            self.state, Account.model_validate(given), self.config.name, lambda: self.token
        )
        self.account = account
        # Every look asks the server, since other people write between two looks of a test.
        account._clock = lambda: next(_seconds)
        self.connector = MessagingConnector(
            Boxes(Mailbox(self.mail), box, account),
            self.state,
            self.config,
            self.book,
            self.transport,
            self.lender,
        )

    def friend(self, name: str, *addresses: str) -> Person:
        """Somebody on Matrix who is in the contacts with the id, and with these mail addresses."""
        person = self.server.person(name.split()[0]).named(name)
        self.book.add(name, (*addresses, person.user), ())
        return person

    def receive(
        self,
        sender: str = "Ana Ruiz <ana@post.example>",
        subject: str = "Friday",
        body: str = "See you at the lake.",
        *,
        days: float = 1,
        folder: str = "",
        flags: str = "",
        to: str = "",
        **headers: str,
    ) -> str:
        """As mail where `chatting` is off; else somebody of that name says it, the subject first."""
        if not self.chatting:
            more = {**headers, **({"to": to} if to else {})}
            return super().receive(sender, subject, body, days=days, folder=folder, flags=flags, **more)
        name = sender.partition(" <")[0]
        if name not in self.rooms:
            person = self.friend(name)
            self.rooms[name] = person, person.room(self.me, direct=True)
        person, room = self.rooms[name]
        return handle(MATRIX, person.say(room, f"{subject}\n{body}"))

    def end(self) -> None:
        if self.watch:
            self.watch.close()
        self.watch = None


def _ticks() -> Any:
    now = 0.0
    while True:
        now += 20.0
        yield now


_seconds = _ticks()
