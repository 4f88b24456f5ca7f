"""Days, weeks and months in plain words; said on Monday 30 November 2026."""

from collections.abc import Callable

import pytest

Tell = Callable[..., str]

DAYS = {
    "today": "2026-11-30",
    "tomorrow": "2026-12-01",
    "Tomorrow, please": "2026-12-01",
    "yesterday": "2026-11-29",
    "the day after tomorrow": "2026-12-02",
    "day before yesterday": "2026-11-28",
    "friday": "2026-12-04",
    "on Fri.": "2026-12-04",
    "Monday": "2026-12-07",
    "this friday": "2026-12-04",
    "this monday": "? 2026-11-30 | 2026-12-07",
    "next friday": "? 2026-12-04 | 2026-12-11",
    "next monday": "2026-12-07",
    "last monday": "2026-11-23",
    "last friday": "2026-11-27",
    "friday week": "2026-12-11",
    "monday week": "? 2026-12-07 | 2026-12-14",
    "a week from tuesday": "2026-12-08",
    "two weeks from friday": "2026-12-18",
    "a week today": "2026-12-07",
    "a fortnight on friday": "2026-12-18",
    "three days after tomorrow": "2026-12-04",
    "2 days before christmas": "2026-12-23",
    "friday next week": "2026-12-11",
    "next week on friday": "2026-12-11",
    "tuesday of this week": "2026-12-01",
    "the 5th": "2026-12-05",
    "on the 30th": "2026-11-30",
    "the thirty-first": "2026-12-31",
    "5 december": "2026-12-05",
    "5th of december": "2026-12-05",
    "December 5th, 2026": "2026-12-05",
    "dec. 5": "2026-12-05",
    "the 5th of november": "2027-11-05",
    "30 november": "2026-11-30",
    "5 december 2027": "2027-12-05",
    "29 february": "2028-02-29",
    "5.12.": "2026-12-05",
    "5.12.2026": "2026-12-05",
    "5. 12. 26": "2026-12-05",
    "31/12": "2026-12-31",
    "12/31": "2026-12-31",
    "5/5": "2027-05-05",
    "5/12": "? 2026-12-05 | 2027-05-12",
    "12/5": "? 2027-05-12 | 2026-12-05",
    "5/12/2026": "? 2026-12-05 | 2026-05-12",
    "5-12-2026": "? 2026-12-05 | 2026-05-12",
    "13/12/26": "2026-12-13",
    "2026-12-04": "2026-12-04",
    "2026/12/04": "2026-12-04",
    "20261204": "2026-12-04",
    "Friday 4 December": "2026-12-04",
    "Fri, 4 Dec 2026": "2026-12-04",
    "next month on the 5th": "2026-12-05",
    "the 5th of next month": "2026-12-05",
    "first monday of march": "2027-03-01",
    "the last friday of december": "2026-12-25",
    "second tuesday of next month": "2026-12-08",
    "first monday of the month": "? 2026-11-02 | 2026-12-07",
    "end of the month": "2026-11-30",
    "the last day of february": "2027-02-28",
    "start of next month": "2026-12-01",
    "end of the year": "2026-12-31",
    "end of next year": "2027-12-31",
    "5 may next year": "2027-05-05",
    "end of next week": "? 2026-12-11 | 2026-12-13",
    "beginning of next week": "2026-12-07",
    "christmas eve": "2026-12-24",
    "New Year's Eve": "2026-12-31",
    "in two weeks": "2026-12-14",
    "in a month": "2026-12-30",
    "in 10 days": "2026-12-10",
    "3 days ago": "2026-11-27",
    "starting friday": "2026-12-04",
    "- friday": "2026-12-04",
    "by friday": "2026-12-04",
    "to friday": "2026-12-04",
}

