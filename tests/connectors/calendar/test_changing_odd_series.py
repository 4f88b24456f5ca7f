"""Series of rarer kinds are changed right, or left as they are with the reason."""

from typing import Any

from connectors.base import Needs

EVERY_BACKEND = "with time"


YOGA = """
SUMMARY:Yoga
DTSTART;TZID=Europe/Copenhagen:20261103T180000
DTEND;TZID=Europe/Copenhagen:20261103T190000
RRULE:FREQ=WEEKLY;BYDAY=TU
"""


async def days(world: Any, when: str = "2026-11-01 to 2026-12-31") -> list[str]:
    return [detail.removesuffix("-19:00") for _, detail in await world.agenda(when)]


async def test_an_end_given_as_a_day_is_written_in_utc_when_the_series_changes(world: Any) -> None:
    handle = world.event(YOGA.replace("BYDAY=TU", "UNTIL=20261215"))
    await world.do("change_event", event=handle, on="2026-12-01", when="at 19:00", series="all")
    assert "UNTIL=20261215T235959Z" in world.text()
    assert len(await days(world)) == 7


async def test_exception_rules_are_left_alone(world: Any) -> None:
    handle = world.event(YOGA + "EXRULE:FREQ=WEEKLY;INTERVAL=2")
    outcome = await world.refused("change_event", event=handle, when="at 19:00", series="all")
    assert outcome.needs is Needs.UNSUPPORTED
    assert "EXRULE" in outcome.text


async def test_extra_dates_with_a_length_of_their_own_go_along(world: Any) -> None:
    handle = world.event(
        "SUMMARY:Talk\nDTSTART;TZID=Europe/Copenhagen:20261201T170000\nDURATION:PT1H\n"
        "RRULE:FREQ=WEEKLY;COUNT=2\n"
        "RDATE;VALUE=PERIOD;TZID=Europe/Copenhagen:20261203T170000/PT3H"
    )
    await world.do("change_event", event=handle, on="2026-12-01", when="at 18:00", series="all")
    assert [detail for _, detail in await world.agenda("december")] == [
        "Tue 1 Dec 2026 18:00-19:00",
        "Thu 3 Dec 2026 18:00-21:00",
        "Tue 8 Dec 2026 18:00-19:00",
    ]


async def test_a_series_in_a_zone_of_its_own_making_moves_on_its_clock(world: Any) -> None:
    handle = world.file(
        "BEGIN:VTIMEZONE\nTZID:Base Time\nBEGIN:STANDARD\nDTSTART:20200101T000000\n"
        "TZOFFSETFROM:+0300\nTZOFFSETTO:+0300\nEND:STANDARD\nEND:VTIMEZONE\n"
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Watch\nDTSTART;TZID=Base Time:20261201T120000\nDURATION:PT1H\n"
        "RRULE:FREQ=DAILY;COUNT=3\nEND:VEVENT"
    )
    assert await world.agenda("2026-12-02") == [("Watch", "Wed 2 Dec 2026 10:00-11:00")]
    await world.do("change_event", event=handle, on="2026-12-02", when="at 11:00", series="following")
    assert [detail for _, detail in await world.agenda("december")] == [
        "Tue 1 Dec 2026 10:00-11:00",
        "Wed 2 Dec 2026 11:00-12:00",
        "Thu 3 Dec 2026 11:00-12:00",
    ]


async def test_a_rule_without_plain_words_is_shown_as_it_is_written(world: Any) -> None:
    world.event("SUMMARY:Pill\nDTSTART:20261201T080000Z\nRRULE:FREQ=HOURLY;INTERVAL=6;COUNT=9")
    question = await world.asked("delete_event", event="pill")
    assert question.text.startswith("“Pill” repeats by the rule FREQ=HOURLY")
