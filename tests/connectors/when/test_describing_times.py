"""How times are told to people."""

from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from connectors.when import describe, describe_range, distance

CPH = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, tzinfo=CPH)


def at(hour: int, minute: int = 0, day: int = 4) -> datetime:
    return datetime(2026, 12, day, hour, minute, tzinfo=CPH)


def test_a_moment_has_weekday_date_time_and_zone() -> None:
    assert describe(at(12), NOW) == "Fri 4 Dec 2026 12:00 Europe/Copenhagen"


def test_a_moment_elsewhere_also_tells_the_time_here() -> None:
    moment = datetime(2026, 12, 4, 20, tzinfo=ZoneInfo("America/New_York"))
    assert describe(moment, NOW) == (
        "Fri 4 Dec 2026 20:00 America/New_York (Sat 5 Dec 2026 02:00 Europe/Copenhagen)"
    )


def test_a_moment_with_only_an_offset_is_told_in_the_persons_zone() -> None:
    moment = datetime(2026, 12, 4, 12, tzinfo=timezone(timedelta(hours=3)))
    assert describe(moment, NOW) == "Fri 4 Dec 2026 10:00 Europe/Copenhagen"
    assert describe_range(moment, moment + timedelta(hours=1), NOW) == (
        "Fri 4 Dec 2026 10:00-11:00 Europe/Copenhagen"
    )


def test_a_floating_time_says_that_it_has_no_zone() -> None:
    assert describe(datetime(2026, 12, 4, 12), NOW) == (  # noqa: DTZ001
        "Fri 4 Dec 2026 12:00 (local time wherever you are)"
    )


def test_an_hour_that_comes_twice_tells_its_offset() -> None:
    first = datetime(2026, 10, 25, 2, 30, tzinfo=CPH)
    assert describe(first, NOW) == "Sun 25 Oct 2026 02:30 +02:00 Europe/Copenhagen"
    assert describe(first.replace(fold=1), NOW) == "Sun 25 Oct 2026 02:30 +01:00 Europe/Copenhagen"


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (at(12), at(13, 30), "Fri 4 Dec 2026 12:00-13:30 Europe/Copenhagen"),
        (at(12), None, "Fri 4 Dec 2026 12:00 Europe/Copenhagen"),
        (at(18), at(0, day=5), "Fri 4 Dec 2026 18:00-24:00 Europe/Copenhagen"),
        (at(22), at(2, day=5), "Fri 4 Dec 2026 22:00 to Sat 5 Dec 2026 02:00 Europe/Copenhagen"),
        (date(2026, 12, 4), None, "Fri 4 Dec 2026"),
        (date(2026, 12, 4), date(2026, 12, 5), "Fri 4 Dec 2026, all day"),
        (date(2027, 6, 10), date(2027, 6, 12), "Thu 10 Jun 2027 to Fri 11 Jun 2027"),
    ],
)
def test_a_range_is_told_by_what_is_in_it(
    start: datetime | date, end: datetime | date | None, words: str
) -> None:
    assert describe_range(start, end, NOW) == words


def test_a_range_elsewhere_also_tells_the_times_here() -> None:
    london = ZoneInfo("Europe/London")
    start, end = (datetime(2026, 12, 4, hour, tzinfo=london) for hour in (15, 16))
    assert describe_range(start, end, NOW) == (
        "Fri 4 Dec 2026 15:00-16:00 Europe/London (16:00-17:00 Europe/Copenhagen)"
    )


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (at(0, day=1), "tomorrow"),
        (at(12), "in 4 days"),
        (date(2026, 12, 4), "in 4 days"),
        (datetime(2026, 11, 30, 1, tzinfo=CPH), "today"),
        (date(2026, 11, 29), "yesterday"),
        (date(2026, 11, 28), "2 days ago"),
        (date(2030, 11, 30), "in 1,461 days"),
        (datetime(2026, 11, 30, 23, tzinfo=ZoneInfo("America/New_York")), "tomorrow"),
    ],
)
def test_a_distance_counts_days_here(moment: datetime | date, words: str) -> None:
    assert distance(moment, NOW) == words
