"""A mailbox of one's own for each test: real files, a post office on this machine, a fixed clock."""

import itertools
import mailbox
import os
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from connectors.base import Call, Context, Outcome, Prepared, Question
from connectors.lending import FileFinder
from connectors.messaging.config import Config
from connectors.messaging.connector import MessagingConnector
from connectors.messaging.maildir.mailbox import Mailbox
from connectors.messaging.transport import LoopbackTransport, Transport
from connectors.people import AddressBook
from tests.connectors.messaging.synapse import Synapse, synapse

ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZONE)
ME = "robin@home.example"


class World:
    """A person's mailbox, contacts and post office, and a connector over them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.mail = root / "mail"
        self.state = root / "state"
        self.post = root / "post"
        self.online = True
        self.contacts = root / "contacts"
        self.contacts.mkdir()
        self.book = AddressBook(self.contacts)
        self.config = Config(name="Robin Vale", address=ME)
        self.transport: Transport = LoopbackTransport(self.post, lambda: self.online)
        self.lender: FileFinder | None = None
        self._calls = itertools.count(1)
        self.build()

    def build(self, **config: object) -> None:
        """Make the connector anew, as a restart would."""
        self.config = Config.model_validate({**self.config.model_dump(), **config})
        self.connector = MessagingConnector(
            Mailbox(self.mail), self.state, self.config, self.book, self.transport, self.lender
        )

    def receive(
        self,
        sender: str = "Ana Ruiz <ana@post.example>",
        subject: str = "Friday",
        body: str = "See you at the lake.",
        *,
        days: float = 1,
        folder: str = "",
        flags: str = "",
        to: str = f"Robin Vale <{ME}>",
        **headers: str,
    ) -> str:
        """Put a message into the mailbox as another program would; returns its handle."""
        message = EmailMessage()
        message["From"] = sender
        message["To"] = to
        message["Subject"] = subject
        message["Date"] = format_datetime(NOW - timedelta(days=days))
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(body)
        return self.receive_bytes(message.as_bytes(), folder=folder, flags=flags)

    def receive_bytes(self, data: bytes, *, folder: str = "", flags: str = "") -> str:
        box: mailbox.Maildir = mailbox.Maildir(self.mail, create=True)
        target = box.add_folder(folder) if folder else box
        message = mailbox.MaildirMessage()
        key = target.add(message)
        path = Path(target._path) / "new" / key
        path.write_bytes(data)
        moment = NOW.timestamp()
        os.utime(path, (moment, moment))
        if flags:
            path.rename(path.parent.parent / "cur" / f"{key}:2,{flags}")
        return f"message:{folder or 'INBOX'}/{key}"

    def wrote(self, address: str, times: int = 1) -> None:
        """Messages in Sent."""
        for number in range(times):
            self.receive(
                f"Robin Vale <{ME}>", f"Hello {number}", "Hi.", folder="Sent", flags="S", to=address, days=40
            )

    def files(self, folder: str = "") -> list[str]:
        """The message files of a folder, with new/ or cur/ before them."""
        path = self.mail / f".{folder}" if folder else self.mail
        return sorted(
            f"{subdir}/{file.name}" for subdir in ("new", "cur") for file in (path / subdir).glob("*")
        )

    def delivered(self, address: str) -> list[bytes]:
        """What arrived for somebody at the post office."""
        return [file.read_bytes() for file in sorted((self.post / address / "new").glob("*"))]

    def call(self, tool: str, **arguments: object) -> Call:
        return Call(f"call-{next(self._calls)}", f"messaging.{tool}", arguments)

    async def look(self, tool: str, **arguments: object) -> Prepared | Question | Outcome:
        return await self.connector.prepare(self.call(tool, **arguments), Context(NOW, ZONE))

    async def prepared(self, tool: str, **arguments: object) -> Prepared:
        found = await self.look(tool, **arguments)
        assert isinstance(found, Prepared), found
        return found

    async def asked(self, tool: str, **arguments: object) -> Question:
        found = await self.look(tool, **arguments)
        assert isinstance(found, Question), found
        return found

    async def refused(self, tool: str, **arguments: object) -> Outcome:
        found = await self.look(tool, **arguments)
        assert isinstance(found, Outcome), found
        assert not found.ok
        return found

    async def do(self, tool: str, **arguments: object) -> Outcome:
        return await self.connector.perform(await self.prepared(tool, **arguments))

    async def take_back(self, outcome: Outcome) -> Outcome:
        assert outcome.undo is not None
        found = await self.connector.prepare(outcome.undo, Context(NOW, ZONE))
        return await self.connector.perform(found) if isinstance(found, Prepared) else _outcome(found)


def _outcome(found: Question | Outcome) -> Outcome:
    assert isinstance(found, Outcome)
    return found


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def friends(world: World) -> World:
    """A world with Ana, two Bens, and Carla who has two addresses."""
    people: Sequence[tuple[str, tuple[str, ...]]] = (
        ("Ana Ruiz", ("ana@post.example",)),
        ("Ben Okafor", ("ben@okafor.example",)),
        ("Ben Ito", ("ito@post.example",)),
        ("Carla Nowak", ("carla@studio.example", "carla@home.example")),
    )
    for name, addresses in people:
        world.book.add(name, addresses, ())
    return world


@pytest.fixture(scope="session")
def homeserver() -> Iterator[Synapse]:
    """A server for Matrix, on which every test has people of its own."""
    with synapse() as server:
        yield server
