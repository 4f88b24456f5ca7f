"""A calendar of one's own for each test, in a folder or on a real server: real people, a fixed clock."""

import itertools
import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from pydantic import JsonValue

from connectors.base import Call, Context, Field, Outcome, Prepared, Question
from connectors.calendar.config import Config
from connectors.calendar.connector import CalendarConnector
from connectors.lending import FileFinder
from connectors.people import AddressBook
from connectors.secrets.chain import Secrets
from tests.connectors.calendar.invited import Letters
from tests.connectors.calendar_servers import (
    PASSWORD,
    USER,
    CalendarServer,
)
from tests.connectors.faults import FaultProxy

ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZONE)


class World:
    """A person's calendar folder and contacts, and a connector over them."""

    prefix = ""
    lenders: tuple[FileFinder, ...] = ()

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "calendar"
        self.state = root / "state"
        contacts = root / "contacts"
        contacts.mkdir()
        self.book = AddressBook(contacts)
        self.config = Config()
        self.now = Context(NOW, ZONE)
        self._calls = itertools.count(1)
        self.restart()

    def restart(self, **config: object) -> None:
        """Make the connector anew, with other settings if any are given."""
        self.config = Config.model_validate({**self.config.model_dump(), **config})
        self.connector = CalendarConnector(
            self.folder, self.state, self.config, self.book, lenders=self.lenders
        )

    def needs_folder(self, why: str) -> None:
        """Skip the test over a server, for a reason."""

    def calendar(self, name: str) -> None:
        """Make a calendar unless it is there."""
        (self.folder / name).mkdir(parents=True, exist_ok=True)

    def be_in(self, zone: str) -> None:
        """Be somewhere else at the same wall-clock time."""
        self.now = Context(NOW.replace(tzinfo=ZoneInfo(zone)), ZoneInfo(zone))

    def event(self, lines: str, *, name: str = "event", calendar: str = "home", kind: str = "VEVENT") -> str:
        """Put a file with one component into a calendar; returns its handle."""
        uid = name.encode("ascii", "replace").decode()
        body = f"BEGIN:{kind}\nUID:{uid}@test.example\nDTSTAMP:20260101T000000Z\n{lines.strip()}\nEND:{kind}"
        return self.file(body, name=name, calendar=calendar, handle="task" if kind == "VTODO" else "event")

    def file(self, body: str, *, name: str = "event", calendar: str = "home", handle: str = "event") -> str:
        """Put a file with these components into a calendar; returns its handle."""
        text = f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Test//Test//EN\n{body.strip()}\nEND:VCALENDAR\n"
        self.raw(text.replace("\n", "\r\n").encode(), name=name, calendar=calendar)
        return f"{handle}:{self.prefix}{calendar}/{name}"

    def raw(self, data: bytes, *, name: str = "event", calendar: str = "home") -> Path:
        """Put bytes into a calendar as they are."""
        path = self.folder / calendar / f"{name}.ics"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def text(self, name: str = "event", calendar: str = "home") -> str:
        """What a file says now, unfolded."""
        return (self.folder / calendar / f"{name}.ics").read_text("utf-8").replace("\n ", "")

    def snapshot(self) -> dict[str, bytes]:
        """Every file below the calendar folder."""
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in files}

    def call(self, verb: str, arguments: Mapping[str, JsonValue]) -> Call:
        return Call(f"call-{next(self._calls)}", f"calendar.{verb}", arguments)

    async def prepare(self, verb: str, **arguments: JsonValue) -> Prepared | Question | Outcome:
        return await self.connector.prepare(self.call(verb, arguments), self.now)

    async def ready(self, verb: str, **arguments: JsonValue) -> Prepared:
        """Prepare a call that needs no question."""
        prepared = await self.prepare(verb, **arguments)
        assert isinstance(prepared, Prepared), prepared
        return prepared

    async def asked(self, verb: str, **arguments: JsonValue) -> Question:
        """Prepare a call that comes to a question."""
        question = await self.prepare(verb, **arguments)
        assert isinstance(question, Question), question
        return question

    async def refused(self, verb: str, **arguments: JsonValue) -> Outcome:
        """Prepare a call that cannot be done."""
        outcome = await self.prepare(verb, **arguments)
        assert isinstance(outcome, Outcome), outcome
        assert not outcome.ok
        return outcome

    async def do(self, verb: str, **arguments: JsonValue) -> Outcome:
        """Prepare and perform a call."""
        outcome = await self.connector.perform(await self.ready(verb, **arguments))
        assert outcome.ok, outcome
        return outcome

    async def take_back(self, outcome: Outcome) -> Outcome:
        """Undo what an outcome came of."""
        assert outcome.undo is not None
        prepared = await self.connector.prepare(outcome.undo, self.now)
        assert isinstance(prepared, Prepared), prepared
        return await self.connector.perform(prepared)

    def picked(self, question: Question, label: str) -> Mapping[str, JsonValue]:
        """The arguments of the one option whose label or detail holds these words."""
        found = [each for each in question.options if label in each.label or label in each.detail]
        assert len(found) == 1, question
        return found[0].arguments

    def field(self, prepared: Prepared, label: str) -> Field:
        """The one field of a preview with this label."""
        found = [each for each in prepared.preview.fields if each.label == label]
        assert len(found) == 1, prepared.preview
        return found[0]

    async def agenda(self, when: str, search: str | None = None) -> list[tuple[str, str]]:
        """Titles and details of the events listed."""
        outcome = await self.do("list_events", when=when, search=search)
        return [(item.label, item.detail.removesuffix(" (calendar home)")) for item in outcome.items]


