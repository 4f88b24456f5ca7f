"""Times of day in plain words; said on Monday 30 November 2026 at 10:00 in New York."""

from collections.abc import Callable

import pytest

Tell = Callable[..., str]

DAY = "2026-12-01"

TOMORROW = {
    "at noon": "12:00",
    "at 12": "12:00",
    "at 8": "08:00",
    "at 11": "11:00",
    "10 o'clock": "10:00",
    "4pm": "16:00",
    "4 p.m.": "16:00",
    "four pm": "16:00",
    "12am": "00:00",
    "12pm": "12:00",
    "16:00": "16:00",
    "16h30": "16:30",
    "1600": "16:00",
    "0400": "04:00",
    "04:00": "04:00",
    "4.30pm": "16:30",
    "at 20": "20:00",
    "at 2030": "20:30",
    "quarter to nine": "08:45",
    "a quarter past nine": "09:15",
    "half past ten": "10:30",
    "twenty to six pm": "17:40",
    "5 minutes to 6pm": "17:55",
    "ten past noon": "12:10",
    "at 8 in the evening": "20:00",
    "in the evening at 7": "19:00",
    "evening 7": "19:00",
    "8 in the morning": "08:00",
    "morning at 6": "06:00",
    "afternoon at 2": "14:00",
    "night at 11": "23:00",
    "at 9:30": "09:30",
    "around 9": "09:00",
}

ASKED = {
    "at 4": "16:00 04:00",
    "at 1": "13:00 01:00",
    "at 7": "19:00 07:00",
    "at four": "16:00 04:00",
    "4:30": "16:30 04:30",
    "half past four": "16:30 04:30",
    "quarter to five": "16:45 04:45",
    "ten past four": "16:10 04:10",
    "4 o'clock": "16:00 04:00",
    "5.30": "17:30 05:30",
    "4": "16:00 04:00",
    "8": "08:00",
}

RANGES = {
    "3-4pm": "15:00 16:00",
    "11-1pm": "11:00 13:00",
    "9am-5pm": "09:00 17:00",
    "9 to 5": "09:00 17:00",
    "10-2": "10:00 14:00",
    "from 10 to 11": "10:00 11:00",
    "between 9 and 11": "09:00 11:00",
    "14:00-15:30": "14:00 15:30",
    "14:00 – 15:30": "14:00 15:30",
    "14:00 until 3": "14:00 15:00",
    "10am to noon": "10:00 12:00",
    "noon to 1": "12:00 13:00",
    "afternoon from 2 to 4": "14:00 16:00",
    "from 2 to 4 in the afternoon": "14:00 16:00",
    "3:00 PM - 4:00 PM": "15:00 16:00",
    "10:00 for 45 min": "10:00 10:45",
    "at 2pm for an hour and a half": "14:00 15:30",
    "from half past nine to quarter to ten": "09:30 09:45",
}

