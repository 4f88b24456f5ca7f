"""The services as their configuration files say; one that cannot be built is off and says why."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from connectors.base import Effect, Notice
from connectors.live import Live
from tui.running import Background, Built, Recipe, Running, Service, by_mode

__all__ = ["Background", "Built", "Running", "Service", "Services"]

Config = TypeVar("Config", bound=BaseModel)


@dataclass(slots=True)
class Services:
    """Every service under its name; `folder` has their files. `background` is other work beside the calls."""

    folder: Path
    running: list[Running] = field(default_factory=list)
    background: list[Background] = field(default_factory=list)

    def add(
        self,
        name: str,
        schema: type[Config],
        build: Callable[[Config], Built],
        stops: Callable[[Config, Config], frozenset[Effect]] = by_mode,
    ) -> None:
        """Build one service with the settings of `<name>.toml`.

        `stops` gives what a change of the settings rules out at once, from what they were and what they are.
        """
        self.running.append(Running(Recipe(name, schema, build, stops), self.folder / f"{name}.toml"))

    @property
    def built(self) -> list[Live]:
        """Every service as the gate knows it, whatever stands behind it now."""
        return [each.live for each in self.running]

    @property
    def left_out(self) -> list[Notice]:
        """The services that could not be built, and why."""
        return [Notice(each.name, each.fault) for each in self.running if each.built is None]

    def start(self) -> None:
        """Begin all work beside the calls."""
        for each in (*self.running, *self.background):
            each.start()

    async def probe(self) -> None:
        """Let the services find out what they can do here."""
        await asyncio.gather(*(each.probe() for each in self.running))

    def notices(self) -> tuple[Notice, ...]:
        return tuple(notice for each in self.running for notice in each.notices())

    def look(self) -> list[Running]:
        """See what the files say now; the services whose file says something new."""
        return [each for each in self.running if each.look()]

    async def exchange(self, idle: Callable[[], bool]) -> list[str]:
        """Take over the settings that wait, as long as it is `idle`; what was done, in words."""
        return [said for each in self.running if each.waits and (said := await each.exchange(idle))]

    def close(self) -> None:
        for each in (*self.running, *self.background):
            each.close()
