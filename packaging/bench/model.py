"""From a typed goal to the first call the starter asks for, beside llama.cpp alone with the same tokens.

Both run in a process of their own with the same weights and threads, goal by goal in turn, so that what else
the machine does falls on both alike.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path

from rows import Row, timed

from assistant.model.base import Goal, NoToolFits, Wish
from assistant.model.dialects.base import Guard
from assistant.model.dialects.starter import StarterDialect
from assistant.model.host.engine import Engine, spare_threads
from assistant.model.local import LocalModel
from assistant.model.spec import ModelSpec
from assistant.model.starter import starter_spec
from assistant.model.starter.fetch import fetch_starter
from assistant.model.wire import Event, Generate, Load, Said, encode_request
from connectors.base import Tool
from connectors.calendar.tools import TOOLS as CALENDAR
from connectors.files.tools import TOOLS as FILES
from connectors.messaging.tools import TOOLS as MESSAGING
from connectors.settings.tools import TOOLS as SETTINGS
from tui.places import usual

HERE = Path(__file__).resolve().parent
TOOLS: tuple[Tool, ...] = (*CALENDAR, *FILES, *MESSAGING, *SETTINGS)


def run() -> list[Row]:
    goals = (HERE / "goals.txt").read_text("utf-8").splitlines()
    return asyncio.run(_measure(goals))


class _Overheard(Engine):
    """An engine that keeps what was said."""

    said = ""

    async def generate(self, request: Generate) -> AsyncGenerator[Event]:
        self.said = ""
        async for event in super().generate(request):
            if isinstance(event, Said):
                self.said += event.text
            yield event


async def _measure(goals: list[str]) -> list[Row]:
    cache = usual().cache
    await fetch_starter(cache)
    spec = starter_spec(cache)
    engine = _Overheard(spec)
    model = LocalModel(spec, engine, StarterDialect())
    began = time.perf_counter()
    await model.warm_up()
    loading = time.perf_counter() - began
    began = time.perf_counter()
    raw = _Raw(spec, engine.plain)
    raw_loading = time.perf_counter() - began
    ours, theirs = [], []
    for goal in goals:
        ours.append(await _first_call(model, goal))
        request = StarterDialect().request([Goal(goal)], TOOLS, Guard())
        assert request
        theirs.append(raw.seconds(str(request.prompt), engine.said.partition("\n")[0]))
    await model.close()
    raw.close()
    middle, slow = statistics.median, lambda times: statistics.quantiles(times, n=20)[-1]
    return [
        timed("model: load the starter", loading, raw_loading, "llama.cpp alone"),
        timed("model: goal to first call, p50", middle(ours), middle(theirs), "llama.cpp alone"),
        timed("model: goal to first call, p95", slow(ours), slow(theirs), "llama.cpp alone"),
    ]


async def _first_call(model: LocalModel, goal: str) -> float:
    """Seconds to the first call or to the word that nothing fits; the rest of the answer is heard out."""
    began, first = time.perf_counter(), None
    async for piece in model.respond([Goal(goal)], TOOLS):
        if first is None and isinstance(piece, Wish | NoToolFits):
            first = time.perf_counter() - began
    return first or time.perf_counter() - began


class _Raw:
    """llama-cpp-python in a process of its own."""

    def __init__(self, spec: ModelSpec, plain: bool) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "raw_llama.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=HERE.parents[1],
        )
        adapter = str(spec.adapter) if spec.adapter else None
        request = Load(str(spec.path), adapter, spec.context, spare_threads(), plain=plain)
        self._tell(encode_request(request))
        self.seconds("warm", "up")

    def seconds(self, prompt: str, answer: str) -> float:
        self._tell(json.dumps({"prompt": prompt, "answer": answer}).encode() + b"\n")
        assert self._process.stdout
        return float(self._process.stdout.readline())

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()

    def _tell(self, line: bytes) -> None:
        assert self._process.stdin
        self._process.stdin.write(line)
        self._process.stdin.flush()
