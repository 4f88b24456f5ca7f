"""An event at exact times is found without the library for repetitions, and found just as by that."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import recurring_ical_events
from hypothesis import example, given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from connectors.calendar.expand import expand, simple
from connectors.calendar.parse import parse
from connectors.calendar.store import Place

PLACE = Place("home", "event.ics")
DAY = datetime(2026, 12, 4, tzinfo=UTC)
NONE, HALF = timedelta(), timedelta(minutes=30)
minutes = st.integers(-4, 12).map(lambda number: timedelta(minutes=30 * number))
lengths = st.sampled_from([0, 1, 30, 60, 24 * 60]).map(lambda number: timedelta(minutes=number))
zones = st.sampled_from(["Europe/Copenhagen", "America/New_York", "UTC", "Australia/Lord_Howe"])


def file(*lines: str, head: str = "") -> bytes:
    event = "\r\n".join(
        ("BEGIN:VEVENT", "UID:a", "DTSTAMP:20260101T000000Z", "SUMMARY:x", *lines, "END:VEVENT")
    )
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//T//EN\r\n{head}{event}\r\nEND:VCALENDAR\r\n".encode()


def at(name: str, when: datetime, zone: str) -> str:
    return f"{name};TZID={zone}:{when.astimezone(ZoneInfo(zone)):%Y%m%dT%H%M%S}"


@settings(max_examples=100, deadline=None)
@example(NONE, HALF, HALF, HALF, "UTC", True)
@example(HALF, HALF, NONE, HALF, "UTC", True)
@example(NONE, NONE, NONE, HALF, "UTC", True)
@example(HALF, NONE, NONE, HALF, "UTC", True)
@given(minutes, lengths, minutes, lengths, zones, st.booleans())
def test_it_is_in_a_span_exactly_where_the_library_says_so(
    begins: timedelta, lasts: timedelta, first: timedelta, reach: timedelta, zone: str, with_end: bool
) -> None:
    start = DAY + begins
    end = at("DTEND", start + lasts, zone) if with_end else f"DURATION:PT{lasts // timedelta(minutes=1)}M"
    data = file(at("DTSTART", start, zone), end)
    span = (DAY + first, DAY + first + reach)
    theirs = recurring_ical_events.of(Calendar.from_ical(data)).between(*span)
    found, problems = expand(PLACE, parse(data), *span)
    assert problems == []
    assert [each.start for each in found] == [each["DTSTART"].dt for each in theirs]
    assert [each.recurrence for each in found] == [None] * len(theirs)


@pytest.mark.parametrize(
    "lines",
    [
        ("DTSTART;VALUE=DATE:20261204",),
        ("DTSTART:20261204T100000",),
        ("DTSTART:20261204T100000Z", "RRULE:FREQ=DAILY;COUNT=2"),
        ("DTSTART:20261204T100000Z", "RDATE:20261205T100000Z"),
        ("DTSTART:20261204T100000Z", "EXDATE:20261204T100000Z"),
        ("DTSTART:20261204T100000Z", "DTEND:20261204T090000Z"),
        ("DTSTART:20261204T100000Z", "RECURRENCE-ID:20261204T100000Z"),
        ("DTSTART;TZID=Europe/Copenhagen:20261025T020000", "DURATION:PT1H"),
    ],
)
def test_every_other_kind_is_left_to_the_library(lines: tuple[str, ...]) -> None:
    assert not simple(parse(file(*lines)))


def test_a_calendar_with_a_zone_of_its_own_is_left_to_the_library() -> None:
    assert not simple(parse(file("DTSTART:20261204T100000Z", head="X-WR-TIMEZONE:Asia/Tokyo\r\n")))
    assert simple(parse(file("DTSTART:20261204T100000Z")))


def test_one_over_the_hour_that_comes_twice_lasts_as_long_as_it_really_does() -> None:
    data = file(
        "DTSTART;TZID=Europe/Copenhagen:20261025T020000", "DTEND;TZID=Europe/Copenhagen:20261025T030000"
    )
    late = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    found, _ = expand(PLACE, parse(data), late, late + timedelta(minutes=1))
    assert len(found) == 1


def test_what_is_cancelled_is_not_found() -> None:
    data = file("DTSTART:20261204T100000Z", "DURATION:PT1H", "STATUS:CANCELLED")
    day = datetime(2026, 12, 4, tzinfo=UTC)
    assert expand(PLACE, parse(data), day, day + timedelta(days=1)) == ([], [])
