"""Free time: the gaps between events in the hours of the day."""

from typing import Any

import pytest

from connectors.calendar.config import Config


@pytest.fixture
def friday(world: Any) -> Any:
    world.event("SUMMARY:A\nDTSTART:20261204T090000Z\nDTEND:20261204T100000Z", name="a")
    world.event("SUMMARY:B\nDTSTART:20261204T093000Z\nDTEND:20261204T110000Z", name="b")
    world.event("SUMMARY:C\nDTSTART:20261204T140000Z\nDTEND:20261204T143000Z", name="c")
    return world


async def gaps(world: Any, **arguments: str) -> list[tuple[str, str]]:
    outcome = await world.do("find_free_time", **arguments)
    return [(item.label, item.detail) for item in outcome.items]


async def test_the_gaps_of_a_day_are_listed(friday: Any) -> None:
    assert await gaps(friday, when="friday") == [
        ("Fri 4 Dec 2026 09:00-10:00", "1 h"),
        ("Fri 4 Dec 2026 12:00-15:00", "3 h"),
        ("Fri 4 Dec 2026 15:30-18:00", "2 h 30 min"),
    ]


async def test_short_gaps_are_left_out(friday: Any) -> None:
    assert await gaps(friday, when="friday", duration="3 hours") == [("Fri 4 Dec 2026 12:00-15:00", "3 h")]
    outcome = await friday.do("find_free_time", when="friday", duration="4 hours")
    assert outcome.text == "No gap of 4 h is free, Fri 4 Dec 2026 09:00-18:00 Europe/Copenhagen."


async def test_a_gap_can_be_used_as_it_is(friday: Any) -> None:
    outcome = await friday.do("find_free_time", when="friday", duration="3 hours")
    prepared = await friday.ready("create_event", title="Walk", when=outcome.items[0].handle)
    assert friday.field(prepared, "When").value == "Fri 4 Dec 2026 12:00-15:00 Europe/Copenhagen"


async def test_hours_named_count_also_outside_the_usual_day(friday: Any) -> None:
    assert await gaps(friday, when="friday evening") == [("Fri 4 Dec 2026 18:00-22:00", "4 h")]


async def test_without_a_day_the_coming_week_is_looked_at_from_now_on(world: Any) -> None:
    listed = await gaps(world)
    assert listed[0] == ("Mon 30 Nov 2026 10:00-18:00", "8 h")
    assert len(listed) == 7


async def test_the_present_moment_is_rounded_up(world: Any) -> None:
    world.now = type(world.now)(world.now.now.replace(hour=10, minute=7), world.now.zone)
    assert await gaps(world, when="today") == [("Mon 30 Nov 2026 10:15-18:00", "7 h 45 min")]


async def test_a_day_that_is_over_is_asked_about(world: Any) -> None:
    question = await world.asked("find_free_time", when="2026-11-29")
    assert question.argument == "when"
    question = await world.asked("find_free_time", when="friday", duration="a bit")
    assert question.argument == "duration"


async def test_what_does_not_make_busy_leaves_time_free(world: Any) -> None:
    world.event("SUMMARY:Holiday\nDTSTART;VALUE=DATE:20261204", name="day")
    world.event(
        "SUMMARY:Hint\nDTSTART:20261204T090000Z\nDTEND:20261204T100000Z\nTRANSP:TRANSPARENT", name="hint"
    )
    world.event("SUMMARY:Off\nDTSTART:20261204T120000Z\nDTEND:20261204T130000Z\nSTATUS:CANCELLED", name="off")
    outcome = await world.do("find_free_time", when="friday")
    assert [item.label for item in outcome.items] == ["Fri 4 Dec 2026 09:00-18:00"]
    assert outcome.text.endswith("1 event of whole days not counted as busy.")


async def test_repeating_events_make_busy(world: Any) -> None:
    world.event(
        "SUMMARY:Standup\nDTSTART;TZID=Europe/Copenhagen:20260105T090000\nDURATION:PT9H\nRRULE:FREQ=DAILY"
    )
    assert await gaps(world) == []


async def test_other_hours_can_be_set(world: Any) -> None:
    world.restart(day_starts="06:00", day_ends="22:30")
    assert await gaps(world, when="friday") == [("Fri 4 Dec 2026 06:00-22:30", "16 h 30 min")]


async def test_a_day_that_ends_before_it_starts_is_no_setting() -> None:
    with pytest.raises(ValueError, match="day_ends must be later than day_starts"):
        Config.model_validate({"day_starts": "18:00", "day_ends": "09:00"})


async def test_days_of_summer_time_changes_have_their_real_hours(world: Any) -> None:
    world.restart(day_starts="00:00", day_ends="06:00")
    assert await gaps(world, when="2027-03-28") == [("Sun 28 Mar 2027 00:00-06:00", "5 h")]
