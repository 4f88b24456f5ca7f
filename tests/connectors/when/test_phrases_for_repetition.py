"""Repetition in plain words; said on Monday 30 November 2026 at 10:00 in Copenhagen."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest
import recurring_ical_events

from connectors.when import When, describe_rule, understand

Tell = Callable[..., str]
ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, tzinfo=ZONE)

SERIES = {
    "every Tuesday at 9": "2026-12-01T09:00+01:00 FREQ=WEEKLY;BYDAY=TU",
    "every monday at 9": "2026-12-07T09:00+01:00 FREQ=WEEKLY;BYDAY=MO",
    "every monday at 11": "2026-11-30T11:00+01:00 FREQ=WEEKLY;BYDAY=MO",
    "on mondays and thursdays at 18:00": "2026-11-30T18:00+01:00 FREQ=WEEKLY;BYDAY=MO,TH",
    "every monday, wednesday and friday at 9am": "2026-12-02T09:00+01:00 FREQ=WEEKLY;BYDAY=MO,WE,FR",
    "every weekday at 8": "2026-12-01T08:00+01:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "weekends": "2026-12-05 FREQ=WEEKLY;BYDAY=SA,SU",
    "daily": "2026-11-30 FREQ=DAILY",
    "every day at 7pm": "2026-11-30T19:00+01:00 FREQ=DAILY",
    "every morning at 8": "2026-12-01T08:00+01:00 FREQ=DAILY",
    "every friday evening at 8": "2026-12-04T20:00+01:00 FREQ=WEEKLY;BYDAY=FR",
    "every 3 days": "2026-11-30 FREQ=DAILY;INTERVAL=3",
    "every other week on monday": "2026-11-30 FREQ=WEEKLY;INTERVAL=2;BYDAY=MO",
    "every two weeks on monday and wednesday": "2026-11-30 FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE",
    "every other tuesday at 10": "2026-12-01T10:00+01:00 FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
    "fortnightly on friday": "2026-12-04 FREQ=WEEKLY;INTERVAL=2;BYDAY=FR",
    "weekly starting 7 december at 10": "2026-12-07T10:00+01:00 FREQ=WEEKLY;BYDAY=MO",
    "monthly on the 1st": "2026-12-01 FREQ=MONTHLY;BYMONTHDAY=1",
    "on the 1st of every month": "2026-12-01 FREQ=MONTHLY;BYMONTHDAY=1",
    "every 31st": "2026-12-31 FREQ=MONTHLY;BYMONTHDAY=31",
    "the last day of every month": "2026-11-30 FREQ=MONTHLY;BYMONTHDAY=-1",
    "monthly on the last day": "2026-11-30 FREQ=MONTHLY;BYMONTHDAY=-1",
    "every first monday": "2026-12-07 FREQ=MONTHLY;BYDAY=1MO",
    "the second tuesday of every month at 14:00": "2026-12-08T14:00+01:00 FREQ=MONTHLY;BYDAY=2TU",
    "monthly on the last friday at 4pm": "2026-12-25T16:00+01:00 FREQ=MONTHLY;BYDAY=-1FR",
    "every last friday of the month": "2026-12-25 FREQ=MONTHLY;BYDAY=-1FR",
    "every year on 3 may": "2027-05-03 FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3",
    "every 3rd of may": "2027-05-03 FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3",
    "yearly on 29 february": "2028-02-29 FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
    "annually on christmas": "2026-12-25 FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25",
    "every year on the first monday of march": "2027-03-01 FREQ=YEARLY;BYMONTH=3;BYDAY=1MO",
    "every tuesday from 9 to 10": "2026-12-01T09:00+01:00/2026-12-01T10:00+01:00 FREQ=WEEKLY;BYDAY=TU",
    "every tuesday at 9 for half an hour": (
        "2026-12-01T09:00+01:00/2026-12-01T09:30+01:00 FREQ=WEEKLY;BYDAY=TU"
    ),
    "every tuesday 5 times": "2026-12-01 FREQ=WEEKLY;BYDAY=TU;COUNT=5",
    "every tuesday for 5 weeks": "2026-12-01 FREQ=WEEKLY;BYDAY=TU;UNTIL=20270104",
    "every tuesday until 20 january": "2026-12-01 FREQ=WEEKLY;BYDAY=TU;UNTIL=20270120",
    "daily at 9 until friday": "2026-12-01T09:00+01:00 FREQ=DAILY;UNTIL=20261204T225959Z",
    "every day next week at 8": "2026-12-07T08:00+01:00 FREQ=DAILY;UNTIL=20261213T225959Z",
    "daily from 5 december to 8 december": "2026-12-05 FREQ=DAILY;UNTIL=20261208",
    "every tuesday from 7 december until 20 january at 9": (
        "2026-12-08T09:00+01:00 FREQ=WEEKLY;BYDAY=TU;UNTIL=20270120T225959Z"
    ),
    "from 7 december until 20 january every tuesday at 9": (
        "2026-12-08T09:00+01:00 FREQ=WEEKLY;BYDAY=TU;UNTIL=20270120T225959Z"
    ),
    "every tuesday at 4": (
        "? 2026-12-01T16:00+01:00 FREQ=WEEKLY;BYDAY=TU | 2026-12-01T04:00+01:00 FREQ=WEEKLY;BYDAY=TU"
    ),
}

ASKED = [
    "weekly", "monthly at 9", "every morning", "every second monday", "every 2nd tuesday",
    "biweekly", "every hour", "every 30 minutes", "every tuesday until march",
    "every tuesday until last week", "monday every tuesday", "every day every week", "every 0 days",
    "10 times", "every sixth monday of the month", "every 31 february", "every tuesday and the 5th",
    "every friday at midnight", "every friday night at 1", "every tuesday for 30 minutes",
    "march 9 daily to 5", "every tuesday until at 4 2027-05-05", "every friday at 15:00+01:00",
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "meaning"), SERIES.items())
def test_a_repetition_has_its_first_time_and_its_rule(tell: Tell, phrase: str, meaning: str) -> None:
    assert tell(phrase, "Europe/Copenhagen") == meaning


@pytest.mark.parametrize("phrase", ASKED)
def test_a_repetition_that_is_not_clear_is_asked(tell: Tell, phrase: str) -> None:
    assert tell(phrase, "Europe/Copenhagen") == "?"


@pytest.mark.parametrize("phrase", [phrase for phrase, meaning in SERIES.items() if "?" not in meaning])
def test_the_calendars_own_expansion_begins_on_the_first_time(phrase: str) -> None:
    when = understand(phrase, NOW)
    assert isinstance(when, When)
    event = icalendar.Event()
    event.add("dtstart", when.start)
    event.add("rrule", icalendar.vRecur.from_ical(when.rule))
    found = recurring_ical_events.of(event).between(when.start, when.start + timedelta(days=3000))
    first, *rest = (one.start for one in found)
    assert first == when.start
    assert rest
    assert all(_clock(one) == _clock(when.start) for one in rest)


def test_the_last_day_counts_in_the_evening_west_of_greenwich() -> None:
    now = NOW.replace(tzinfo=ZoneInfo("America/Los_Angeles"))
    when = understand("daily at 23:00 until 2 december", now)
    assert isinstance(when, When)
    event = icalendar.Event()
    event.add("dtstart", when.start)
    event.add("rrule", icalendar.vRecur.from_ical(when.rule))
    found = recurring_ical_events.of(event).between(now, now + timedelta(days=30))
    assert [one.start.day for one in found] == [30, 1, 2]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FREQ=WEEKLY;BYDAY=TU", "every Tuesday"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=4", "every 2 weeks on Monday and Wednesday, 4 times"),
        ("FREQ=MONTHLY;BYMONTHDAY=31", "every month on the 31st (only when there is one)"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "every year on 29 February (only when there is one)"),
        ("FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3", "every year on 3 May"),
        ("FREQ=DAILY;UNTIL=20261204T225959Z", "every day until Fri 4 Dec 2026"),
        ("FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO", "repeating by the rule FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO"),
        ("nonsense", "repeating by the rule nonsense"),
    ],
)
def test_a_rule_is_told_in_words(rule: str, words: str) -> None:
    assert describe_rule(rule, ZONE) == words


def _clock(moment: datetime | date) -> object:
    return moment.time() if isinstance(moment, datetime) else None
