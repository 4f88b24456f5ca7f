"""Works out which days a piece of a phrase can mean, seen from a given day."""

import calendar
from dataclasses import dataclass
from datetime import date, timedelta

from connectors.when.answers import DoubtError
from connectors.when.lengths import Length
from connectors.when.pieces import (
    Day,
    DayOffset,
    Exact,
    Month,
    MonthDay,
    NthWeekday,
    Numeric,
    Weekday,
    Weekdays,
    WeekEdge,
    Which,
)
from connectors.when.vocabulary import MONTH_NAMES, WEEKDAY_NAMES

_LEAP_CYCLE = 8


@dataclass(frozen=True, slots=True)
class View:
    """Where days are seen from: today (or the day a range starts on), and which way an open date lies."""

    today: date
    past: bool = False
    about: date | None = None


def days_of(day: Day, view: View) -> tuple[date, ...]:
    """Every day that the piece can mean, the likeliest first; a doubt when there is none."""
    match day:
        case Exact():
            return (day.day,)
        case DayOffset():
            return (_offset(day, view),)
        case Weekday():
            return _weekday(day, view)
        case Weekdays():
            raise DoubtError("That names more than one weekday; say “every” for a repetition.")
        case MonthDay():
            return _month_day(day, view)
        case Numeric():
            return _numeric(day, view)
        case NthWeekday():
            return _nth_weekday(day, view)
        case WeekEdge():
            monday = week_start(view.today) + timedelta(weeks=day.offset)
            return monday + timedelta(days=4), monday + timedelta(days=6)


def week_start(day: date) -> date:
    """The Monday of the day's week."""
    return day - timedelta(days=day.weekday())


def add_length(day: date, length: Length) -> date:
    """The day so many months and days later; a day that the month lacks becomes its last."""
    months = day.year * 12 + day.month - 1 + length.months
    year, month = divmod(months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last)) + timedelta(days=length.days)


def month_start(month: Month, view: View) -> tuple[date, ...]:
    """The first day of each month that is meant."""
    first = view.today.replace(day=1)
    if month.offset is not None:
        return (add_length(first, Length(months=month.offset)),)
    if month.month is None:
        return (first,)
    if month.year is not None:
        return (date(month.year, month.month, 1),)
    this_year = date(view.today.year, month.month, 1)
    ahead = this_year if this_year >= first else add_length(this_year, Length(months=12))
    behind = this_year if this_year <= first else add_length(this_year, Length(months=-12))
    if month.which is Which.NEXT:
        return (
            (ahead, add_length(ahead, Length(months=12)))
            if ahead != first
            else (add_length(ahead, Length(months=12)),)
        )
    if month.which is Which.LAST:
        return (behind,) if behind != first else (add_length(behind, Length(months=-12)),)
    return (behind,) if view.past else (ahead,)


def day_in_month(day: int, first: date) -> date:
    """The day of the month that begins on `first`; -1 is the last; a doubt when the month lacks it."""
    last = calendar.monthrange(first.year, first.month)[1]
    if day == -1:
        return first.replace(day=last)
    if not 1 <= day <= last:
        raise DoubtError(f"{MONTH_NAMES[first.month - 1]} {first.year} has no day {day}.")
    return first.replace(day=day)


def nth_weekday(nth: int, weekday: int, first: date) -> date:
    """The nth weekday (-1: the last) of the month that begins on `first`; a doubt when the month lacks it."""
    month = (first.year, first.month)
    days = [day for week in calendar.monthcalendar(*month) if (day := week[weekday])]
    if nth != -1 and not 1 <= nth <= len(days):
        name = WEEKDAY_NAMES[weekday]
        raise DoubtError(f"{MONTH_NAMES[first.month - 1]} {first.year} has only {len(days)} {name}s.")
    return first.replace(day=days[nth if nth == -1 else nth - 1])


def _offset(day: DayOffset, view: View) -> date:
    if not day.from_about:
        return view.today + timedelta(days=day.days)
    if view.about is None:
        raise DoubtError("Which day is that counted from?")
    return view.about + timedelta(days=day.days)


