"""Tasks: listed by when they are due, added, ticked off, and moved on where they repeat."""

from datetime import datetime
from typing import Any

import pytest

from connectors.base import Effect, Needs

EVERY_BACKEND = "with time"


def at(world: Any, month: int, day: int) -> None:
    world.now = type(world.now)(datetime(2026, month, day, 10, tzinfo=world.now.zone), world.now.zone)


@pytest.fixture
def full(world: Any) -> Any:
    world.event("SUMMARY:Pay rent\nDUE;VALUE=DATE:20261201", name="rent", kind="VTODO")
    world.event(
        "SUMMARY:Water plants\nDESCRIPTION:balcony\nDUE;VALUE=DATE:20261204", name="plants", kind="VTODO"
    )
    world.event("SUMMARY:Milk", name="milk", kind="VTODO")
    world.event("SUMMARY:Old bill\nDUE;VALUE=DATE:20261120", name="bill", kind="VTODO")
    world.event("SUMMARY:Done\nSTATUS:COMPLETED\nDUE;VALUE=DATE:20261201", name="done", kind="VTODO")
    world.event("SUMMARY:Dentist\nDTSTART:20261203T140000Z", name="dentist")
    return world


async def test_open_tasks_are_listed_by_when_they_are_due(full: Any) -> None:
    outcome = await full.do("list_tasks")
    assert outcome.text == "4 open tasks."
    assert [(item.handle, item.label, item.detail) for item in outcome.items] == [
        (f"task:{full.prefix}home/bill", "Old bill", "overdue since Fri 20 Nov 2026 (calendar home)"),
        (f"task:{full.prefix}home/rent", "Pay rent", "due Tue 1 Dec 2026, tomorrow (calendar home)"),
        (f"task:{full.prefix}home/plants", "Water plants", "due Fri 4 Dec 2026, in 4 days (calendar home)"),
        (f"task:{full.prefix}home/milk", "Milk", "(calendar home)"),
    ]


@pytest.mark.parametrize(
    ("arguments", "titles"),
    [
        ({"when": "tomorrow"}, ["Pay rent"]),
        ({"when": "today"}, ["Old bill"]),
        ({"when": "this week"}, ["Old bill", "Pay rent", "Water plants"]),
        ({"search": "plants"}, ["Water plants"]),
        ({"search": "balcony"}, ["Water plants"]),
        ({"search": "cheese"}, []),
    ],
)
async def test_tasks_are_looked_for_by_day_and_words(
    full: Any, arguments: dict[str, str], titles: list[str]
) -> None:
    outcome = await full.do("list_tasks", **arguments)
    assert [item.label for item in outcome.items] == titles


async def test_a_task_is_no_event_and_an_event_no_task(full: Any) -> None:
    assert [title for title, _ in await full.agenda("2026-12-01 to 2026-12-31")] == ["Dentist"]
    assert (await full.refused("complete_task", task="dentist")).needs is Needs.NOT_FOUND
    assert (await full.refused("delete_event", event="milk")).needs is Needs.NOT_FOUND
    assert (await full.refused("delete_event", event=f"task:{full.prefix}home/milk")).needs is Needs.NOT_FOUND
    assert (await full.refused("complete_task", task="event:home/dentist")).needs is Needs.NOT_FOUND


@pytest.mark.parametrize(
    ("due", "shown", "written"),
    [
        ("friday", "Fri 4 Dec 2026", "DUE;VALUE=DATE:20261204"),
        (
            "friday at noon",
            "Fri 4 Dec 2026 12:00 Europe/Copenhagen",
            "DUE;TZID=Europe/Copenhagen:20261204T120000",
        ),
        ("this week", "Sun 6 Dec 2026", "DUE;VALUE=DATE:20261206"),
        (None, "no date", "STATUS:NEEDS-ACTION"),
    ],
)
async def test_a_task_is_added(world: Any, due: str | None, shown: str, written: str) -> None:
    prepared = await world.ready("add_task", title="Call the bank", due=due)
    assert prepared.preview.title == "Add the task “Call the bank”"
    assert prepared.effects == {Effect.WRITE}
    assert world.field(prepared, "Due").value == shown
    outcome = await world.connector.perform(prepared)
    assert outcome.ok
    assert [item.label for item in (await world.do("list_tasks")).items] == ["Call the bank"]
    (data,) = (data for name, data in world.snapshot().items() if name.endswith(".ics"))
    assert written in data.decode().replace("\r\n ", "")


