"""Bugs that users of other calendar programs met, with what is right."""

from typing import Any

import pytest

from connectors.base import Prepared

WEEKLY_FOUR = """
SUMMARY:Choir
DTSTART;TZID=Europe/Copenhagen:20261201T190000
DTEND;TZID=Europe/Copenhagen:20261201T210000
RRULE:FREQ=WEEKLY;COUNT=4
"""
WEEKLY_FIVE = """
SUMMARY:Lesson
DTSTART;TZID=Europe/Copenhagen:20261201T170000
DTEND;TZID=Europe/Copenhagen:20261201T174500
RRULE:FREQ=WEEKLY;COUNT=5
"""


async def test_a_time_without_a_zone_is_in_the_zone_of_the_person(world: Any) -> None:
    world.be_in("Europe/Berlin")
    prepared = await world.ready("create_event", title="Call", when="tomorrow at 12:00")
    assert world.field(prepared, "When").value == "Tue 1 Dec 2026 12:00-13:00 Europe/Berlin"

    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Added. It is on Tue 1 Dec 2026 12:00-13:00 Europe/Berlin."
    assert "DTSTART;TZID=Europe/Berlin:20261201T120000" in "".join(
        path.read_text() for path in world.folder.rglob("*.ics")
    )


@pytest.mark.parametrize(
    "zone", ["America/Los_Angeles", "UTC", "Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Pago_Pago"]
)
@pytest.mark.parametrize("rule", ["", "RRULE:FREQ=YEARLY"])
async def test_a_whole_day_is_the_same_day_everywhere(world: Any, zone: str, rule: str) -> None:
    world.be_in(zone)
    world.event(f"SUMMARY:Birthday\nDTSTART;VALUE=DATE:20260827\n{rule}")
    assert await world.agenda("2026-08-27") == [("Birthday", "Thu 27 Aug 2026, all day")]
    assert await world.agenda("2026-08-26") == []
    assert await world.agenda("2026-08-28") == []


async def test_two_whole_days_end_before_the_day_they_end_by(world: Any) -> None:
    world.event("SUMMARY:Fair\nDTSTART;VALUE=DATE:20260610\nDTEND;VALUE=DATE:20260612")
    assert await world.agenda("2026-06-11") == [("Fair", "Wed 10 Jun 2026 to Thu 11 Jun 2026")]
    assert await world.agenda("2026-06-12") == []


async def test_nobody_has_to_reckon_with_zones(world: Any) -> None:
    world.be_in("America/Chicago")
    world.event("SUMMARY:Call\nDTSTART:20261201T150000Z\nDTEND:20261201T160000Z")
    outcome = await world.do("list_events", when="tomorrow")
    assert outcome.items[0].detail == "Tue 1 Dec 2026 09:00-10:00 (calendar home)"
    assert outcome.text == "1 event, Tue 1 Dec 2026; times are in America/Chicago (UTC-6)."


async def test_moving_all_by_a_later_one_keeps_the_first(world: Any) -> None:
    handle = world.event(WEEKLY_FOUR)
    await world.do("change_event", event=handle, on="2026-12-08", when="at 20:00", series="all")
    assert await world.agenda("december") == [
        ("Choir", "Tue 1 Dec 2026 20:00-22:00"),
        ("Choir", "Tue 8 Dec 2026 20:00-22:00"),
        ("Choir", "Tue 15 Dec 2026 20:00-22:00"),
        ("Choir", "Tue 22 Dec 2026 20:00-22:00"),
    ]


