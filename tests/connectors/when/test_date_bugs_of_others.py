"""Inputs on which the date readers of other programs went wrong."""

from collections.abc import Callable
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from connectors.when import Unclear, describe, understand

Tell = Callable[..., str]

# 28 phrases were tried on five libraries; these are the ones where at least one of them was wrong or lost.
TRIED = {
    "next Friday at 3": (
        "? 2026-12-04T15:00-05:00 | 2026-12-11T15:00-05:00 | 2026-12-04T03:00-05:00 | 2026-12-11T03:00-05:00"
    ),
    "tonight at 8": "2026-11-30T20:00-05:00",
    "in two weeks": "2026-12-14",
    "in 45 minutes": "2026-11-30T10:45-05:00",
    "tomorrow morning": "~2026-12-01T06:00-05:00/2026-12-01T12:00-05:00",
    "the day after tomorrow": "2026-12-02",
    "next month on the 5th": "2026-12-05",
    "half past four tomorrow": "? 2026-12-01T16:30-05:00 | 2026-12-01T04:30-05:00",
    "a week from Tuesday at 10am": "2026-12-08T10:00-05:00",
    "first Monday of March at 9am": "2027-03-01T09:00-05:00",
    "in an hour and a half": "2026-11-30T11:30-05:00",
    "Friday 3pm London time": "2026-12-04T15:00+00:00",
    "2026-12-01T15:00Z": "2026-12-01T10:00-05:00",
    "morgen um 15 Uhr": "?",
    "mañana a las 15:00": "?",
    "Monday": "2026-12-07",
    "every Tuesday at 9": "2026-12-01T09:00-05:00 FREQ=WEEKLY;BYDAY=TU",
    "on": "?",
    "to": "?",
    "so": "?",
    "2": "? 2026-11-30T14:00-05:00 | 2026-12-01T02:00-05:00 | 2026-12-02",
    "the 5th": "2026-12-05",
}


@pytest.mark.parametrize(("phrase", "meaning"), TRIED.items())
def test_a_phrase_that_others_get_wrong_is_right_or_asked(tell: Tell, phrase: str, meaning: str) -> None:
    assert tell(phrase) == meaning


def test_a_time_without_a_zone_is_in_the_persons_zone_and_says_so() -> None:
    now = datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Europe/Berlin"))
    found = understand("tomorrow at 12:00", now)
    assert not isinstance(found, Unclear)
    assert describe(found.start, now) == "Tue 1 Dec 2026 12:00 Europe/Berlin"


@pytest.mark.parametrize("zone", ["America/Denver", "Europe/Paris", "Pacific/Auckland", "Pacific/Kiritimati"])
def test_a_whole_day_is_shown_as_itself_west_and_east(zone: str) -> None:
    now = datetime(2026, 8, 1, 23, 30, tzinfo=ZoneInfo(zone))
    assert describe(date(2026, 8, 27), now) == "Thu 27 Aug 2026"


def test_a_weekday_at_the_end_of_a_month_falls_into_the_next(tell: Tell) -> None:
    assert tell("Friday", now="2024-10-31T21:37") == "2024-11-01"


def test_an_end_time_is_not_swallowed_by_the_title(tell: Tell) -> None:
    assert tell("30/06/2027 09:30 10:30 Europe/Helsinki Review") == "?"
    assert tell("30/06/2027 09:30 to 10:30 Europe/Helsinki") == (
        "2027-06-30T09:30+03:00/2027-06-30T10:30+03:00"
    )


def test_day_and_month_that_can_be_swapped_are_asked_and_nothing_beside_them(tell: Tell) -> None:
    asked = "? 2027-01-09T14:00-05:00 | 2027-09-01T14:00-04:00"
    assert tell("2pm 09/01") == asked
    assert tell("2pm 09/01 dentist") == asked


def test_this_friday_is_the_coming_one_and_next_friday_is_asked(tell: Tell) -> None:
    now = "2012-12-31T10:00"
    assert tell("this friday", now=now) == "2013-01-04"
    assert tell("next friday", now=now) == "? 2013-01-04 | 2013-01-11"
