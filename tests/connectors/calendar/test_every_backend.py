"""What holds wherever calendars are kept: in a folder, on Radicale, Xandikos and Cyrus."""

from typing import Any

import pytest

from connectors.base import Needs, Outcome, Prepared

EVERY_BACKEND = True

WEEKLY = """
SUMMARY:Yoga
DTSTART;TZID=Europe/Copenhagen:20261124T180000
DTEND;TZID=Europe/Copenhagen:20261124T190000
RRULE:FREQ=WEEKLY;COUNT=6
EXDATE;TZID=Europe/Copenhagen:20261215T180000
"""
ONCE = "SUMMARY:Dentist\nDTSTART:20261204T140000Z\nDTEND:20261204T143000Z"
BROKEN = "SUMMARY:Odd\nDTSTART:20261204T240000Z"
CREATED = {
    "title": "Lunch; with, Ana",
    "when": "friday at noon",
    "place": "Café “Größe”",
    "notes": "one\ntwo",
}


async def test_an_event_is_made_found_changed_deleted_and_brought_back(world: Any) -> None:
    world.calendar("home")
    made = await world.do("create_event", **CREATED)
    assert made.text == "Added. It is on Fri 4 Dec 2026 12:00-13:00 Europe/Copenhagen."
    moved = await world.do("change_event", event="lunch", when="at 13:00", title="Late lunch")
    assert moved.text == "Changed. It is on Fri 4 Dec 2026 13:00-14:00 Europe/Copenhagen."
    gone = await world.do("delete_event", event="late lunch")
    assert gone.text == "Deleted. It is in the calendar no more."
    assert await world.agenda("friday") == []
    assert (await world.take_back(gone)).ok
    assert (await world.take_back(moved)).ok
    assert await world.agenda("friday") == [("Lunch; with, Ana", "Fri 4 Dec 2026 12:00-13:00, Café “Größe”")]
    assert (await world.take_back(made)).ok
    assert await world.agenda("friday") == []


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("this", ["1 Dec 2026 18:00", "8 Dec 2026 20:00", "22 Dec 2026 18:00", "29 Dec 2026 18:00"]),
        ("following", ["1 Dec 2026 18:00", "8 Dec 2026 20:00", "22 Dec 2026 20:00", "29 Dec 2026 20:00"]),
        ("all", ["1 Dec 2026 20:00", "8 Dec 2026 20:00", "22 Dec 2026 20:00", "29 Dec 2026 20:00"]),
    ],
)
async def test_a_series_is_moved_as_was_said_and_a_date_taken_out_stays_out(
    world: Any, scope: str, expected: list[str]
) -> None:
    handle = world.event(WEEKLY)
    outcome = await world.do("change_event", event=handle, on="2026-12-08", when="at 20:00", series=scope)
    assert [detail[4:].partition("-")[0] for _, detail in await world.agenda("december")] == expected
    assert (await world.take_back(outcome)).ok
    assert {detail[-11:] for _, detail in await world.agenda("december")} == {"18:00-19:00"}


async def test_one_occurrence_deleted_leaves_the_others(world: Any) -> None:
    handle = world.event(WEEKLY)
    outcome = await world.do("delete_event", event=handle, on="2026-12-08", series="this")
    assert len(await world.agenda("december")) == 3
    assert (await world.take_back(outcome)).ok
    assert len(await world.agenda("december")) == 4


async def test_an_edit_made_elsewhere_between_asking_and_doing_is_a_conflict(world: Any) -> None:
    world.event(ONCE)
    prepared = [
        await world.ready("change_event", event="dentist", when="at 16:00"),
        await world.ready("delete_event", event="dentist"),
    ]
    world.event(ONCE + "\nLOCATION:New street")
    for each in prepared:
        outcome = await world.connector.perform(each)
        assert outcome.needs is Needs.CONFLICT
    assert "LOCATION:New street" in world.text()
    assert (await world.do("change_event", event="dentist", when="at 16:00")).ok
    assert "LOCATION:New street" in world.text()


async def test_of_two_edits_of_one_occurrence_the_second_is_a_conflict(world: Any) -> None:
    handle = world.event(WEEKLY)
    first = await world.ready("change_event", event=handle, on="2026-12-08", title="A", series="this")
    second = await world.ready("change_event", event=handle, on="2026-12-08", title="B", series="this")
    assert (await world.connector.perform(first)).ok
    assert (await world.connector.perform(second)).needs is Needs.CONFLICT
    assert [title for title, _ in await world.agenda("2026-12-08")] == ["A"]


async def test_an_undo_after_an_edit_elsewhere_is_a_conflict(world: Any) -> None:
    world.event(ONCE)
    outcome = await world.do("change_event", event="dentist", when="at 16:00")
    world.event(ONCE + "\nLOCATION:New street")
    undone = await world.connector.prepare(outcome.undo, world.now)
    assert isinstance(undone, Outcome)
    assert undone.needs is Needs.CONFLICT


async def test_whole_days_stay_whole_days(world: Any) -> None:
    world.calendar("home")
    await world.do("create_event", title="Fair", when="2026-12-10 to 2026-12-11")
    for zone in ("Pacific/Kiritimati", "America/Los_Angeles"):
        world.be_in(zone)
        assert await world.agenda("2026-12-11") == [("Fair", "Thu 10 Dec 2026 to Fri 11 Dec 2026")]
        assert await world.agenda("2026-12-12") == []


async def test_what_is_written_defines_its_zone_and_holds_no_method(world: Any) -> None:
    await world.do("create_event", title="Call", when="every Tuesday at 9:00")
    (data,) = [each for name, each in world.snapshot().items() if name.endswith(".ics")]
    text = data.decode().replace("\r\n", "\n")
    assert "TZID:Europe/Copenhagen" in text
    assert "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10" in text
    assert "METHOD" not in text


async def test_tasks_are_added_ticked_off_and_brought_back(world: Any) -> None:
    await world.do("add_task", title="Buy milk", due="friday")
    outcome = await world.do("complete_task", task="milk")
    assert outcome.text == "Ticked off. It is not open any more."
    assert (await world.take_back(outcome)).ok
    listed = await world.do("list_tasks")
    assert [item.label for item in listed.items] == ["Buy milk"]


async def test_a_calendar_that_is_read_only_is_not_written_to(world: Any) -> None:
    world.event(ONCE)
    world.restart(read_only=("home",))
    for verb, arguments in (
        ("create_event", CREATED),
        ("delete_event", {"event": "dentist"}),
        ("change_event", {"event": "dentist", "when": "at 16:00"}),
    ):
        assert (await world.refused(verb, **arguments)).needs is Needs.READ_ONLY
    assert await world.agenda("friday") != []


async def test_a_restart_forgets_nothing(world: Any) -> None:
    outcome = await world.do("create_event", **CREATED)
    world.restart()
    assert [item.label for item in (await world.do("list_events", when="friday")).items] == [CREATED["title"]]
    assert (await world.take_back(outcome)).ok


async def test_a_preview_shows_what_takes_place_at_the_same_time_elsewhere(world: Any) -> None:
    world.event(ONCE)
    prepared = await world.ready("create_event", title="Call", when="friday at 15:15")
    assert isinstance(prepared, Prepared)
    assert world.field(prepared, "Clash").value.startswith("Dentist, Fri 4 Dec 2026 15:00-15:30")
    world.event("SUMMARY:Nap\nDTSTART:20261204T141500Z\nDTEND:20261204T150000Z", name="nap")
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT
