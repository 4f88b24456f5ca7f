"""Zones in words, and the hours that summer time takes away and gives twice."""

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from connectors.when import Unclear, understand

Tell = Callable[..., str]

ZONES = {
    "Friday 3pm London time": "2026-12-04T15:00+00:00",
    "friday 15:00 Europe/Helsinki": "2026-12-04T15:00+02:00",
    "friday 15:00 europe/helsinki": "2026-12-04T15:00+02:00",
    "friday 9am new york time": "2026-12-04T09:00-05:00",
    "friday 9am pacific time": "2026-12-04T09:00-08:00",
    "friday 9am EST": "2026-12-04T09:00-05:00",
    "friday 9am my time": "2026-12-04T09:00-05:00",
    "friday 9am UTC": "2026-12-04T09:00+00:00",
    "friday 9am CST": "? 2026-12-04T09:00-06:00 | 2026-12-04T09:00+08:00",
    "2026-12-01T15:00Z": "2026-12-01T10:00-05:00",
    "2026-12-01T15:00:00.000+01:00": "2026-12-01T09:00-05:00",
    "tomorrow 15:00Z": "2026-12-01T10:00-05:00",
    "2026-12-01 15:00 GMT+1": "2026-12-01T09:00-05:00",
    "2026-12-01 15:00 -08:00": "2026-12-01T18:00-05:00",
    "2026-12-04 10:00-11:30": "2026-12-04T10:00-05:00/2026-12-04T11:30-05:00",
    "2026-12-04 10:00 -11:30": "?",
    "friday 9am mars time": "?",
    "friday 9am Europe/Nowhere": "?",
    "friday 9am UTC 10am GMT": "?",
}


@pytest.mark.parametrize(("phrase", "meaning"), ZONES.items())
def test_a_zone_that_is_named_is_kept_and_a_distance_from_utc_becomes_local(
    tell: Tell, phrase: str, meaning: str
) -> None:
    assert tell(phrase) == meaning


def test_tomorrow_in_a_zone_where_it_is_tomorrow_already_is_asked(tell: Tell) -> None:
    assert tell("tomorrow at 9:00 tokyo time", now="2026-11-30T20:00") == (
        "? 2026-12-01T09:00+09:00 | 2026-12-02T09:00+09:00"
    )


def test_an_abbreviation_of_the_other_season_is_asked(tell: Tell) -> None:
    assert tell("9am EST", now="2026-07-01T08:00") == "? 2026-07-01T09:00-04:00 | 2026-07-01T10:00-04:00"


@pytest.mark.parametrize(
    ("zone", "day", "time", "after", "before"),
    [
        ("Europe/Berlin", "2027-03-28", "02:30", "03:30+02:00", "01:30+01:00"),
        ("America/New_York", "2027-03-14", "02:15", "03:15-04:00", "01:15-05:00"),
        ("Australia/Lord_Howe", "2027-10-03", "02:15", "02:45+11:00", "01:45+10:30"),
    ],
)
def test_a_time_that_the_clocks_jump_over_is_named_and_its_neighbours_are_offered(
    tell: Tell, zone: str, day: str, time: str, after: str, before: str
) -> None:
    found = understand(f"{day} {time}", datetime(2026, 11, 30, 10, tzinfo=ZoneInfo(zone)))
    assert isinstance(found, Unclear)
    assert found.text.startswith(f"{time} does not exist on ")
    assert zone in found.text
    assert tell(f"{day} {time}", zone) == f"? {day}T{after} | {day}T{before}"


def test_an_end_that_the_clocks_jump_over_keeps_the_start(tell: Tell) -> None:
    assert tell("2027-03-28 01:30 to 02:30", "Europe/Berlin") == (
        "? 2027-03-28T01:30+01:00/2027-03-28T03:30+02:00"
    )


@pytest.mark.parametrize(
    ("zone", "day", "time", "first", "second"),
    [
        ("Europe/Berlin", "2026-10-25", "02:30", "+02:00", "+01:00"),
        ("America/New_York", "2026-11-01", "01:30", "-04:00", "-05:00"),
        ("Australia/Lord_Howe", "2026-04-05", "01:45", "+11:00", "+10:30"),
    ],
)
def test_a_time_that_comes_twice_is_asked_and_both_are_understood_again(
    tell: Tell, zone: str, day: str, time: str, first: str, second: str
) -> None:
    assert (
        tell(f"{day} {time}", zone, now="2026-01-01T10:00") == f"? {day}T{time}{first} | {day}T{time}{second}"
    )
    assert tell(f"{day} {time} {second}", zone) == f"{day}T{time}{second}"


def test_hours_are_elapsed_and_days_keep_the_clock_over_summer_time(tell: Tell) -> None:
    now = "2026-10-24T09:00"
    assert tell("in 24 hours", "Europe/Berlin", now=now) == "2026-10-25T08:00+01:00"
    assert tell("tomorrow at 9:00", "Europe/Berlin", now=now) == "2026-10-25T09:00+01:00"
    assert tell("25 october at 1:00am for 3 hours", "Europe/Berlin", now=now) == (
        "2026-10-25T01:00+02:00/2026-10-25T03:00+01:00"
    )


def test_a_part_of_a_day_that_starts_in_a_gap_is_not_asked(tell: Tell) -> None:
    """Cairo sets its clocks forward at midnight."""
    assert tell("22 april 2027 at night", "Africa/Cairo").startswith("~2027-04-22T18:00+02:00/2027-04-23T")


def test_a_moment_without_a_named_zone_is_taken_as_utc() -> None:
    naive = understand("tomorrow at noon", datetime(2026, 11, 30, 10))  # noqa: DTZ001
    assert not isinstance(naive, Unclear)
    assert naive.start == datetime(2026, 12, 1, 12, tzinfo=ZoneInfo("UTC"))