async def test_what_is_done_to_the_third_is_done_to_the_third_alone(world: Any) -> None:
    handle = world.event(WEEKLY_FIVE)
    await world.do("change_event", event=handle, on="2026-12-15", title="Exam", series="this")
    listed = await world.agenda("2026-12-01 to 2026-12-31")
    assert [title for title, _ in listed] == ["Lesson", "Lesson", "Exam", "Lesson", "Lesson"]

    outcome = await world.do("delete_event", event="exam", series="this")
    assert outcome.text == "Deleted. The next one is on Tue 1 Dec 2026 17:00-17:45 Europe/Copenhagen."
    listed = await world.agenda("2026-12-01 to 2026-12-31")
    assert listed == [
        ("Lesson", "Tue 1 Dec 2026 17:00-17:45"),
        ("Lesson", "Tue 8 Dec 2026 17:00-17:45"),
        ("Lesson", "Tue 22 Dec 2026 17:00-17:45"),
        ("Lesson", "Tue 29 Dec 2026 17:00-17:45"),
    ]


WINDOWS_ZONE = """
BEGIN:VTIMEZONE
TZID:New Zealand Standard Time
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+1300
TZOFFSETTO:+1200
RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+1200
TZOFFSETTO:+1300
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=9
END:DAYLIGHT
END:VTIMEZONE
"""


@pytest.mark.parametrize("definition", ["", WINDOWS_ZONE])
async def test_windows_names_of_zones_are_known(world: Any, definition: str) -> None:
    world.be_in("Pacific/Auckland")
    world.file(
        definition + "BEGIN:VEVENT\nUID:a\nSUMMARY:Tide\n"
        "DTSTART;TZID=New Zealand Standard Time:20260821T100000\nEND:VEVENT"
    )
    assert await world.agenda("2026-08-21") == [("Tide", "Fri 21 Aug 2026 10:00-10:00")]


async def test_an_event_in_a_windows_zone_is_moved_on_its_own_clock(world: Any) -> None:
    world.be_in("Pacific/Auckland")
    handle = world.file(
        WINDOWS_ZONE + "BEGIN:VEVENT\nUID:a\nSUMMARY:Tide\n"
        "DTSTART;TZID=New Zealand Standard Time:20260821T100000\nDURATION:PT1H\nEND:VEVENT"
    )
    await world.do("change_event", event=handle, when="2026-12-21 11:00")
    assert await world.agenda("2026-12-21") == [("Tide", "Mon 21 Dec 2026 11:00-12:00")]
    assert "DTSTART;TZID=New Zealand Standard Time:20261221T110000" in world.text()


async def test_a_zone_that_changed_its_rules_is_as_it_is_now(world: Any) -> None:
    world.be_in("UTC")
    world.event("SUMMARY:Call\nDTSTART;TZID=Mountain Standard Time (Mexico):20260706T110000")
    assert await world.agenda("2026-07-06") == [("Call", "Mon 6 Jul 2026 18:00-18:00")]


async def test_what_is_written_defines_its_zone(world: Any) -> None:
    world.be_in("America/New_York")
    await world.do("create_event", title="Call", when="2026-12-04 09:00")
    (path,) = world.folder.rglob("*.ics")
    text = path.read_text()
    assert "TZID:America/New_York" in text
    assert text.index("BEGIN:VTIMEZONE") < text.index("BEGIN:VEVENT")
    assert "DTSTART;TZID=America/New_York:20261204T090000" in text


async def test_a_series_keeps_its_clock_when_summer_time_ends(world: Any) -> None:
    world.be_in("America/New_York")
    world.event(
        "SUMMARY:Class\nDTSTART;TZID=America/New_York:20260914T141000\nDURATION:PT50M\n"
        "RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR;UNTIL=20261117T000000Z"
    )
    listed = await world.agenda("2026-10-30 to 2026-11-02")
    assert [detail for _, detail in listed] == ["Fri 30 Oct 2026 14:10-15:00", "Mon 2 Nov 2026 14:10-15:00"]


async def test_a_series_from_elsewhere_is_shown_on_its_right_day_and_left_as_it_is(world: Any) -> None:
    world.be_in("Australia/Brisbane")
    world.event("SUMMARY:Sync\nDTSTART;TZID=America/Costa_Rica:20261201T160000\nRRULE:FREQ=WEEKLY;BYDAY=TU")
    before = world.snapshot()
    assert await world.agenda("2026-12-09") == [("Sync", "Wed 9 Dec 2026 08:00-08:00")]
    assert world.snapshot() == before


