"""Forms that name a day: weekdays, dates in words and in numbers, days counted from another."""

import calendar
import re
from datetime import date, timedelta

from connectors.when.answers import DoubtError
from connectors.when.grammar.scan import Rule, rule, said
from connectors.when.pieces import (
    Clock,
    DayOffset,
    Exact,
    Month,
    MonthDay,
    NthWeekday,
    Numeric,
    Piece,
    UtcOffset,
    Week,
    Weekday,
    WeekEdge,
    Which,
    Year,
)
from connectors.when.vocabulary import MONTH, MONTHS, ORDINAL, WEEKDAY, WEEKDAYS, YEAR, number

WHICH = {
    "this": Which.THIS,
    "coming": Which.THIS,
    "this coming": Which.THIS,
    "next": Which.NEXT,
    "last": Which.LAST,
    "past": Which.LAST,
    "this past": Which.LAST,
}
_RELATIVE = {"the": 0, "this": 0, "next": 1, "last": -1}
_NO_CLOCK_AFTER = "(?![:h][0-9]|[.][0-9]{2}| ?(?:am|pm)(?![a-z]))"
MONTH_REFERENCE = (
    f"(?:(?P<relative>the|this|next|last) month|(?P<in_month>{MONTH})(?: (?:of )?(?P<in_year>{YEAR}))?)"
)
_DAY_NUMBER = f"(?:{ORDINAL}|[0-9]{{1,2}})"
_HOLIDAYS = {
    r"new year'?s day": (1, 1),
    r"valentine'?s(?: day)?": (14, 2),
    "halloween": (31, 10),
    "christmas eve": (24, 12),
    "christmas(?: day)?|xmas": (25, 12),
    "boxing day": (26, 12),
    r"new year'?s eve": (31, 12),
}


def month_reference(match: re.Match[str]) -> Month:
    """The month that a match of MONTH_REFERENCE names; open when it names none."""
    if match["relative"]:
        return Month(offset=_RELATIVE[match["relative"]])
    if match["in_month"]:
        return Month(MONTHS[match["in_month"]], _year(match["in_year"]))
    return Month()


def exact(year: int, month: int, day: int) -> date:
    """A date, or a doubt that says there is none such."""
    if not 1 <= month <= 12 or year < 1:
        raise DoubtError(f"There is no month {month} in a year.")
    if not 1 <= day <= calendar.monthrange(year, month)[1]:
        raise DoubtError(f"{calendar.month_name[month]} {year} has no day {day}.")
    return date(year, month, day)


def _year(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) if len(text) == 4 else 2000 + int(text)


def _weekday(match: re.Match[str]) -> tuple[Piece, ...]:
    weeks = {"week": 1, "fortnight": 2}.get(match["weeks"] or "", 0)
    return (Weekday(WEEKDAYS[match["day"]], WHICH.get(match["which"] or ""), weeks),)


def _month_day(match: re.Match[str]) -> tuple[Piece, ...]:
    month = Month(MONTHS[match["month"]], _year(match["year"]))
    return (MonthDay(number(match["day"]), month),)


def _ordinal(match: re.Match[str]) -> tuple[Piece, ...]:
    return (MonthDay(number(match["day"]), month_reference(match)),)


def _nth_weekday(match: re.Match[str]) -> tuple[Piece, ...]:
    nth = -1 if match["nth"] == "last" else number(match["nth"])
    return (NthWeekday(nth, WEEKDAYS[match["day"]], month_reference(match)),)


def _month_edge(match: re.Match[str]) -> tuple[Piece, ...]:
    day = -1 if match["edge"] in ("end", "last day") else 1
    return (MonthDay(day, month_reference(match)),)


def _year_edge(match: re.Match[str]) -> tuple[Piece, ...]:
    day = MonthDay(31, Month(12)) if match["edge"] in ("end", "last day") else MonthDay(1, Month(1))
    return day, Year(offset=_RELATIVE[match["year"]])


def _week_edge(match: re.Match[str]) -> tuple[Piece, ...]:
    offset = _RELATIVE[match["week"]]
    return (WeekEdge(offset),) if match["edge"] == "end" else (Weekday(0), Week(offset))


def _iso(match: re.Match[str]) -> tuple[Piece, ...]:
    day = Exact(exact(int(match["year"]), int(match["month"]), int(match["day"])))
    if not match["hour"]:
        return (day,)
    hour, minute = int(match["hour"]), int(match["minute"])
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        raise DoubtError(f"There is no time {match['hour']}:{match['minute']}.")
    clock = Clock(hour, minute)
    return (day, clock) if not match["offset"] else (day, clock, utc_offset(match["offset"]))