async def test_what_is_missing_or_unclear_is_asked_for(full: Any) -> None:
    assert (await full.asked("add_task")).argument == "title"
    assert (await full.asked("add_task", title="X", due="next friday")).argument == "due"
    question = await full.asked("complete_task")
    assert question.argument == "task"
    assert len(question.options) == 4


async def test_a_task_is_ticked_off(full: Any) -> None:
    prepared = await full.ready("complete_task", task="water the plants")
    assert prepared.preview.title == "Tick off “Water plants”"
    assert full.field(prepared, "Due").value == "Fri 4 Dec 2026"
    outcome = await full.connector.perform(prepared)
    assert outcome.text == "Ticked off. It is not open any more."
    assert "STATUS:COMPLETED" in full.text("plants")
    assert "COMPLETED:20261130T090000Z" in full.text("plants")
    assert "PERCENT-COMPLETE:100" in full.text("plants")
    again = await full.refused("complete_task", task=f"task:{full.prefix}home/plants")
    assert again.text == "That task is not open any more."


async def test_two_that_fit_are_asked_about(full: Any) -> None:
    full.event("SUMMARY:Pay water bill", name="water", kind="VTODO")
    question = await full.asked("complete_task", task="bill")
    assert [option.arguments for option in question.options] == [
        {"task": f"task:{full.prefix}home/bill"},
        {"task": f"task:{full.prefix}home/water"},
    ]
    prepared = await full.ready("complete_task", **full.picked(question, "Old"))
    assert prepared.preview.title == "Tick off “Old bill”"


@pytest.mark.parametrize(
    ("lines", "month", "day", "due"),
    [
        ("DUE;VALUE=DATE:20261130\nRRULE:FREQ=DAILY", 11, 30, "DUE;VALUE=DATE:20261201"),
        ("DUE;VALUE=DATE:20261103\nRRULE:FREQ=WEEKLY", 11, 30, "DUE;VALUE=DATE:20261201"),
        (
            "DTSTART;TZID=Europe/Copenhagen:20261130T080000\nDUE;TZID=Europe/Copenhagen:20261130T200000\n"
            "RRULE:FREQ=MONTHLY;COUNT=3",
            11,
            30,
            "DUE;TZID=Europe/Copenhagen:20261230T200000",
        ),
    ],
)
async def test_a_repeating_task_moves_to_its_next_time(
    world: Any, lines: str, month: int, day: int, due: str
) -> None:
    world.event(f"SUMMARY:Plants\n{lines}", kind="VTODO")
    at(world, month, day)
    await world.do("complete_task", task="plants")
    assert due in world.text()
    assert "NEEDS-ACTION" in world.text()


async def test_the_last_time_of_a_repeating_task_is_the_end_of_it(world: Any) -> None:
    world.event("SUMMARY:Plants\nDTSTART;VALUE=DATE:20261130\nRRULE:FREQ=DAILY;COUNT=2", kind="VTODO")
    await world.do("complete_task", task="plants")
    assert "COUNT=1" in world.text()
    outcome = await world.do("complete_task", task="plants")
    assert outcome.text == "Ticked off. It is not open any more."


async def test_a_repeating_task_that_cannot_be_worked_out_is_left_alone(world: Any) -> None:
    world.event("SUMMARY:Plants\nDTSTART:20261130T080000Z\nRRULE:FREQ=SECONDLY", kind="VTODO")
    before = world.snapshot()
    outcome = await world.refused("complete_task", task="plants")
    assert outcome.needs is Needs.UNSUPPORTED
    assert world.snapshot() == before


async def test_a_task_with_a_date_that_cannot_be_read_is_named(full: Any) -> None:
    full.event("SUMMARY:Plants\nDUE:whenever", name="odd", kind="VTODO")
    outcome = await full.do("list_tasks")
    assert len(outcome.items) == 4
    assert "home/odd.ics: something in it cannot be read." in outcome.text


async def test_a_broken_file_is_named_beside_the_tasks(full: Any) -> None:
    full.raw(b"junk", name="bad")
    outcome = await full.do("list_tasks")
    assert len(outcome.items) == 4
    assert "home/bad.ics: it is not an iCalendar file." in outcome.text
