"""Repetitions: filling in what was not said, the first occurrence, the RRULE, and the words for one."""

import re
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from connectors.when.answers import DoubtError
from connectors.when.pieces import (
    Day,
    Frequency,
    Month,
    MonthDay,
    NthWeekday,
    Repeat,
    Weekday,
    Weekdays,
    Which,
)
from connectors.when.vocabulary import MONTH_NAMES, WEEKDAY_NAMES

_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_SEARCH_DAYS = 366 * 9
_NTH_WORDS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}
_UNITS = {
    Frequency.DAILY: "day",
    Frequency.WEEKLY: "week",
    Frequency.MONTHLY: "month",
    Frequency.YEARLY: "year",
}
_WORKDAYS = (0, 1, 2, 3, 4)


def refine(repeat: Repeat, day: Day) -> Repeat | None:
    """The repetition completed by a day ("monthly" and "the 1st"), or None when the day does not fit."""
    match repeat.frequency, day:
        case Frequency.WEEKLY, Weekday(weekday=weekday, which=None, weeks=0) if not repeat.weekdays:
            return replace(repeat, weekdays=(weekday,))
        case Frequency.WEEKLY, Weekdays(weekdays=weekdays) if not repeat.weekdays:
            return replace(repeat, weekdays=weekdays)
        case Frequency.MONTHLY, MonthDay(day=number, month=Month(month=None, year=None, offset=None)):
            return replace(repeat, month_day=number) if _bare(repeat) else None
        case Frequency.MONTHLY, NthWeekday(nth=nth, weekday=weekday, month=Month(month=None, offset=None)):
            return replace(repeat, nth=nth, weekdays=(weekday,)) if _bare(repeat) else None
        case Frequency.MONTHLY, Weekday(weekday=weekday, which=Which.LAST):
            return replace(repeat, nth=-1, weekdays=(weekday,)) if _bare(repeat) else None
        case Frequency.YEARLY, MonthDay(day=number, month=Month(month=int(month), year=None)):
            return replace(repeat, month_day=number, month=month) if _bare(repeat) else None
        case Frequency.YEARLY, NthWeekday(nth=nth, weekday=weekday, month=Month(month=int(month), year=None)):
            return replace(repeat, nth=nth, weekdays=(weekday,), month=month) if _bare(repeat) else None
    return None


def complete(repeat: Repeat, start: date | None) -> Repeat:
    """The repetition with what was not said taken from the day it starts on; a doubt when none was said."""
    if repeat.frequency is Frequency.DAILY or not _bare(repeat):
        return repeat
    if start is None:
        raise DoubtError(f"On which day of the {_UNITS[repeat.frequency]} should it repeat?")
    match repeat.frequency:
        case Frequency.WEEKLY:
            return replace(repeat, weekdays=(start.weekday(),))
        case Frequency.MONTHLY:
            return replace(repeat, month_day=start.day)
        case _:
            return replace(repeat, month_day=start.day, month=start.month)


def _bare(repeat: Repeat) -> bool:
    return not repeat.weekdays and repeat.month_day is None and repeat.nth is None


def first_on_or_after(repeat: Repeat, start: date) -> date:
    """The first day of the repetition that is not before `start`; a doubt when there is none for years."""
    day = start
    for _ in range(_SEARCH_DAYS):
        if _falls_on(repeat, day):
            return day
        day += timedelta(days=1)
    raise DoubtError("No day in the years ahead fits that repetition.")


def _falls_on(repeat: Repeat, day: date) -> bool:
    if repeat.month is not None and day.month != repeat.month:
        return False
    next_day = day + timedelta(days=1)
    if repeat.month_day is not None:
        return next_day.day == 1 if repeat.month_day == -1 else day.day == repeat.month_day
    if repeat.weekdays and day.weekday() not in repeat.weekdays:
        return False
    if repeat.nth is None:
        return True
    if repeat.nth == -1:
        return (day + timedelta(days=7)).month != day.month
    return (day.day - 1) // 7 + 1 == repeat.nth


