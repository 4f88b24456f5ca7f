"""A file that cannot be read is named, and hides nothing else."""

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Needs

GOOD = "SUMMARY:Dentist\nDTSTART:20261203T140000Z\nDTEND:20261203T143000Z"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("SUMMARY:A\nDTSTART:20260302T240000Z", "its DTSTART cannot be read"),
        ("SUMMARY:A", "it has no DTSTART"),
        ("SUMMARY:A\nDTSTART:20261203T140000Z\nDTSTART:20261203T150000Z", "it has more than one DTSTART"),
        ("SUMMARY:A\nDTSTART:20261203T140000Z\nRRULE:FREQ=WEEKLY;BYDAY=XX", "its RRULE cannot be read"),
        ("SUMMARY:A\nDTSTART:20261203T140000Z\nEXDATE:never", "its EXDATE cannot be read"),
        (
            "SUMMARY:A\nDTSTART:20000101T000000Z\nRRULE:FREQ=SECONDLY",
            "it repeats every few minutes or seconds",
        ),
        (
            "SUMMARY:A\nDTSTART:20000101T000000Z\nRRULE:FREQ=MINUTELY",
            "it repeats every few minutes or seconds",
        ),
        (
            "SUMMARY:A\nDTSTART:20261201T000000Z\nRRULE:FREQ=DAILY;INTERVAL=0",
            "it repeats at an interval of zero",
        ),
        (
            "SUMMARY:A\nDTSTART:20261201T000000Z\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
            "its dates take too long to work out",
        ),
        (
            "SUMMARY:A\nDTSTART:20261201T000000Z\nRRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
            "its dates take too long to work out",
        ),
        (
            "SUMMARY:A\nDTSTART:20261201T000000Z\nRRULE:FREQ=DAILY;BYSETPOS=40",
            "its dates take too long to work out",
        ),
        ("SUMMARY:A\nDTSTART:20261201T000000Z\nRRULE:BYDAY=MO", "its repetition says no frequency"),
    ],
)
async def test_an_event_that_cannot_be_worked_out_is_named_and_hides_no_other(
    world: Any, lines: str, reason: str
) -> None:
    world.event(GOOD, name="good")
    world.event(lines, name="bad")
    begun = time.process_time()
    outcome = await world.do("list_events")
    assert time.process_time() - begun < 3
    assert [item.label for item in outcome.items] == ["Dentist"]
    assert f"home/bad.ics: {reason}." in outcome.text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html>Please log in</html>",
        b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:u\r\nDTSTART:2026",
        "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".encode("utf-16"),
        b"\0\0\0\0",
        b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
    ],
)
async def test_a_file_that_is_no_calendar_is_named_and_hides_no_other(world: Any, data: bytes) -> None:
    world.event(GOOD, name="good")
    world.raw(data, name="bad")
    outcome = await world.do("list_events")
    assert [item.label for item in outcome.items] == ["Dentist"]
    assert "home/bad.ics: it is not an iCalendar file." in outcome.text
    (notice,) = world.connector.notices()
    assert notice.text == "1 calendar file could not be read in full."
    assert notice.details == ("home/bad.ics: it is not an iCalendar file.",)


async def test_with_only_a_broken_file_nothing_is_said_to_be_planned_but_the_file_is_named(
    world: Any,
) -> None:
    world.raw(b"junk", name="bad")
    outcome = await world.do("list_events")
    assert outcome.text.startswith("No events, Mon 30 Nov 2026 to Sun 6 Dec 2026.")
    assert "home/bad.ics" in outcome.text


async def test_one_broken_event_beside_a_good_one_in_a_file_hides_it_not(world: Any) -> None:
    world.file(
        f"BEGIN:VEVENT\nUID:a\n{GOOD}\nEND:VEVENT\nBEGIN:VEVENT\nUID:b\nDTSTART:2026\nEND:VEVENT", name="two"
    )
    outcome = await world.do("list_events")
    assert [item.label for item in outcome.items] == ["Dentist"]
    assert "home/two.ics: its DTSTART cannot be read." in outcome.text


async def test_a_byte_order_mark_does_no_harm(world: Any) -> None:
    path = world.folder / "home" / "bom.ics"
    world.event(GOOD, name="bom")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert await world.agenda("2026-12-03") == [("Dentist", "Thu 3 Dec 2026 15:00-15:30")]


async def test_text_that_is_not_utf_8_is_shown_and_the_file_is_not_rewritten(world: Any) -> None:
    handle = world.event(GOOD, name="old")
    path = world.folder / "home" / "old.ics"
    path.write_bytes(path.read_bytes().replace(b"Dentist", b"K\xf6nig"))
    assert await world.agenda("2026-12-03") == [("K\ufffdnig", "Thu 3 Dec 2026 15:00-15:30")]
    outcome = await world.refused("change_event", event=handle, when="at 16:00")
    assert outcome.needs is Needs.UNSUPPORTED
    assert outcome.text == "The file is not UTF-8, so it is left as it is."


async def test_a_file_that_is_not_utf_8_can_be_deleted_and_brought_back(world: Any) -> None:
    handle = world.event(GOOD, name="old")
    path = world.folder / "home" / "old.ics"
    path.write_bytes(path.read_bytes().replace(b"Dentist", b"K\xf6nig"))
    before = world.snapshot()
    outcome = await world.do("delete_event", event=handle)
    assert world.snapshot() == {}
    assert (await world.take_back(outcome)).ok
    assert world.snapshot() == before


