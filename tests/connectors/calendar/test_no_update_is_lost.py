"""Two writers and a server that fails at random: no edit is lost, none made twice, no series deleted unasked.

ASKFIRST_FAULT_RUNS sets how many seeded runs there are, ASKFIRST_FAULT_SEED the first seed; what came of them
is logged.
"""

import logging
import os
import random
from collections import Counter
from collections.abc import Sequence
from datetime import date, time, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from connectors.base import Needs, Outcome, Prepared
from tests.connectors.calendar.two_writers import Item, Meddler, Occurrence, State, Wish, read_state
from tests.connectors.calendar_servers import CalendarServer
from tests.connectors.faults import Fault, FaultProxy, fault_proxy

RUNS = int(os.environ.get("ASKFIRST_FAULT_RUNS", "24"))
FIRST = int(os.environ.get("ASKFIRST_FAULT_SEED", "0"))
STEPS = 6
CHOIR = """
BEGIN:VEVENT
UID:choir
DTSTAMP:20260101T000000Z
SUMMARY:Choir
DESCRIPTION:edit 0
DTSTART;TZID=Europe/Copenhagen:20261201T180000
DTEND;TZID=Europe/Copenhagen:20261201T190000
RRULE:FREQ=WEEKLY;COUNT=8
EXDATE;TZID=Europe/Copenhagen:20270105T180000
END:VEVENT
BEGIN:VEVENT
UID:choir
DTSTAMP:20260101T000000Z
SUMMARY:Choir
DESCRIPTION:edit 0
RECURRENCE-ID;TZID=Europe/Copenhagen:20261222T180000
DTSTART;TZID=Europe/Copenhagen:20261222T203000
DTEND;TZID=Europe/Copenhagen:20261222T213000
END:VEVENT
"""
# Without the slow ones, which only cost time here.
FAULTS = [each for each in Fault if each not in (Fault.NONE, Fault.SLOW, Fault.SIGN_IN)]
WRITES = ("PUT", "DELETE")


class Run:
    """One seeded run: our calendar behind a proxy, and another program that changes the same series."""

    def __init__(self, world: Any, proxy: FaultProxy, seed: int, came: Counter[str]) -> None:
        self.world, self.proxy, self.came = world, proxy, came
        self.chance = random.Random(seed)
        self.other = Meddler(world.server, self.chance)
        world.file(CHOIR, name="choir")

    async def step(self, number: int) -> None:
        before = read_state(self.world.server)
        name, wish = self._wish(number, before)
        if wish is None:
            return
        prepared = await self.world.prepare(wish.verb, **wish.arguments(name))
        if not isinstance(prepared, Prepared):
            # Another's edit of a moment ago may not be known yet, and what was moved not be on its day.
            self.came["not prepared"] += 1
            return
        if self.chance.random() < 0.4:
            self.other.meddle()
        now = read_state(self.world.server)
        wanted = _wanted(now, name, wish)
        outcome = await self._troubled(prepared)
        self._judge(outcome, now, wanted, (name,), moved=now.get(name) != before.get(name))
        if outcome.ok and outcome.undo and self.chance.random() < 0.4:
            await self._take_back(outcome, now, _files(prepared))

    async def look_again(self) -> None:
        """After a restart, what was remembered of the server is brought in step with it, day for day."""
        self.world.restart()
        listed = await self.world.do("list_events", when="2026-11-01 to 2027-05-31")
        known = sorted((item.label, item.detail.partition("-")[0]) for item in listed.items)
        there = [
            (each.title, f"{day:%a} {day.day} {day:%b %Y} {each.at:%H:%M}")
            for item in read_state(self.world.server).values()
            for day, each in item.days.items()
        ]
        assert known == sorted(there)

    async def _take_back(self, outcome: Outcome, before: State, names: Sequence[str]) -> None:
        """Each file of the change is as it was before again, unless another has changed one since."""
        done = read_state(self.world.server)
        if self.chance.random() < 0.3:
            self.other.meddle()
        undo = await self.world.connector.prepare(outcome.undo, self.world.now)
        if not isinstance(undo, Prepared):
            self.came["undo not prepared"] += 1
            return
        now = read_state(self.world.server)
        wanted = {name: each for name, each in now.items() if name not in names}
        wanted |= {name: before[name] for name in names if name in before}
        taken = await self._troubled(undo)
        self._judge(taken, now, [wanted], names, moved=any(now.get(each) != done.get(each) for each in names))

    async def _troubled(self, prepared: Prepared) -> Outcome:
        self.edited: dict[str, str] = {}
        self.proxy.choose = self._trouble
        outcome: Outcome = await self.world.connector.perform(prepared)
        self.proxy.choose = lambda method, path: Fault.NONE
        return outcome

    def _trouble(self, method: str, path: str) -> Fault:
        if method in WRITES and self.chance.random() < 0.2:
            self._edit_meanwhile()
        faults = [*FAULTS, Fault.SIGN_IN] if method in WRITES else FAULTS
        return self.chance.choice(faults) if self.chance.random() < 0.4 else Fault.NONE

    def _edit_meanwhile(self) -> None:
        """The other program writes in the midst of ours."""
        state = {name: each for name, each in read_state(self.world.server).items() if each.notes}
        if state:
            name = self.chance.choice(sorted(state))
            self.other.edit_notes(name, date.min, state[name])
            self.edited[name] = read_state(self.world.server)[name].notes

    def _wish(self, number: int, state: State) -> tuple[str, Wish | None]:
        if self.chance.random() < 0.2:
            day = date(2027, 2, 1) + timedelta(days=number)
            return "", Wish("create_event", day, "", f"Lunch {number}", time(12))
        series = {name: each for name, each in state.items() if len(each.days) > 2 and each.notes}
        if not series:
            return "", None
        name = self.chance.choice(sorted(series))
        day = self.chance.choice(sorted(series[name].days))
        scope = self.chance.choice(("this", "following", "all"))
        verb = self.chance.choice(("change_event", "change_event", "change_event", "delete_event"))
        if verb == "delete_event":
            return name, Wish(verb, day, self.chance.choice(("this", "this", "following")))
        if self.chance.random() < 0.5:
            return name, Wish(verb, day, scope, title=f"Title {number}")
        return name, Wish(verb, day, scope, at=time(self.chance.randrange(9, 17), 15 + number))

    def _judge(
        self, outcome: Outcome, before: State, wanted: Sequence[State], names: Sequence[str], moved: bool
    ) -> None:
        """Hold what is there now to what was asked for, and to what was said of it."""
        now = self._without_edits(read_state(self.world.server), before)
        said = f"{outcome.needs} {outcome.text}"
        half = "in part" in outcome.text
        self.came[f"half {outcome.needs}" if half else "done" if outcome.ok else str(outcome.needs)] += 1
        if outcome.ok:
            assert not moved, f"{said}: {names} was another by then"
            assert any(_same(now, each) for each in wanted), (said, now, wanted)
        elif outcome.needs is Needs.TIMEOUT or half or "was written" in outcome.text:
            assert any(_between(now, before, each) for each in wanted), (said, now, before, wanted)
        else:
            assert _same(now, before), (said, now, before)

    def _without_edits(self, now: State, before: State) -> State:
        """The state without the notes written meanwhile, each of which has to be there."""
        found = dict(now)
        for name, notes in self.edited.items():
            assert name in now, f"{name}, edited meanwhile, is gone"
            assert now[name].notes == notes, f"an edit of {name} is lost"
            was = before.get(name)
            old = was.notes if was else next(each.notes for each in before.values() if each.notes)
            found[name] = Item(now[name].at, now[name].title, old, now[name].days)
        return found


