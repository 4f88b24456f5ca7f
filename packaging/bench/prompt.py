"""From a typed goal to the permission prompt, beside the model's answer alone, and on to the screen."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import prompt_screen
from rows import Row, timed

from assistant.events import Event
from assistant.frontend import Answer
from assistant.model.base import Goal
from connectors.base import Question
from permissions.words import Decision, Reply, Request
from tui.compose import open_home
from tui.home import Home
from tui.places import below, usual

GOALS = Path(__file__).with_name("goals.txt")
NOW = datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Europe/Copenhagen"))


class Watch:
    """Notes when the first question comes, and says no to everything."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self.asked_after: float | None = None
        self.requests: list[Request] = []

    async def show(self, event: Event) -> None:
        return None

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        self._note()
        self.requests += requests
        return [Decision(Reply.STOP)] * len(requests)

    async def choose(self, question: Question) -> Answer:
        self._note()
        return Answer(None)

    def _note(self) -> None:
        if self.asked_after is None:
            self.asked_after = time.perf_counter() - self._began


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        places = below(Path(folder), usual().cache)
        places.make()
        return asyncio.run(_measure(open_home(places, demo=True, clock=lambda: NOW)))


async def _measure(home: Home) -> list[Row]:
    await home.prepare_model(lambda stage, fraction: None)
    ours, alone = [], []
    requests: list[Request] = []
    for goal in GOALS.read_text("utf-8").splitlines():
        watch = Watch()
        await home.run(goal, watch)
        requests += watch.requests
        if watch.asked_after is not None:
            ours.append(watch.asked_after)
            alone.append(await _answer(home, goal))
    middle, slow = statistics.median, lambda times: statistics.quantiles(times, n=20)[-1]
    screen = await prompt_screen.rows(home, requests)  # The app closes the home when it ends.
    return [
        *screen,
        timed(f"goal to prompt, p50 of {len(ours)}", middle(ours), middle(alone), "the model's answer alone"),
        timed("goal to prompt, p95", slow(ours), slow(alone), "the model's answer alone"),
    ]


async def _answer(home: Home, goal: str) -> float:
    """Seconds until the model has answered a goal in full, with nothing said before it."""
    began = time.perf_counter()
    async for _ in home.planner.respond([Goal(goal)], home.tools):
        pass
    return time.perf_counter() - began