async def test_an_unknown_time_zone_is_said_not_guessed(world: Any) -> None:
    world.event("SUMMARY:Call\nDTSTART;TZID=GMT+0100:20261203T150000", name="odd")
    outcome = await world.do("list_events")
    assert outcome.items[0].detail == "Thu 3 Dec 2026 15:00-15:00 (calendar home)"
    assert "its time zone GMT+0100 is not known; its times are shown as they stand" in outcome.text


async def test_a_series_that_ends_on_a_day_has_its_evening_on_that_day(world: Any) -> None:
    world.event(
        "SUMMARY:Choir\nDTSTART;TZID=Europe/Copenhagen:20261201T200000\nRRULE:FREQ=DAILY;UNTIL=20261203"
    )
    assert [detail[:10] for _, detail in await world.agenda("december")] == [
        "Tue 1 Dec ",
        "Wed 2 Dec ",
        "Thu 3 Dec ",
    ]


async def test_an_override_named_by_its_day_replaces_that_day(world: Any) -> None:
    world.file(
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Choir\nDTSTART:20261201T190000Z\nRRULE:FREQ=DAILY;COUNT=4\nEND:VEVENT\n"
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Concert\nDTSTART:20261202T200000Z\n"
        "RECURRENCE-ID;VALUE=DATE:20261202\nEND:VEVENT"
    )
    titles = [title for title, _ in await world.agenda("december")]
    assert titles == ["Choir", "Concert", "Choir", "Choir"]


async def test_a_change_to_all_that_follow_by_another_program_is_shown_and_not_touched(world: Any) -> None:
    world.file(
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Choir\nDTSTART:20261201T190000Z\nRRULE:FREQ=DAILY;COUNT=4\nEND:VEVENT\n"
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Choir\nDTSTART:20261203T200000Z\n"
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20261203T190000Z\nEND:VEVENT"
    )
    outcome = await world.do("list_events", when="december")
    assert [item.handle[-17:] for item in outcome.items] == [
        "@20261201T190000Z",
        "@20261202T190000Z",
        "@20261203T190000Z",
        "@20261204T190000Z",
    ]
    assert outcome.items[3].detail.startswith("Fri 4 Dec 2026 21:00")
    refused = await world.refused("change_event", event=outcome.items[3].handle, title="X", series="this")
    assert refused.needs is Needs.UNSUPPORTED


async def test_what_was_cancelled_is_not_listed(world: Any) -> None:
    world.event(f"{GOOD}\nSTATUS:CANCELLED")
    assert await world.agenda("2026-12-03") == []


async def test_what_is_no_event_file_is_left_alone(world: Any) -> None:
    world.event(GOOD, name="good")
    folder: Path = world.folder / "home"
    (folder / "half.ics.tmp").write_text("junk")
    (folder / "displayname").write_text("Private")
    (folder / "color").write_text("#ff0000")
    (folder / "noext").write_text("junk")
    (folder / ".hidden.ics").write_text("junk")
    (folder / "link.ics").symlink_to("/etc/hostname")
    os.mkfifo(folder / "pipe.ics")
    outcome = await world.do("list_events")
    assert [item.detail for item in outcome.items] == ["Thu 3 Dec 2026 15:00-15:30 (calendar Private)"]
    assert "could not be read" not in outcome.text
    assert world.connector.notices() == ()


async def test_events_beside_the_calendars_are_pointed_out(world: Any) -> None:
    world.folder.mkdir()
    (world.folder / "lost.ics").write_text("x")
    (notice,) = world.connector.notices()
    assert notice.text.startswith("1 .ics files lie beside the calendars")


async def test_a_folder_that_cannot_be_read_is_no_empty_calendar(world: Any) -> None:
    world.folder.write_text("not a folder")
    outcome = await world.refused("list_events")
    assert outcome.needs is Needs.UNAVAILABLE
    assert outcome.text == "The calendar folder could not be read: Not a directory."


async def test_hostile_names_and_texts_are_made_visible(world: Any) -> None:
    (world.folder / "home").mkdir(parents=True)
    name = os.fsdecode(b"K\xf6nig\x1b[2J")
    world.event("SUMMARY:Evil\x1b]0;pwned\x07 \u202etxt\nDTSTART:20261203T140000Z", name=name)
    outcome = await world.do("list_events")
    (item,) = outcome.items
    assert item.label == "Evil⟨U+001B⟩]0;pwned⟨U+0007⟩ ⟨U+202E⟩txt"
    assert item.handle == "event:home/K%F6nig%1B%5B2J"
    deleted = await world.do("delete_event", event=item.handle)
    assert deleted.ok
    assert world.snapshot() == {}


async def test_calls_at_the_same_time_take_turns(world: Any) -> None:
    world.event(GOOD)
    outcomes = await asyncio.gather(*(world.do("list_events") for _ in range(8)))
    assert {(outcome.text, outcome.items) for outcome in outcomes} == {(outcomes[0].text, outcomes[0].items)}
    assert [item.label for item in outcomes[0].items] == ["Dentist"]