WHOLE = {
    "in 45 minutes": "2026-11-30T10:45-05:00",
    "in an hour and a half": "2026-11-30T11:30-05:00",
    "in half an hour": "2026-11-30T10:30-05:00",
    "2 hours from now": "2026-11-30T12:00-05:00",
    "an hour ago": "2026-11-30T09:00-05:00",
    "in 2 days and 3 hours": "2026-12-02T13:00-05:00",
    "in 2 days at 5pm": "2026-12-02T17:00-05:00",
    "now": "2026-11-30T10:00-05:00",
    "in an hour for 30 minutes": "2026-11-30T11:00-05:00/2026-11-30T11:30-05:00",
    "4pm": "2026-11-30T16:00-05:00",
    "at 9": "? 2026-12-01T09:00-05:00 | 2026-11-30T09:00-05:00",
    "at 4": "? 2026-11-30T16:00-05:00 | 2026-12-01T04:00-05:00",
    "today at 9": "2026-11-30T09:00-05:00",
    "tonight at 8": "2026-11-30T20:00-05:00",
    "tonight at 12": "2026-12-01T00:00-05:00",
    "tonight at 1": "2026-12-01T01:00-05:00",
    "8 tonight": "2026-11-30T20:00-05:00",
    "midnight": "2026-12-01T00:00-05:00",
    "friday midnight": "? 2026-12-04T00:00-05:00 | 2026-12-05T00:00-05:00",
    "friday night at 2": "? 2026-12-05T02:00-05:00 | 2026-12-04T02:00-05:00",
    "tonight": "~2026-11-30T18:00-05:00/2026-12-01T00:00-05:00",
    "tomorrow morning": "~2026-12-01T06:00-05:00/2026-12-01T12:00-05:00",
    "this afternoon": "~2026-11-30T12:00-05:00/2026-11-30T18:00-05:00",
    "in the morning": (
        "? ~2026-12-01T06:00-05:00/2026-12-01T12:00-05:00 | ~2026-11-30T06:00-05:00/2026-11-30T12:00-05:00"
    ),
    "friday evening": "~2026-12-04T18:00-05:00/2026-12-04T22:00-05:00",
    "friday at lunchtime": "~2026-12-04T12:00-05:00/2026-12-04T14:00-05:00",
    "22:00 to 02:00": "2026-11-30T22:00-05:00/2026-12-01T02:00-05:00",
    "friday 10pm to saturday 2am": "2026-12-04T22:00-05:00/2026-12-05T02:00-05:00",
    "noon to midnight": "2026-11-30T12:00-05:00/2026-12-01T00:00-05:00",
    "3 to 4pm on friday": "2026-12-04T15:00-05:00/2026-12-04T16:00-05:00",
    "friday from 3 to 4": (
        "? 2026-12-04T15:00-05:00/2026-12-04T16:00-05:00 | 2026-12-04T03:00-05:00/2026-12-04T04:00-05:00"
    ),
    "next friday at 16:00": "? 2026-12-04T16:00-05:00 | 2026-12-11T16:00-05:00",
    "5/12 at 10": "? 2026-12-05T10:00-05:00 | 2027-05-12T10:00-04:00",
    "this weekend at 10": "? 2026-12-05T10:00-05:00 | 2026-12-06T10:00-05:00",
    "this weekend at 4": "? ? | ?",
    "friday all day": "2026-12-04",
    "all day": "2026-11-30",
    "10": "? 2026-12-01T10:00-05:00 | 2026-11-30T10:00-05:00 | 2026-12-10",
    "sometime 2026-12-04 06:00 to 12:00": "~2026-12-04T06:00-05:00/2026-12-04T12:00-05:00",
    "2026-12-04 12:00": "2026-12-04T12:00-05:00",
    "2026-12-04T12:00": "2026-12-04T12:00-05:00",
    "2026-12-04 12:00 to 13:30": "2026-12-04T12:00-05:00/2026-12-04T13:30-05:00",
}

NEVER = [
    "25:00", "4:75", "tomorrow at 25", "24:30", "16:00 to 15:00", "5.12",
    "tomorrow morning at 14:00", "friday 9:00 10:00", "9 to 10 to 11", "friday and saturday",
    "tomorrow at 9 or 10", "at 5 in the morning evening", "friday at noon all day", "ten to eleven",
    "tomorrow tomorrow", "14am", "for an hour", "friday for an hour", "friday to 4pm", "after 5pm",
    "monday to friday at 9", "14:00-15:30 tomorrow friday", "between 2026-12-07 06:00",
    "next week for 2 days", "week of 7 december at 9", "since friday to monday",
    "9 to 10 for an hour", "friday +02:00",
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "meaning"), TOMORROW.items())
def test_a_clear_time_of_day_is_taken_as_said(tell: Tell, phrase: str, meaning: str) -> None:
    expected = f"{DAY}T{meaning}-05:00"
    assert tell(f"tomorrow {phrase}") == expected
    assert tell(f"{phrase} tomorrow") == expected


@pytest.mark.parametrize(("phrase", "meanings"), ASKED.items())
def test_a_bare_hour_is_asked_the_afternoon_first(tell: Tell, phrase: str, meanings: str) -> None:
    assert tell(f"tomorrow {phrase}") == "? " + " | ".join(f"{DAY}T{time}-05:00" for time in meanings.split())


@pytest.mark.parametrize(("phrase", "meaning"), RANGES.items())
def test_a_range_has_a_start_and_an_end(tell: Tell, phrase: str, meaning: str) -> None:
    start, end = meaning.split()
    assert tell(f"tomorrow {phrase}") == f"{DAY}T{start}-05:00/{DAY}T{end}-05:00"


@pytest.mark.parametrize(("phrase", "meaning"), WHOLE.items())
def test_a_phrase_means_what_it_says(tell: Tell, phrase: str, meaning: str) -> None:
    assert tell(phrase) == meaning


@pytest.mark.parametrize("phrase", NEVER)
def test_what_contradicts_itself_or_is_not_understood_is_asked_without_a_guess(
    tell: Tell, phrase: str
) -> None:
    assert tell(phrase) == "?"
