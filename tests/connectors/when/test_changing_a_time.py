"""Phrases about a thing that has a time already, and phrases about the past."""

from collections.abc import Callable
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

Tell = Callable[..., str]
ZONE = "Europe/Copenhagen"


def at(hour: int, zone: str = ZONE) -> datetime:
    return datetime(2026, 12, 3, hour, tzinfo=ZoneInfo(zone))


AFTERNOON = {
    "friday at 4": "2026-12-04T16:00+01:00",
    "friday": "2026-12-04T15:00+01:00",
    "at 4": "2026-12-03T16:00+01:00",
    "half past four": "2026-12-03T16:30+01:00",
    "at 10": "2026-12-03T10:00+01:00",
    "16:00-17:00": "2026-12-03T16:00+01:00/2026-12-03T17:00+01:00",
    "from 4 to 5": "2026-12-03T16:00+01:00/2026-12-03T17:00+01:00",
    "to friday at noon": "2026-12-04T12:00+01:00",
    "an hour later": "2026-12-03T16:00+01:00",
    "30 minutes earlier": "2026-12-03T14:30+01:00",
    "a day later": "2026-12-04T15:00+01:00",
    "2 weeks later": "2026-12-17T15:00+01:00",
    "the following week": "2026-12-10T15:00+01:00",
    "the next day": "2026-12-04T15:00+01:00",
    "same day at 5": "2026-12-03T17:00+01:00",
    "friday at the same time": "2026-12-04T15:00+01:00",
    "next week on friday": "2026-12-11T15:00+01:00",
    "all day": "2026-12-03",
    "friday all day": "2026-12-04",
    "2026-12-04": "2026-12-04T15:00+01:00",
    "2026-12-04 04:00": "2026-12-04T04:00+01:00",
    "tomorrow morning": "~2026-12-01T06:00+01:00/2026-12-01T12:00+01:00",
    "next friday all day": "? 2026-12-04 | 2026-12-11",
    "this weekend": "? 2026-12-05T15:00+01:00 | 2026-12-06T15:00+01:00",
    "in december": "?",
    "4": "? 2026-12-03T16:00+01:00 | 2026-12-04T15:00+01:00",
}


@pytest.mark.parametrize(("phrase", "meaning"), AFTERNOON.items())
def test_a_change_keeps_the_day_or_the_time_that_was_not_said(tell: Tell, phrase: str, meaning: str) -> None:
    assert tell(phrase, ZONE, about=at(15)) == meaning


def test_next_week_offers_the_same_weekday_first(tell: Tell) -> None:
    offered = tell("next week", ZONE, about=at(15)).removeprefix("? ").split(" | ")
    assert offered[0] == "2026-12-10T15:00+01:00"
    assert len(offered) == 7


@pytest.mark.parametrize(
    ("hour", "phrase", "meaning"),
    [
        (9, "at 7", "2026-12-03T07:00+01:00"),
        (9, "at 4", "? 2026-12-03T16:00+01:00 | 2026-12-03T04:00+01:00"),
        (19, "at 8", "2026-12-03T20:00+01:00"),
        (19, "at 12", "? 2026-12-03T12:00+01:00 | 2026-12-04T00:00+01:00"),
    ],
)
def test_a_bare_hour_takes_the_half_of_the_day_where_people_are_up(
    tell: Tell, hour: int, phrase: str, meaning: str
) -> None:
    assert tell(phrase, ZONE, about=at(hour)) == meaning


@pytest.mark.parametrize(
    ("phrase", "meaning"),
    {
        "friday": "2026-12-04",
        "a day later": "2026-12-04",
        "at 4pm": "2026-12-03T16:00+01:00",
        "an hour later": "?",
    }.items(),
)
def test_a_whole_day_stays_one_until_a_time_is_said(tell: Tell, phrase: str, meaning: str) -> None:
    assert tell(phrase, ZONE, about=date(2026, 12, 3)) == meaning


@pytest.mark.parametrize(
    ("phrase", "meaning"),
    {
        "friday": "2026-12-04T15:00+00:00",
        "an hour later": "2026-12-03T16:00+00:00",
        "at 17:00": "2026-12-03T17:00+01:00",
        "friday 10am london time": "2026-12-04T10:00+00:00",
    }.items(),
)
def test_a_thing_in_another_zone_keeps_it_unless_a_time_of_day_is_said(
    tell: Tell, phrase: str, meaning: str
) -> None:
    assert tell(phrase, ZONE, about=at(15, "Europe/London")) == meaning


def test_a_shift_by_days_keeps_the_clock_and_by_hours_does_not(tell: Tell) -> None:
    about = datetime(2026, 10, 24, 15, tzinfo=ZoneInfo(ZONE))
    assert tell("a day later", ZONE, about=about) == "2026-10-25T15:00+01:00"
    assert tell("24 hours later", ZONE, about=about) == "2026-10-25T14:00+01:00"


@pytest.mark.parametrize(
    "phrase", ["an hour later", "the next day", "at the same time", "friday at the same time"]
)
def test_later_than_nothing_is_asked(tell: Tell, phrase: str) -> None:
    assert tell(phrase, ZONE) == "?"


PAST = {
    "friday": "2026-11-27",
    "monday": "2026-11-23",
    "yesterday": "2026-11-29",
    "the 5th": "2026-11-05",
    "5 december": "2025-12-05",
    "29/11": "2026-11-29",
    "in november": "~2026-11-01/2026-12-01",
    "in december": "~2025-12-01/2026-01-01",
    "on the weekend": "~2026-11-28/2026-11-30",
    "first monday of march": "2026-03-02",
    "at 9am": "2026-11-30T09:00+01:00",
    "at 11am": "2026-11-29T11:00+01:00",
    "this morning": "~2026-11-30T06:00+01:00/2026-11-30T12:00+01:00",
    "last night": "~2026-11-29T18:00+01:00/2026-11-30T00:00+01:00",
    "since 9am": "~2026-11-30T09:00+01:00/2026-11-30T10:00+01:00",
    "since 5 december": "~2025-12-05/2026-12-01",
    "an hour ago": "2026-11-30T09:00+01:00",
}


@pytest.mark.parametrize(("phrase", "meaning"), PAST.items())
def test_when_the_past_is_meant_the_past_is_found(tell: Tell, phrase: str, meaning: str) -> None:
    assert tell(phrase, ZONE, past=True) == meaning