class ServerWorld(World):
    """The same over a server: what another program does there, and a connector with an account on it."""

    prefix = "dav~"

    def __init__(self, root: Path, server: CalendarServer, **account: object) -> None:
        self.server = server
        self.account = account
        self._made: set[str] = set()
        server.clear()
        super().__init__(root)

    def restart(self, **config: object) -> None:
        """Make the connector anew, with the account and other settings if any are given."""
        account = {
            "url": self.server.url,
            "user": USER,
            "password": {"environment": "PASSWORD"},
            "fresh": 0,
            **self.account,
        }
        given = {"local": False, "accounts": {"dav": account}}
        self.config = Config.model_validate({**self.config.model_dump(), **given, **config})
        secrets = Secrets(self.root / "secrets", {"PASSWORD": PASSWORD})
        if hasattr(self, "connector"):
            self.connector.close()
        self.connector = CalendarConnector(
            self.folder, self.state, self.config, self.book, secrets, self.lenders
        )

    def raw(self, data: bytes, *, name: str = "event", calendar: str = "home") -> Path:
        """Put an item on the server, as another program would."""
        self.calendar(calendar)
        path, kind = f"{quote(calendar)}/{quote(name)}.ics", {"Content-Type": "text/calendar; charset=utf-8"}
        reply = self.server.ask("PUT", path, data, kind, expect=(201, 204, 400, 403, 409, 412, 415))
        if reply.status_code >= 400:
            pytest.skip(f"{self.server.kind} takes no such item (it answered {reply.status_code})")
        return self.folder / calendar / f"{name}.ics"

    def needs_folder(self, why: str) -> None:
        pytest.skip(why)

    def calendar(self, name: str) -> None:
        """Make a calendar unless it is there."""
        if name not in self._made:
            self._made.add(name)
            self.server.make_calendar(quote(name), name)

    def text(self, name: str = "event", calendar: str = "home") -> str:
        data = self.server.get(f"{quote(calendar)}/{quote(name)}.ics")
        assert data is not None, name
        return unfolded(data)

    def snapshot(self) -> dict[str, bytes]:
        found = {}
        for calendar in sorted(self._made):
            for name in self.server.names(f"{quote(calendar)}/"):
                data = self.server.get(f"{quote(calendar)}/{name}")
                if data is not None:
                    found[f"{calendar}/{name}"] = data
        return found


def unfolded(data: bytes) -> str:
    return data.decode().replace("\r\n", "\n").replace("\n ", "")


BACKENDS = ("folder", "radicale", "xandikos", "cyrus")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of a module that says EVERY_BACKEND over each of them, other tests over the folder.

    Modules that say so only for when there is time are run over servers with ASKFIRST_EVERY_BACKEND set.
    """
    if "world" not in metafunc.fixturenames:
        return
    wanted = getattr(metafunc.module, "EVERY_BACKEND", False)
    every = wanted is True or (wanted and os.environ.get("ASKFIRST_EVERY_BACKEND"))
    names = BACKENDS if every else BACKENDS[:1]
    metafunc.parametrize("world", names, indirect=True, ids=names if every else [""])


@pytest.fixture
def far(tmp_path: Path, radicale: CalendarServer, proxy: FaultProxy) -> Iterator[ServerWorld]:
    """A world whose connector reaches the server only through the proxy."""
    world = ServerWorld(tmp_path, radicale, url=f"http://127.0.0.1:{proxy.port}/", timeout=1)
    world.event("SUMMARY:Dentist\nDTSTART:20261204T140000Z\nDTEND:20261204T143000Z")
    yield world
    world.connector.close()


@pytest.fixture
def letters(world: World) -> Letters:
    """Invitations that came, which the world's calendar may look in."""
    letters = Letters()
    world.lenders = (letters,)
    world.restart()
    world.calendar("home")
    return letters


@pytest.fixture
def server_world() -> type[ServerWorld]:
    """How a world over a server is made, for tests that need one of their own."""
    return ServerWorld


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    if request.param == "folder":
        yield World(tmp_path)
        return
    world = ServerWorld(tmp_path, request.getfixturevalue(request.param))
    world.calendar("home")
    yield world
    world.connector.close()
