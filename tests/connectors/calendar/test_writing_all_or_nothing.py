"""A change of two files is written whole or not at all, and never half in silence."""

import errno
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Call, Needs, Prepared
from connectors.calendar import change
from connectors.calendar.config import Config
from connectors.calendar.desk import Desk
from connectors.calendar.index import Index
from connectors.calendar.records import Records
from connectors.calendar.store import Moved, Place
from connectors.calendar.tools import ChangeEvent
from connectors.calendar.vdir import Vdir
from connectors.calendar.write import HalfWritten

YOGA = "SUMMARY:Yoga\nDTSTART;TZID=Europe/Copenhagen:20261103T180000\nRRULE:FREQ=WEEKLY"


class FullDisk(Vdir):
    """A folder whose disk takes a number of files and then no more."""

    def __init__(self, root: Path, takes: int, *, stuck: bool = False) -> None:
        super().__init__(root)
        self.takes = takes
        self.stuck = stuck

    def put(self, place: Place, data: bytes | None, expected: bytes | None) -> bytes | None:
        if self.takes == 0 and (self.stuck or data is not None):
            raise OSError(errno.ENOSPC, "No space left on device")
        kept = super().put(place, data, expected)
        self.takes = max(self.takes - 1, 0)
        return kept


def split_in(world: Any, vdir: Vdir) -> tuple[Desk, Prepared]:
    desk = Desk(vdir, Index(vdir), Records(world.state), Config(), world.book)
    desk.index.refresh()
    wanted = ChangeEvent(event="yoga", on="2026-12-08", when="at 19:00", series="following")
    prepared = change.prepare(desk, Call("1", "calendar.change_event", {}), wanted, world.now)
    assert isinstance(prepared, Prepared)
    return desk, prepared


def test_when_the_second_file_does_not_fit_the_first_is_put_back(world: Any) -> None:
    world.event(YOGA)
    before = world.snapshot()
    desk, prepared = split_in(world, FullDisk(world.folder, takes=1))
    outcome = change.perform(desk, prepared)
    assert outcome.needs is Needs.NO_SPACE
    assert world.snapshot() == before
    assert list(world.state.glob("*.json")) == []


def test_what_could_not_be_put_back_is_named_and_its_record_kept(world: Any) -> None:
    world.event(YOGA)
    before = world.text()
    desk, prepared = split_in(world, FullDisk(world.folder, takes=1, stuck=True))
    with pytest.raises(HalfWritten, match=r"written in part: home/[0-9a-f]{8}\.ics\."):
        change.perform(desk, prepared)
    assert world.text() == before, "what is written first is the new file, so that nothing is missing"
    assert len(list(world.state.glob("*.json"))) == 1


def test_a_file_is_only_replaced_if_it_is_what_was_expected(world: Any) -> None:
    world.event(YOGA)
    vdir = Vdir(world.folder)
    place = Place("home", "event.ics")
    now = vdir.read(place)
    for expected in (None, b"something else"):
        with pytest.raises(Moved):
            vdir.put(place, b"new", expected)
    assert vdir.read(place) == now
    vdir.put(place, b"new", now)
    assert vdir.read(place) == b"new"


async def test_a_payload_of_another_making_is_not_carried_out(world: Any) -> None:
    world.event(YOGA)
    prepared = await world.ready("delete_event", event="yoga", series="all")
    forged = replace(prepared, payload={**prepared.payload, "changes": [{"file": "../x/y", "content": None}]})
    outcome = await world.connector.perform(forged)
    assert outcome.needs is Needs.INVALID
    assert len(world.snapshot()) == 1
