"""Measures a model on this machine: how fast it loads, reads and answers, and what memory it takes."""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from assistant.model.base import Goal, NoToolFits, Wish
from assistant.model.capacity.footprint import footprint
from assistant.model.capacity.machine import available_memory, cores
from assistant.model.dialects.choice import dialect_for
from assistant.model.host.engine import Engine, spare_threads
from assistant.model.local import LocalModel
from assistant.model.shelf.gguf import read_header
from assistant.model.spec import DialectName, ModelSpec
from assistant.model.wire import Ended, Event, Generate, Opened, Read, Said, Sampling
from connectors.base import Tool

GOALS = (
    "schedule lunch with Sam on Friday at noon",
    "what is on my calendar tomorrow",
    "turn the wifi off",
)
_READ = "Say in a few words what the list of messages and events on this day is about. " * 16
_ANSWERED = 32
# So long a trial may take; on a busy machine more threads can be slower by far.
_TRIAL_SECONDS = 20

Progress = Callable[[str, float | None], None]


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a model reads a prompt and answers with so many threads, in tokens a second."""

    threads: int
    reading: float
    answering: float


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one goal: seconds to the first token and to the first call, tokens read and in all.

    `called` is None where no call was asked for within the time that was given.
    """

    first: float | None
    called: float | None
    read: int
    prompt: int


@dataclass(frozen=True, slots=True)
class Measured:
    """One model on this machine; times in seconds, sizes in bytes, contexts in tokens.

    `memory` is what its process took at most, `needed` what it may take with all of its context in use,
    `available` what was free before; None where that is not known. `busy` is how many programs computed
    before it was begun (the load average). `cold` is the first goal, `warm` the ones after it, `otherwise`
    one with reasoning where there was none before, or the other way round.
    """

    title: str
    key: str
    size: int
    file_type: int
    cores: int
    context: int
    trained_context: int | None
    load: float
    speeds: tuple[Speed, ...]
    cold: Asked
    warm: tuple[Asked, ...]
    thinking: bool
    otherwise: Asked | None
    memory: int | None
    needed: int
    available: int | None
    busy: float = 0.0

    @property
    def usual(self) -> Speed:
        """With the threads that are used unless another number is set."""
        return self.speeds[0]


class Measuring:
    """Measures one model; `most_seconds` is how long a goal may take, thrice that for the first one."""

    def __init__(
        self,
        spec: ModelSpec,
        tools: Sequence[Tool],
        clock: Callable[[], datetime],
        progress: Progress,
        *,
        threads: int | None = None,
        most_seconds: float = 60,
    ) -> None:
        self._spec = spec
        self._tools = tools
        self._clock = clock
        self._progress = progress
        self._threads = threads or spare_threads()
        self._most_seconds = most_seconds

    async def run(self) -> Measured:
        """Everything, in a few minutes on a slow machine. Raises ModelError."""
        header = await asyncio.to_thread(read_header, self._spec.path)
        available, busy = available_memory(), _busy()
        async with self._engine(self._threads) as (engine, load):
            usual = await self._speed(engine, self._threads)
            cold = await self._asked(engine, self._spec, GOALS[0], 3 * self._most_seconds)
            warm = [await self._asked(engine, self._spec, goal, self._most_seconds) for goal in GOALS[1:]]
            otherwise = await self._otherwise(engine)
            memory = _largest(engine.pid)
        size = self._spec.path.stat().st_size
        adapter = self._spec.adapter.stat().st_size if self._spec.adapter else 0
        return Measured(
            title=self._spec.title,
            key=self._spec.key,
            size=size,
            file_type=int(header.metadata.get("general.file_type", -1)),
            cores=cores(),
            context=self._spec.context,
            trained_context=header.trained_context,
            load=load,
            speeds=(usual, *[await self._other_speed(threads) for threads in self._others()]),
            cold=cold,
            warm=tuple(warm),
            thinking=self._spec.thinking,
            otherwise=otherwise,
            memory=memory,
            needed=footprint(header, size, adapter).at(self._spec.context),
            available=available,
            busy=busy,
        )

    def _others(self) -> list[int]:
        """Other numbers of threads that may be better: all cores, half of them, and one."""
        numbers = dict.fromkeys((spare_threads(), cores(), max(cores() // 2, 1)))
        return [number for number in numbers if number != self._threads]

    @asynccontextmanager
    async def _engine(self, threads: int) -> AsyncIterator[tuple[Engine, float]]:
        """A loaded model, and the seconds that took."""
        self._progress("loading the model", None)
        engine = Engine(self._spec, threads=threads)
        began = time.perf_counter()
        try:
            await engine.load()
            yield engine, time.perf_counter() - began
        finally:
            await engine.close()

    async def _other_speed(self, threads: int) -> Speed:
        async with self._engine(threads) as (engine, _):
            return await self._speed(engine, threads)

    async def _speed(self, engine: Engine, threads: int) -> Speed:
        """Reading and answering of a text that no call comes of, for so long as it may take."""
        self._progress(f"reading and answering with {_threads(threads)}", None)
        course = _Course()
        request = Generate(0, _READ, _ANSWERED, Sampling(temperature=0.7), seed=1)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_TRIAL_SECONDS), aclosing(engine.generate(request)) as events:
                async for event in events:
                    course.hear(event)
        return Speed(threads, course.reading, course.answering)

    async def _asked(self, engine: Engine, spec: ModelSpec, goal: str, seconds: float) -> Asked:
        """A goal in a conversation of its own, until the first call is asked for."""
        self._progress(f"asking “{goal}”", None)
        course, called = _Course(), None
        model = LocalModel(spec, engine, dialect_for(spec, self._clock), course.hear)
        answer = model.respond([Goal(goal)], self._tools)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), aclosing(answer) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Wish | NoToolFits):
                        called = course.now
                        break
        return Asked(course.first, called, course.read, course.prompt)

    async def _otherwise(self, engine: Engine) -> Asked | None:
        if self._spec.dialect is DialectName.STARTER:
            return None
        other = replace(self._spec, thinking=not self._spec.thinking)
        return await self._asked(engine, other, GOALS[1], self._most_seconds)


class _Course:
    """The events of one answer, with the seconds since it was asked for."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._opened = self._latest = self._read_at = 0.0
        self._reused = self._done = self._said = 0
        self.first: float | None = None
        self.prompt = 0

    @property
    def now(self) -> float:
        return time.perf_counter() - self._began

    @property
    def read(self) -> int:
        """Tokens of the prompt that had to be read, as far as it went."""
        return max(self._done - self._reused, 0)

    @property
    def reading(self) -> float:
        return self.read / max(self._read_at - self._opened, 1e-6)

    @property
    def answering(self) -> float:
        return self._said / max(self._latest - self._read_at, 1e-6)

    def hear(self, event: Event) -> None:
        self._latest = self.now
        match event:
            case Opened(tokens=tokens, reused=reused):
                self.prompt, self._reused, self._done = tokens, reused, reused
                self._opened = self._read_at = self._latest
            case Read(done=done):
                self._done, self._read_at = done, self._latest
            case Said():
                self._said += 1
                self.first = self.first or self._latest
            case Ended(tokens=tokens):
                # Not every token is heard of: some are only a part of a character.
                self._said = tokens


def _threads(count: int) -> str:
    return f"{count} thread{'s' if count > 1 else ''}"


def _busy() -> float:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _largest(pid: int | None) -> int | None:
    """The most memory that a process has taken, in bytes (proc(5)); None where that cannot be seen."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), None)