def _wanted(state: State, name: str, wish: Wish) -> list[State]:
    """The states that a wish may lead to: a new file has any name."""
    if wish.verb == "create_event":
        assert wish.at
        return [{**state, "": Item(wish.at, wish.title, "", {wish.day: Occurrence(wish.at, wish.title)})}]
    if wish.day not in state[name].days:
        return [state]
    changed = wish.of(state[name])
    rest = {each: item for each, item in state.items() if each != name}
    if not changed:
        return [rest]
    return [{**rest, name: changed[0], **({"": changed[1]} if changed[1:] else {})}]


def _files(prepared: Prepared) -> list[str]:
    """The names of the files that a change is about."""
    changes: Any = prepared.payload["changes"]
    return [f"{str(each['file']).rpartition('/')[2]}.ics" for each in changes]


def _same(now: State, wanted: State) -> bool:
    """True where both hold the same, whatever new files are called."""
    return not _missing(now, wanted) and not _missing(wanted, now)


def _between(now: State, before: State, wanted: State) -> bool:
    """True where every file is as it was or as it should be."""
    return not _missing({name: each for name, each in now.items() if before.get(name) != each}, wanted)


def _missing(state: State, other: State) -> list[Item]:
    """What of one state is not in another."""
    left = [_bare(each) for each in other.values()]
    return [each for each in state.values() if _bare(each) not in left]


def _bare(item: Item) -> tuple[object, ...]:
    return item.notes, tuple(sorted((day, each.at, each.title) for day, each in item.days.items()))


async def _run(run: Run, seed: int) -> None:
    try:
        for number in range(STEPS):
            await run.step(number)
        await run.look_again()
    except AssertionError as error:
        error.add_note(f"in the run of seed {seed}")
        raise


@pytest.mark.timeout(60 + RUNS * 10)
async def test_no_edit_is_lost_or_made_twice_and_no_series_deleted(
    tmp_path: Path, radicale: CalendarServer, server_world: Any
) -> None:
    parts = urlsplit(radicale.url)
    assert parts.hostname
    assert parts.port
    came: Counter[str] = Counter()
    with fault_proxy(parts.hostname, parts.port) as proxy:
        for seed in range(FIRST, FIRST + RUNS):
            folder = tmp_path / str(seed)
            folder.mkdir()
            world = server_world(folder, radicale, url=f"http://127.0.0.1:{proxy.port}/", timeout=2)
            await _run(Run(world, proxy, seed, came), seed)
            world.connector.close()
    logging.getLogger(__name__).warning("%d runs: %s", RUNS, dict(came))
    assert RUNS < 24 or min(came["done"], came[Needs.CONFLICT], came[Needs.TIMEOUT]) > 0, came
