"""Two writers and a server that fails at random: no edit is lost and no series is deleted unasked.

ASKFIRST_FAULT_RUNS sets how many seeded runs there are.
"""

import os
import random
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from connectors.base import Needs, Outcome, Prepared
from tests.connectors.calendar_servers import CalendarServer
from tests.connectors.faults import Fault, fault_proxy

RUNS = int(os.environ.get("ASKFIRST_FAULT_RUNS", "6"))
STEPS = 6
SERIES = """
SUMMARY:{title}
DESCRIPTION:{notes}
DTSTART;TZID=Europe/Copenhagen:20261201T180000
DTEND;TZID=Europe/Copenhagen:20261201T190000
RRULE:FREQ=WEEKLY;COUNT=8
"""
# Without the slow ones, which only cost time here.
FAULTS = [each for each in Fault if each not in (Fault.NONE, Fault.SLOW, Fault.SIGN_IN)]
CERTAIN = (Needs.CONFLICT, Needs.UNAVAILABLE, Needs.OFFLINE, Needs.NOT_FOUND, Needs.SIGNED_OUT)


class Run:
    """One seeded run: our connector behind a proxy, and another program that edits the notes."""

    def __init__(self, world: Any, proxy: Any, seed: int) -> None:
        self.world, self.proxy = world, proxy
        self.chance = random.Random(seed)
        self.notes = "edit 0"
        world.event(SERIES.format(title="Choir", notes=self.notes), name="choir")

    async def step(self, number: int) -> None:
        verb, arguments = self._wish(number)
        prepared = await self._calmly(verb, arguments)
        if not isinstance(prepared, Prepared):
            return
        if self.chance.random() < 0.4:
            self._edit_elsewhere(number)
        before = self.world.text("choir")
        self.proxy.choose = self._trouble
        outcome = await self.world.connector.perform(prepared)
        self.proxy.choose = lambda method, path: Fault.NONE
        self._check(outcome, before)
        if outcome.ok and outcome.undo and self.chance.random() < 0.3:
            undo = await self.world.connector.prepare(outcome.undo, self.world.now)
            if isinstance(undo, Prepared):
                await self.world.connector.perform(undo)
                self._check_kept()

    def _wish(self, number: int) -> tuple[str, dict[str, Any]]:
        day = f"2026-12-{self.chance.choice((8, 15, 22)):02}"
        scope = self.chance.choice(("this", "all"))
        verb = self.chance.choice(("change_event", "change_event", "delete_event"))
        handle = "event:dav~home/choir"
        if verb == "delete_event":
            return verb, {"event": handle, "on": day, "series": "this"}
        return verb, {"event": handle, "on": day, "series": scope, "title": f"Title {number}"}

    async def _calmly(self, verb: str, arguments: dict[str, Any]) -> Any:
        return await self.world.prepare(verb, **arguments)

    def _edit_elsewhere(self, number: int) -> None:
        """Another program changes the notes of the series, on top of what is there."""
        text = self.world.text("choir")
        self.notes = f"edit {number + 1}"
        lines = [
            f"DESCRIPTION:{self.notes}" if line.startswith("DESCRIPTION:") else line
            for line in text.split("\n")
        ]
        self.world.server.put("home/choir.ics", "\r\n".join(lines).encode())

    def _trouble(self, method: str, path: str) -> Fault:
        if method in ("PUT", "DELETE") and self.chance.random() < 0.2:
            self._edit_elsewhere(self.chance.randrange(100, 10_000))
        return self.chance.choice(FAULTS) if self.chance.random() < 0.4 else Fault.NONE

    def _check(self, outcome: Outcome, before: str) -> None:
        self._check_kept()
        if not outcome.ok and outcome.needs in CERTAIN and "was written" not in outcome.text:
            ours = [line for line in self.world.text("choir").split("\n") if line.startswith("SUMMARY")]
            assert ours == [line for line in before.split("\n") if line.startswith("SUMMARY")], outcome

    def _check_kept(self) -> None:
        text = self.world.text("choir")
        assert f"DESCRIPTION:{self.notes}\n" in text, text
        assert "RRULE:FREQ=WEEKLY;COUNT=8" in text


@pytest.mark.timeout(60 + RUNS * 5)
async def test_no_edit_is_lost_and_no_series_deleted(
    tmp_path: Path, radicale: CalendarServer, server_world: Any
) -> None:
    parts = urlsplit(radicale.url)
    assert parts.hostname
    assert parts.port
    with fault_proxy(parts.hostname, parts.port) as proxy:
        for seed in range(RUNS):
            folder = tmp_path / str(seed)
            folder.mkdir()
            world = server_world(folder, radicale, url=f"http://127.0.0.1:{proxy.port}/", timeout=2)
            run = Run(world, proxy, seed)
            for number in range(STEPS):
                await run.step(number)
            world.connector.close()