STRETCHES = {
    "this week": "~2026-11-30/2026-12-07",
    "next week": "~2026-12-07/2026-12-14",
    "last week": "~2026-11-23/2026-11-30",
    "the past week": "~2026-11-23/2026-12-01",
    "week 50": "~2026-12-07/2026-12-14",
    "the week of 9 december": "~2026-12-07/2026-12-14",
    "this weekend": "~2026-12-05/2026-12-07",
    "next weekend": "? ~2026-12-05/2026-12-07 | ~2026-12-12/2026-12-14",
    "next month": "~2026-12-01/2027-01-01",
    "in december": "~2026-12-01/2027-01-01",
    "march": "~2027-03-01/2027-04-01",
    "november": "~2026-11-01/2026-12-01",
    "december 2027": "~2027-12-01/2028-01-01",
    "next december": "? ~2026-12-01/2027-01-01 | ~2027-12-01/2028-01-01",
    "last december": "~2025-12-01/2026-01-01",
    "in 2027": "~2027-01-01/2028-01-01",
    "this year": "~2026-01-01/2027-01-01",
    "the next three days": "~2026-11-30/2026-12-04",
    "last 7 days": "~2026-11-23/2026-12-01",
    "since friday": "~2026-11-27/2026-12-01",
    "4-6 december": "2026-12-04/2026-12-07",
    "december 4 to 6": "2026-12-04/2026-12-07",
    "from the 4th to the 6th": "2026-12-04/2026-12-07",
    "from friday to sunday": "2026-12-04/2026-12-07",
    "between tuesday and friday": "2026-12-01/2026-12-05",
    "dec 24 - jan 2": "2026-12-24/2027-01-03",
    "2026-12-04 to 2026-12-06": "2026-12-04/2026-12-07",
    "from friday for 3 days": "2026-12-04/2026-12-07",
}

IMPOSSIBLE = [
    "31 february", "february 30", "2026-02-30", "31.11.", "32 december", "the 32nd", "13/13", "0/5",
    "2026-13-01", "5th monday of february 2027", "week 60", "thursday 4 december", "tuesday 30 november 2026",
    "friday to thursday of last week", "5 december to 4 december 2026", "in 999999 months",
    "999999 weeks from tomorrow", "first friday",
]  # fmt: skip

NO_TIME = [
    "",
    "   ",
    "on",
    "to",
    "so",
    "dentist",
    "soon",
    "never",
    "a",
    "at",
    "every",
    "-",
    "?!",
    "the",
    "until",
]


@pytest.mark.parametrize(("phrase", "meaning"), DAYS.items())
def test_a_day_in_words_is_that_day(tell: Tell, phrase: str, meaning: str) -> None:
    assert tell(phrase) == meaning


@pytest.mark.parametrize(("phrase", "meaning"), STRETCHES.items())
def test_a_stretch_of_days_has_its_first_day_and_the_day_after_its_last(
    tell: Tell, phrase: str, meaning: str
) -> None:
    assert tell(phrase) == meaning


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "UTC", "Asia/Tokyo", "Pacific/Kiritimati"])
def test_a_day_is_the_same_in_every_zone(tell: Tell, zone: str) -> None:
    assert [tell(phrase, zone) for phrase in ("today", "friday", "2026-08-27", "in december")] == [
        "2026-11-30", "2026-12-04", "2026-08-27", "~2026-12-01/2027-01-01",
    ]  # fmt: skip


@pytest.mark.parametrize("phrase", IMPOSSIBLE)
def test_a_day_that_does_not_exist_is_asked_about_without_a_guess(tell: Tell, phrase: str) -> None:
    assert tell(phrase) == "?"


@pytest.mark.parametrize("phrase", NO_TIME)
def test_what_is_no_time_is_no_time(tell: Tell, phrase: str) -> None:
    assert tell(phrase) == "?"


@pytest.mark.parametrize(
    "phrase", ["not friday", "tomorrow or friday", "before friday", "any day but monday"]
)
def test_a_word_that_turns_the_meaning_is_never_left_out(tell: Tell, phrase: str) -> None:
    assert tell(phrase) == "?"


@pytest.mark.parametrize("phrase", ["friday with Ana", "dentist on friday", "friday (room 4b)"])
def test_a_rest_that_is_not_understood_is_named_and_left_out_only_by_choice(tell: Tell, phrase: str) -> None:
    assert tell(phrase) == "? 2026-12-04"
