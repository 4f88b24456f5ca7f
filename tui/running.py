"""One service as its configuration file says, and what the file says by now."""

import asyncio
import logging
import threading
import tomllib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel

from connectors.account_state import AccountState
from connectors.base import Connector, Effect, Notice
from connectors.config import ConfigError, parse, read
from connectors.live import Live
from connectors.mode import EVERYTHING, Mode, forbidden

log = logging.getLogger(__name__)

_NOTHING = frozenset[Effect]()


class Service(Connector, Protocol):
    """A connector that also says what a person should know of it."""

    def notices(self) -> tuple[Notice, ...]: ...


class Background(Protocol):
    """Work of a service beside its calls, such as keeping an index."""

    def start(self) -> None: ...

    def close(self) -> None: ...


async def _no_look() -> None:
    """Nothing to find out."""


@dataclass(frozen=True, slots=True)
class Built:
    """A service, its work beside the calls, how it finds out what it can do here, and its accounts."""

    service: Service
    background: Sequence[Background] = ()
    probe: Callable[[], Awaitable[None]] = _no_look
    accounts: Callable[[], Sequence[AccountState]] = tuple

    def start(self) -> None:
        for work in self.background:
            work.start()

    def close(self) -> None:
        for work in self.background:
            work.close()


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a service is made of settings of its schema, and what a change of them rules out at once."""

    name: str
    schema: type[BaseModel]
    build: Callable[[Any], Built]
    stops: Callable[[Any, Any], frozenset[Effect]]


def by_mode(before: BaseModel, now: BaseModel) -> frozenset[Effect]:
    """What settings with a mode rule out."""
    return forbidden(getattr(now, "mode", Mode.FULL))


class Running:
    """Keeps the last good settings in force; others are taken over only when `exchange` is called.

    What a change of the file rules out holds as soon as `look` has seen it, on whatever thread.
    """

    def __init__(self, recipe: Recipe, path: Path) -> None:
        self.live = Live(recipe.name)
        self.fault = ""
        self._recipe = recipe
        self._path = path
        self._lock = threading.Lock()
        self._built: Built | None = None
        self._started = False
        self._seen: str | None = None
        self._text: str | None = None
        self._config: BaseModel = recipe.schema.model_construct()
        self._next: tuple[str | None, BaseModel] | None = None
        self._begin()

    @property
    def name(self) -> str:
        return self._recipe.name

    @property
    def mode(self) -> str:
        """How much of the service the settings in force let be used."""
        return str(getattr(self._config, "mode", Mode.FULL))

    @property
    def built(self) -> Built | None:
        """What is in force; None where nothing could be built."""
        return self._built

    @property
    def waits(self) -> bool:
        """True if other settings wait to be taken over."""
        return self._next is not None

    def notices(self) -> tuple[Notice, ...]:
        """What is wrong with the settings, and what the service itself wants to say."""
        fault = (Notice(self.name, self.fault),) if self.fault else ()
        return (*fault, *(self._built.service.notices() if self._built and self._used else ()))

    def start(self) -> None:
        """Begin the work beside the calls."""
        self._started = True
        if self._built and self._used:
            self._built.start()

    async def probe(self) -> None:
        """Find out what the service can do here."""
        if self._built and self._used:
            await self._built.probe()

    def close(self) -> None:
        if self._built:
            self._built.close()

    def look(self) -> bool:
        """See what the file says now; True if there is anything new to tell or to take over."""
        with self._lock:
            try:
                text = read(self._path)
                if text == self._seen:
                    return False
                self._seen = text
                config = self._parsed(text)
            except ConfigError as error:
                return self._broken(str(error))
            self.fault = ""
            self._next = (text, config) if text != self._text or self._built is None else None
            stops = forbidden(self.mode)
            if self._next:
                stops |= self._recipe.stops(self._config, config)
            self.live.stop(stops, f"Not done: {self._path.name} was changed and rules it out by now.")
            return True

    async def exchange(self, idle: Callable[[], bool]) -> str:
        """Take over the settings that wait, if it is still `idle` then; says so in a sentence, or nothing."""
        waiting = self._next
        if waiting is None:
            return ""
        text, config = waiting
        try:
            built = await asyncio.to_thread(self._recipe.build, config)
        except (ConfigError, ValueError, OSError) as error:
            self.fault = f"{_why(error)} {self._as_before}"
            self._next = None
            return self.fault
        if not idle() or self._next is not waiting:
            await asyncio.to_thread(built.close)
            return ""
        old = self._take(built, text, config)
        if old:
            await asyncio.to_thread(old.close)
        await self._set_going(built)
        return f"The settings of {self._path.name} were taken over."

    @property
    def _used(self) -> bool:
        return forbidden(self.mode) != EVERYTHING

    @property
    def _as_before(self) -> str:
        return f"The settings of {self._path.name} hold as they were before."

    def _begin(self) -> None:
        try:
            self._seen = read(self._path)
            config = self._parsed(self._seen)
            self._take(self._recipe.build(config), self._seen, config)
        except (ConfigError, ValueError, OSError) as error:
            if isinstance(error, OSError):
                log.exception("the %s service could not be started", self.name)
            self.fault = f"The {self.name} service is off: {_why(error)}"

    def _take(self, built: Built, text: str | None, config: BaseModel) -> Built | None:
        """Put something built in force; what was before is returned."""
        with self._lock:
            old, self._built = self._built, built
            self._text, self._config, self._next = text, config, None
            self.fault = "" if text == self._seen else self.fault
            self.live.exchange(built.service, forbidden(self.mode))
            return old

    async def _set_going(self, built: Built) -> None:
        try:
            if self._started and self._used:
                built.start()
            await self.probe()
        except Exception:  # The service itself says what it cannot do, when it is asked.
            log.exception("the %s service could not be set going", self.name)

    def _parsed(self, text: str | None) -> BaseModel:
        return self._recipe.schema() if text is None else parse(text, self._path, self._recipe.schema)

    def _broken(self, why: str) -> bool:
        """The file cannot be used; what its mode rules out holds all the same, if that can be read."""
        fault = f"{why}. {self._as_before}" if self._built else f"The {self.name} service is off: {why}."
        if fault == self.fault:
            return False
        self.fault = fault
        stops = self.live.stops | _said_mode(self._seen)
        self.live.stop(stops, f"Not done: {self._path.name} was changed and rules it out by now.")
        return True


def _why(error: Exception) -> str:
    said = (error.strerror or "it failed to start") if isinstance(error, OSError) else str(error)
    return f"{said.removesuffix('.')}."


def _said_mode(text: str | None) -> frozenset[Effect]:
    """What the mode in a file that is wrong elsewhere rules out."""
    try:
        return forbidden(str(tomllib.loads(text or "").get("mode", Mode.FULL)))
    except ValueError:  # Not TOML, or no such mode.
        return _NOTHING
