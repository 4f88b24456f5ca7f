"""Builds every service from its configuration file; one that cannot be built is left out and says why."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import BaseModel

from connectors.base import Connector, Notice
from connectors.config import ConfigError, load

log = logging.getLogger(__name__)

Config = TypeVar("Config", bound=BaseModel)


class Service(Connector, Protocol):
    """A connector that also says what a person should know of it."""

    def notices(self) -> tuple[Notice, ...]: ...


class Background(Protocol):
    """Work of a service beside its calls, such as keeping an index."""

    def start(self) -> None: ...

    def close(self) -> None: ...


class Account(Protocol):
    """How one account of a service is doing: its name, one word, and one line."""

    @property
    def name(self) -> str: ...

    @property
    def word(self) -> str: ...

    @property
    def detail(self) -> str: ...


@dataclass(slots=True)
class Services:
    """The services that could be built, what some do beside their calls, and why others are missing.

    `probes` are how services find out what they can do here, `accounts` how each account is doing.
    """

    folder: Path
    built: list[Service] = field(default_factory=list)
    background: list[Background] = field(default_factory=list)
    probes: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    accounts: list[Callable[[], Sequence[Account]]] = field(default_factory=list)
    left_out: list[Notice] = field(default_factory=list)

    def add(self, name: str, schema: type[Config], build: Callable[[Config], Service]) -> None:
        """Build one service with the settings of `<name>.toml`."""
        try:
            self.built.append(build(load(self.folder / f"{name}.toml", schema)))
        except (ConfigError, ValueError) as error:
            self.left_out.append(Notice(name, f"The {name} service is off: {error}"))
        except OSError as error:
            log.exception("the %s service could not be started", name)
            reason = error.strerror or "it failed to start"
            self.left_out.append(Notice(name, f"The {name} service is off: {reason}."))

    async def probe(self) -> None:
        """Let the services find out what they can do here."""
        await asyncio.gather(*(probe() for probe in self.probes))

    def notices(self) -> tuple[Notice, ...]:
        return (*self.left_out, *(notice for service in self.built for notice in service.notices()))