def utc_offset(text: str, *, doubtful: bool = False) -> UtcOffset:
    """An ISO 8601 offset such as Z, +01:00 or -0500."""
    if text.strip() == "z":
        return UtcOffset(timedelta())
    text = text.strip()
    digits = text[1:].replace(":", "")
    digits = digits.zfill(2 if len(digits) < 3 else 4)
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
    return UtcOffset(-offset if text[0] == "-" else offset, doubtful)


def _numeric(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Numeric(int(match["first"]), int(match["second"]), _year(match["year"])),)


def _dotted(match: re.Match[str]) -> tuple[Piece, ...]:
    return (MonthDay(int(match["day"]), Month(_month_number(match["month"]), _year(match["year"]))),)


def _month_number(text: str) -> int:
    if not 1 <= int(text) <= 12:
        raise DoubtError(f"There is no month {text} in a year.")
    return int(text)


def _holiday(day: int, month: int) -> MonthDay:
    return MonthDay(day, Month(month))


_OFFSET = "(?:z|[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)"
_ISO_DATE = rf"(?P<year>{YEAR})(?P<dash>[-/]?)(?P<month>[0-9]{{2}})(?P=dash)(?P<day>[0-9]{{2}})"
_ISO_SECONDS = "(?::?[0-9]{2}(?:[.,][0-9]{1,9})?)?"
_ISO_CLOCK = f"(?:t(?P<hour>[0-9]{{2}}):?(?P<minute>[0-9]{{2}}){_ISO_SECONDS}(?P<offset> ?{_OFFSET})?)?"

DAY_RULES: tuple[Rule, ...] = (
    said("today", DayOffset(0)),
    said("tomorrow|tmrw|tmr", DayOffset(1)),
    said("yesterday", DayOffset(-1)),
    said("(?:the )?day after tomorrow", DayOffset(2)),
    said("(?:the )?day before yesterday", DayOffset(-2)),
    said("the (?:next|following) day|the day after|next day", DayOffset(1, from_about=True)),
    said("the (?:previous day|day before)", DayOffset(-1, from_about=True)),
    said("(?:the |on the )?same day", DayOffset(0, from_about=True)),
    rule(
        f"(?:(?P<which>this coming|this past|this|coming|next|last|past) )?(?P<day>{WEEKDAY})"
        "(?: (?P<weeks>week|fortnight)(?! [0-9]))?",
        _weekday,
    ),
    rule(
        f"(?:the )?(?P<day>{_DAY_NUMBER})\\.?(?: of)? (?P<month>{MONTH})(?: (?P<year>{YEAR}))?",
        _month_day,
    ),
    rule(
        f"(?P<month>{MONTH}) (?:the )?(?P<day>{_DAY_NUMBER}){_NO_CLOCK_AFTER}(?: (?P<year>{YEAR}))?",
        _month_day,
    ),
    rule(f"(?:the )?(?P<day>{ORDINAL})(?: (?:of|in) {MONTH_REFERENCE})?", _ordinal),
    rule(f"(?:the )?(?P<nth>{ORDINAL}|last) (?P<day>{WEEKDAY}) (?:of|in) {MONTH_REFERENCE}", _nth_weekday),
    rule(
        f"(?:the )?(?P<nth>{ORDINAL}) (?P<day>{WEEKDAY})(?P<relative>)(?P<in_month>)(?P<in_year>)",
        _nth_weekday,
    ),
    rule(f"(?:the )?(?P<edge>end|last day|start|beginning|first day) of {MONTH_REFERENCE}", _month_edge),
    said("(?:the )?last day", MonthDay(-1)),
    rule(
        "(?:the )?(?P<edge>end|last day|start|beginning|first day) of (?P<year>the|this|next|last) year",
        _year_edge,
    ),
    rule("(?:the )?(?P<edge>end|start|beginning) of (?P<week>the|this|next|last) week", _week_edge),
    rule(_ISO_DATE + _ISO_CLOCK, _iso),
    rule(r"(?P<first>[0-9]{1,2})/(?P<second>[0-9]{1,2})(?:/(?P<year>[0-9]{4}|[0-9]{2}))?", _numeric),
    rule(r"(?P<first>[0-9]{1,2})-(?P<second>[0-9]{1,2})-(?P<year>[0-9]{4})", _numeric),
    rule(r"(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})\. ?(?P<year>[0-9]{4}|[0-9]{2})?", _dotted),
    *(said(pattern, _holiday(*when)) for pattern, when in _HOLIDAYS.items()),
)
