"""A small world of files for the tests: two folders that may be used, and one outside that must never be."""

import asyncio
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest

from connectors.base import Call, Context, Outcome, Prepared, Question
from connectors.files.config import Config
from connectors.files.connector import FilesConnector
from connectors.files.disk.jail import Jail
from connectors.files.places import Root

ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZONE)
CHANGED = datetime(2026, 11, 24, 12, 0, tzinfo=ZONE).timestamp()
# Every write waits for its disk: where many are made, a disk in memory saves the time.
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
SECRET = "the secret outside"


class World:
    """The folders Documents and Downloads with a connector over them, and what is around them."""

    def __init__(self, home: Path, config: Config | None = None, jail: Jail | None = None) -> None:
        self.home = home
        self.documents = home / "Documents"
        self.downloads = home / "Downloads"
        self.outside = home / "outside"
        for folder in (self.documents, self.downloads, self.outside):
            folder.mkdir(parents=True)
        (self.outside / "secret.txt").write_text(SECRET)
        self.trash = home / "trash"
        self.roots = [Root("Documents", self.documents), Root("Downloads", self.downloads)]
        self.context = Context(NOW, ZONE)
        self._calls = 0
        self.connector = self.connect(config or Config(index=False), jail)

    def connect(self, config: Config, jail: Jail | None = None) -> FilesConnector:
        return FilesConnector(
            self.roots,
            self.home / "state",
            config,
            cache=self.home / "cache",
            trash=self.trash,
            home=self.home,
            jail=jail,
        )

    def file(self, path: str | bytes, content: str | bytes = "some text\n") -> Path:
        """Make a file below the home folder, last changed on Tue 24 Nov 2026."""
        whole = Path(os.fsdecode(os.path.join(os.fsencode(self.home), os.fsencode(path))))
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_bytes(content.encode() if isinstance(content, str) else content)
        os.utime(whole, (CHANGED, CHANGED))
        return whole

    def call(self, tool: str, **arguments: object) -> Call:
        self._calls += 1
        return Call(f"call-{self._calls}", f"files.{tool}", arguments)

    async def look(self, tool: str, **arguments: object) -> Prepared | Question | Outcome:
        """What the connector makes of a call, before anything is done."""
        return await self.connector.prepare(self.call(tool, **arguments), self.context)

    async def prepared(self, tool: str, **arguments: object) -> Prepared:
        looked = await self.look(tool, **arguments)
        assert isinstance(looked, Prepared), looked
        return looked

    async def asked(self, tool: str, **arguments: object) -> Question:
        looked = await self.look(tool, **arguments)
        assert isinstance(looked, Question), looked
        return looked

    async def refused(self, tool: str, **arguments: object) -> Outcome:
        looked = await self.look(tool, **arguments)
        assert isinstance(looked, Outcome), looked
        assert not looked.ok
        return looked

    async def do(self, tool: str, **arguments: object) -> Outcome:
        return await self.connector.perform(await self.prepared(tool, **arguments))

    async def undo(self, outcome: Outcome) -> Outcome:
        """Take a deed back, or tell why it cannot be."""
        assert outcome.undo is not None, outcome
        looked = await self.connector.prepare(outcome.undo, self.context)
        if isinstance(looked, Prepared):
            return await self.connector.perform(looked)
        assert isinstance(looked, Outcome), looked
        return looked

    def tree(self) -> dict[bytes, object]:
        """Everything in the two folders: bytes, modes, link targets."""
        return tree(self.documents) | tree(self.downloads)


def tree(top: Path) -> dict[bytes, object]:
    found: dict[bytes, object] = {}
    for folder, folders, files in os.walk(os.fsencode(top)):
        for name in folders + files:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                found[path] = ("link", os.readlink(path))
            elif os.path.isdir(path):
                found[path] = ("folder", os.stat(path).st_mode)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    found[path] = ("file", os.stat(path).st_mode, file.read())
            else:
                found[path] = ("other",)
    return found


@pytest.fixture
def new_world() -> Iterator[Callable[..., World]]:
    """Makes worlds in folders of their own, as many as a test needs."""
    with ExitStack() as stack:

        def make(*, config: Config | None = None, jail: Jail | None = None) -> World:
            home = Path(stack.enter_context(TemporaryDirectory(prefix="askfirst-files-", dir=_MEMORY)))
            world = World(home, config, jail)
            stack.callback(world.connector.close)
            return world

        yield make


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.connector.close()


@pytest.fixture
def indexed(tmp_path: Path) -> Iterator[World]:
    """The same with an index, which is still to be built."""
    world = World(tmp_path, Config())
    yield world
    world.connector.close()


@pytest.fixture
def run() -> Iterator[asyncio.Runner]:
    """Runs coroutines in a test that is not itself one."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own with 64 kB of room; needs the right to mount."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("this account may not mount a disk")
    yield disk
    subprocess.run(["umount", "-l", disk], capture_output=True, check=False)