def _weekday(day: Weekday, view: View) -> tuple[date, ...]:
    today = view.today
    ahead = today + timedelta(days=(day.weekday - today.weekday() - 1) % 7 + 1)
    behind = ahead - timedelta(days=7 if ahead != today + timedelta(days=7) else 14)
    week = timedelta(weeks=1)
    if day.weeks:
        found = (today, today + week) if ahead == today + week else (ahead,)
        return tuple(each + day.weeks * week for each in found)
    match day.which:
        case None:
            return (behind,) if view.past else (ahead,)
        case Which.THIS:
            return (today, ahead) if ahead == today + week else (ahead,)
        case Which.NEXT:
            return (ahead,) if ahead == today + week else (ahead, ahead + week)
        case Which.LAST:
            return (behind, behind - week) if behind >= week_start(today) else (behind,)


def _month_day(day: MonthDay, view: View) -> tuple[date, ...]:
    if day.month.open:
        return _open_month_day(day.day, view)
    if day.month.offset is not None or day.month.year is not None or day.month.which:
        return tuple(day_in_month(day.day, first) for first in month_start(day.month, view))
    if day.month.month is None:
        raise DoubtError("In which month?")
    return (_recurring_date(day.day, day.month.month, view),)


def _open_month_day(day: int, view: View) -> tuple[date, ...]:
    if not (day == -1 or 1 <= day <= 31):
        raise DoubtError(f"No month has a day {day}.")
    first = view.today.replace(day=1)
    step = -1 if view.past else 1
    for months in range(4):
        month = add_length(first, Length(months=step * months))
        if day > calendar.monthrange(month.year, month.month)[1]:
            continue
        found = day_in_month(day, month)
        if (found <= view.today) if view.past else (found >= view.today):
            return (found,)
    raise DoubtError(f"No month nearby has a day {day}.")


def _recurring_date(day: int, month: int, view: View) -> date:
    longest = 29 if month == 2 else calendar.monthrange(2000, month)[1]
    if not (day == -1 or 1 <= day <= longest):
        raise DoubtError(f"{MONTH_NAMES[month - 1]} has no day {day}.")
    step = -1 if view.past else 1
    for years in range(_LEAP_CYCLE + 2):
        year = view.today.year + step * years
        last = calendar.monthrange(year, month)[1]
        if day > last:
            continue
        found = date(year, month, last if day == -1 else day)
        if (found <= view.today) if view.past else (found >= view.today):
            return found
    raise DoubtError(f"{MONTH_NAMES[month - 1]} has no day {day} in the years ahead.")


def _numeric(day: Numeric, view: View) -> tuple[date, ...]:
    found: list[date] = []
    for number, month in ((day.first, day.second), (day.second, day.first)):
        if not 1 <= month <= 12:
            continue
        try:
            read = _month_day(MonthDay(number, Month(month, day.year)), view)
        except DoubtError:
            continue
        found += [each for each in read if each not in found]
    if not found:
        raise DoubtError(f"{day.first}/{day.second} is no date.")
    return tuple(found)


def _nth_weekday(day: NthWeekday, view: View) -> tuple[date, ...]:
    if day.month.open:
        raise DoubtError(f"The {WEEKDAY_NAMES[day.weekday]} of which month?")
    found = tuple(nth_weekday(day.nth, day.weekday, first) for first in month_start(day.month, view))
    first = found[0]
    if day.month.month is not None and day.month.year is None and day.month.which is None:
        if first < view.today and not view.past:
            return (nth_weekday(day.nth, day.weekday, date(first.year + 1, day.month.month, 1)),)
        if first > view.today and view.past:
            return (nth_weekday(day.nth, day.weekday, date(first.year - 1, day.month.month, 1)),)
    if day.month.offset == 0 and first < view.today and not view.past:
        following = add_length(first.replace(day=1), Length(months=1))
        return first, nth_weekday(day.nth, day.weekday, following)
    return found
