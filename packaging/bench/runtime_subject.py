"""The model runtime as the app uses it, with an ear on all that comes from the model's process."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from rows import Spent

from assistant.model.base import Goal, Reply, Text, Turn
from assistant.model.child.template import Template
from assistant.model.dialects.choice import dialect_for
from assistant.model.host.engine import Engine
from assistant.model.local import LocalModel
from assistant.model.shelf.gguf import read_header
from assistant.model.spec import ModelSpec
from assistant.model.wire import Chat, Ended, Event, Generate, Opened, Read, Said
from connectors.base import Tool
from connectors.calendar.tools import TOOLS as CALENDAR
from connectors.files.tools import TOOLS as FILES
from connectors.messaging.tools import TOOLS as MESSAGING
from connectors.settings.tools import TOOLS as SETTINGS

TOOLS: tuple[Tool, ...] = (*CALENDAR, *FILES, *MESSAGING, *SETTINGS)
NOW = datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Europe/Copenhagen"))
_TURN = "<|im_start|>user\n"


@dataclass(slots=True)
class Course:
    """One request and what came of it, each event with what was spent since the request."""

    events: list[tuple[Spent, Event]] = field(default_factory=list)
    prompt: str | Chat = ""

    @property
    def opened(self) -> Opened:
        return next(event for _, event in self.events if isinstance(event, Opened))

    @property
    def evaluated(self) -> int:
        """How many tokens of the prompt had to be read."""
        return self.opened.tokens - self.opened.reused

    @property
    def to_first(self) -> Spent:
        """From the request to the first token that is said, or to the end of the answer."""
        return next(spent for spent, event in self.events if isinstance(event, Said | Ended))

    @property
    def a_token(self) -> Spent:
        """For one token of the answer, from the end of reading on."""
        read = [spent for spent, event in self.events if isinstance(event, Opened | Read)][-1]
        spent, ended = next(each for each in self.events if isinstance(each[1], Ended))
        return Spent(
            (spent.clock - read.clock) / ended.tokens, (spent.processor - read.processor) / ended.tokens
        )


class Subject(Engine):
    """The engine; `change` is made to every request, such as a limit of tokens."""

    def __init__(self, spec: ModelSpec, **settings: Any) -> None:
        super().__init__(spec, **settings)
        self.change: dict[str, Any] = {}
        self._course = Course()
        self._before = Spent(0, 0)

    async def begin(self) -> Course:
        """A new course, from now on."""
        await self.load()
        self._course, self._before = Course(), self._spent()
        return self._course

    async def generate(self, request: Generate) -> AsyncGenerator[Event]:
        self._course.prompt = request.prompt
        async with aclosing(super().generate(replace(request, **self.change))) as events:
            async for event in events:
                now = self._spent()
                since = Spent(now.clock - self._before.clock, now.processor - self._before.processor)
                self._course.events.append((since, event))
                yield event

    def _spent(self) -> Spent:
        return Spent(time.perf_counter(), processor_time(self.pid) if self.pid else 0)


class Conversation:
    """Goals given to the model one after the other; what it says stands in the transcript."""

    def __init__(self, spec: ModelSpec, engine: Subject) -> None:
        self._engine = engine
        self._model = LocalModel(spec, engine, dialect_for(spec, lambda: NOW))
        self._turns: list[Turn] = []

    async def ask(self, goal: str, tools: Sequence[Tool] = TOOLS) -> Course:
        """The course of one goal up to the end of its answer."""
        self._turns.append(Goal(goal))
        course = await self._engine.begin()
        said = ""
        async with aclosing(self._model.respond(tuple(self._turns), tools)) as pieces:
            async for piece in pieces:
                said += piece.text if isinstance(piece, Text) else ""
        self._turns.append(Reply(said))
        return course

    async def pause(self, seconds: float, tools: Sequence[Tool] = TOOLS) -> None:
        """The person reads the answer and types, and the model reads ahead meanwhile."""
        await self._model.read_ahead(tuple(self._turns), tools)
        await asyncio.sleep(seconds)


def rendered(file: Path, prompt: str | Chat) -> str:
    """A prompt as text."""
    if isinstance(prompt, str):
        return prompt
    return Template(read_header(file).template or "", "<|endoftext|>", "<|im_end|>").render(prompt)


def own_part(prompt: str) -> str:
    """The end of a prompt, from its last turn of the person on."""
    return prompt[prompt.rindex(_TURN) :]


def processor_time(pid: int) -> float:
    """Seconds of processor time that a process has used so far, in all its threads (proc(5))."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> tuple[int, int]:
    """The resident memory of a process now and at most so far, in bytes (proc(5))."""
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    sizes = {
        name: rest.split()[0] for name, _, rest in (line.partition(":") for line in lines) if rest.strip()
    }
    return int(sizes["VmRSS"]) * 1024, int(sizes["VmHWM"]) * 1024