async def test_an_override_outside_its_series_breeds_nothing(world: Any) -> None:
    world.file(
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Bins\nSEQUENCE:2\nDTSTART;VALUE=DATE:20260629\n"
        "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;UNTIL=20260718\nEND:VEVENT\n"
        "BEGIN:VEVENT\nUID:a\nSUMMARY:Bins\nSEQUENCE:1\nDTSTART;VALUE=DATE:20260727\n"
        "RECURRENCE-ID;VALUE=DATE:20260727\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO\nEND:VEVENT"
    )
    listed = await world.agenda("2026-06-01 to 2026-09-30")
    assert [detail for _, detail in listed] == ["Mon 29 Jun 2026, all day", "Mon 13 Jul 2026, all day"]


async def test_an_occurrence_sent_without_its_series_is_shown_once_and_can_be_moved(world: Any) -> None:
    handle = world.event(
        "SUMMARY:Guest\nDTSTART:20261202T090000Z\nDTEND:20261202T100000Z\nRECURRENCE-ID:20261202T090000Z"
    )
    assert await world.agenda("2026-12-02") == [("Guest", "Wed 2 Dec 2026 10:00-11:00")]
    await world.do("change_event", event=handle, when="at 14:00")
    assert await world.agenda("2026-12-02") == [("Guest", "Wed 2 Dec 2026 14:00-15:00")]


async def test_a_day_and_month_that_could_be_swapped_are_asked_about(world: Any) -> None:
    question = await world.asked("create_event", title="Dentist", when="2pm 09/01")
    assert [option.label for option in question.options] == [
        "Sat 9 Jan 2027 14:00 Europe/Copenhagen",
        "Wed 1 Sep 2027 14:00 Europe/Copenhagen",
    ]
    answer = world.picked(question, "9 Jan")
    prepared = await world.ready("create_event", title="Dentist", **answer)
    assert world.field(prepared, "When").value == "Sat 9 Jan 2027 14:00-15:00 Europe/Copenhagen"


async def test_a_repeating_task_ticked_off_early_moves_on(world: Any) -> None:
    world.event(
        "SUMMARY:Water plants\nDTSTART;VALUE=DATE:20261210\nDUE;VALUE=DATE:20261211\nRRULE:FREQ=WEEKLY",
        kind="VTODO",
    )
    world.now = type(world.now)(world.now.now.replace(month=12, day=8), world.now.zone)
    prepared = await world.ready("complete_task", task="plants")
    assert world.field(prepared, "Next").value == "Thu 17 Dec 2026"
    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Ticked off. It is due Fri 18 Dec 2026, in 10 days."
    assert "DTSTART;VALUE=DATE:20261217" in world.text()


async def test_one_bad_item_takes_one_line(world: Any) -> None:
    world.event(
        "SUMMARY:Party\nDTSTART:20261202T190000Z\nX-PHOTO;X-A==;X-B=b=c:" + "QUJD" * 23_000, name="photo"
    )
    world.event("SUMMARY:Odd\nDTSTART:20261202T24000" + "0" * 90_000, name="odd")
    outcome = await world.do("list_events", when="2026-12-02")
    assert [item.label for item in outcome.items] == ["Party"]
    assert outcome.text.endswith("Not everything could be read: home/odd.ics: its DTSTART cannot be read.")
    assert len(outcome.text) < 300


async def test_deleting_the_second_of_two_edits_of_one_occurrence_is_refused(world: Any) -> None:
    handle = world.event(WEEKLY_FOUR)
    first = await world.ready("change_event", event=handle, on="2026-12-08", title="A", series="this")
    second = await world.ready("change_event", event=handle, on="2026-12-08", title="B", series="this")
    assert isinstance(first, Prepared)
    assert (await world.connector.perform(first)).ok
    outcome = await world.connector.perform(second)
    assert not outcome.ok
    assert outcome.needs == "conflict"
    assert [title for title, _ in await world.agenda("2026-12-08")] == ["A"]
