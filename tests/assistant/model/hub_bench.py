"""What the tests of fetching share: a hub with one toy model, and a fetch without waits between tries."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from assistant.model.hub.download import Line
from assistant.model.hub.fetch import fetch_model
from assistant.model.hub.patience import Patience
from assistant.model.hub.words import Hub, Source
from assistant.model.shelf.catalogue import Installed, installed
from tests.assistant.model.hub_server import REPOSITORY, HubServer, serving

NAME = "botpsy-0.8b-q8_0.gguf"
SOURCE = Source("botpsy-q8", REPOSITORY, "*q8_0*.gguf")


@dataclass
class Bench:
    """A hub, a cache, and what was waited for and told."""

    hub: HubServer
    cache: Path
    waits: list[float] = field(default_factory=list)
    told: list[tuple[int, int]] = field(default_factory=list)
    token: str | None = None
    silence: float = 10.0

    async def fetch(self, source: Source = SOURCE, *, endpoint: str = "", tries: int = 4) -> Installed:
        patience = Patience(tries=tries, sleep=self._sleep)
        hub = Hub(endpoint or self.hub.address, lambda: self.token)
        return await fetch_model(
            source,
            hub,
            self.cache,
            lambda *progress: self.told.append(progress),
            Line(self.silence, patience),
        )

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def asked(self, times: int) -> None:
        """Wait until the file was asked for so many times."""
        for _ in range(times):
            await asyncio.to_thread(self.hub.requests.acquire, timeout=10)

    @property
    def keys(self) -> list[str]:
        return [model.key for model in installed(self.cache)]

    @property
    def left(self) -> list[str]:
        folder = self.cache / "models"
        return sorted(path.name for path in folder.iterdir()) if folder.exists() else []

    @property
    def starts(self) -> list[int]:
        """From which byte on each request asked."""
        ranges = [asked.range or "bytes=0-" for asked in self.hub.asked]
        return [int(text.removeprefix("bytes=").rstrip("-")) for text in ranges]


@contextmanager
def bench(data: bytes, cache: Path, *, sums: bool = True, name: str = NAME) -> Iterator[Bench]:
    with serving(HubServer({name: data, "README.md": b"# BotPsy"}, sums=sums)) as hub:
        yield Bench(hub, cache)