def rrule(repeat: Repeat, *, until: date | None, times: int | None, zone: ZoneInfo | None) -> str:
    """The RRULE value (RFC 5545 section 3.3.10); `until` is the last day, meaning its end in `zone`."""
    parts = [f"FREQ={repeat.frequency.value}"]
    if repeat.interval > 1:
        parts.append(f"INTERVAL={repeat.interval}")
    if repeat.month is not None:
        parts.append(f"BYMONTH={repeat.month}")
    if repeat.month_day is not None:
        parts.append(f"BYMONTHDAY={repeat.month_day}")
    if repeat.weekdays:
        nth = "" if repeat.nth is None else str(repeat.nth)
        parts.append("BYDAY=" + ",".join(nth + _CODES[weekday] for weekday in repeat.weekdays))
    if times is not None:
        parts.append(f"COUNT={times}")
    if until is not None:
        parts.append("UNTIL=" + _until(until, zone))
    return ";".join(parts)


def _until(day: date, zone: ZoneInfo | None) -> str:
    if zone is None:
        return f"{day:%Y%m%d}"
    end = datetime.combine(day, time(23, 59, 59), zone).astimezone(ZoneInfo("UTC"))
    return f"{end:%Y%m%dT%H%M%SZ}"


def parse_rule(rule: str, zone: ZoneInfo | None) -> tuple[Repeat, date | None, int | None] | None:
    """The repetition, last day and count in an RRULE of the kinds written here, or None for any other."""
    parts = dict(part.partition("=")[::2] for part in rule.upper().split(";"))
    try:
        frequency = Frequency(parts.pop("FREQ", ""))
        codes = re.findall(r"(-?[0-9])?(MO|TU|WE|TH|FR|SA|SU)(?:,|$)", parts.get("BYDAY", ""))
        if parts.pop("BYDAY", "").count(",") + 1 != max(len(codes), 1) or len({nth for nth, _ in codes}) > 1:
            return None
        nth = int(codes[0][0]) if codes and codes[0][0] else None
        month_day, month = parts.pop("BYMONTHDAY", None), parts.pop("BYMONTH", None)
        repeat = Repeat(
            frequency,
            int(parts.pop("INTERVAL", 1)),
            tuple(_CODES.index(code) for _, code in codes),
            nth,
            int(month_day) if month_day else None,
            int(month) if month else None,
        )
        until, count = _read_until(parts.pop("UNTIL", None), zone), parts.pop("COUNT", None)
        parts.pop("WKST", None)
        return None if parts else (repeat, until, int(count) if count else None)
    except (ValueError, OverflowError):
        return None


def _read_until(text: str | None, zone: ZoneInfo | None) -> date | None:
    if text is None:
        return None
    if "T" not in text:
        return datetime.strptime(text, "%Y%m%d").date()  # noqa: DTZ007 -- a DATE has no zone
    moment = datetime.strptime(text.rstrip("Z"), "%Y%m%dT%H%M%S").replace(tzinfo=ZoneInfo("UTC"))
    return moment.astimezone(zone or ZoneInfo("UTC")).date()


def repeat_words(repeat: Repeat) -> str:
    """The repetition in words that the grammar understands as the same repetition."""
    days = _listed([WEEKDAY_NAMES[weekday] for weekday in repeat.weekdays])
    if repeat.frequency is Frequency.WEEKLY and repeat.interval == 1 and days:
        return "every weekday" if repeat.weekdays == _WORKDAYS else f"every {days}"
    unit = _UNITS[repeat.frequency]
    every = f"every {unit}" if repeat.interval == 1 else f"every {repeat.interval} {unit}s"
    month = f" {MONTH_NAMES[repeat.month - 1]}" if repeat.month is not None else ""
    if repeat.month_day is not None:
        if month:
            return f"{every} on {repeat.month_day}{month}"
        return f"{every} on the {'last day' if repeat.month_day == -1 else ordinal(repeat.month_day)}"
    if repeat.nth is not None:
        return f"{every} on the {_NTH_WORDS[repeat.nth]} {days}{' of' + month if month else ''}"
    return f"{every} on {days}" if days else every


def ordinal(number: int) -> str:
    """The number as 1st, 2nd, 3rd, 4th ..."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" and {words[-1]}" if words else ""
