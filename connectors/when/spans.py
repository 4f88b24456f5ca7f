"""Works out which stretch of days a piece of a phrase can mean, and which day within it."""

from datetime import date, timedelta

from connectors.when.answers import DoubtError
from connectors.when.days import (
    View,
    add_length,
    day_in_month,
    days_of,
    month_start,
    nth_weekday,
    week_start,
)
from connectors.when.lengths import Length
from connectors.when.pieces import (
    Around,
    Day,
    DayRange,
    Month,
    MonthDay,
    NthWeekday,
    NumberedWeek,
    Span,
    Week,
    Weekday,
    Weekend,
    Which,
    Year,
)

Stretch = tuple[date, date]
_WEEK = timedelta(weeks=1)


def stretches_of(span: Span, view: View) -> tuple[Stretch, ...]:
    """Every stretch (first day, day after the last) that the piece can mean, the likeliest first."""
    match span:
        case Week():
            monday = week_start(view.today) + span.offset * _WEEK
            return ((monday, monday + _WEEK),)
        case NumberedWeek():
            return (_numbered_week(span, view),)
        case Weekend():
            return tuple((saturday, saturday + timedelta(days=2)) for saturday in _weekend(span, view))
        case Month():
            return tuple((first, add_length(first, Length(months=1))) for first in month_start(span, view))
        case Year():
            year = span.year if span.year is not None else view.today.year + span.offset
            return ((date(year, 1, 1), date(year + 1, 1, 1)),)
        case Around():
            return (_around(span, view),)
        case DayRange():
            return _day_range(span, view)


def days_within(day: Day, span: Span, view: View) -> tuple[date, ...]:
    """The days that a day and the stretch it lies in mean together ("next month on the 5th")."""
    if isinstance(day, MonthDay) and isinstance(span, Year) and day.month.month is not None:
        year = stretches_of(span, view)[0][0].year
        return days_of(MonthDay(day.day, Month(day.month.month, year)), view)
    if isinstance(day, NthWeekday) and isinstance(span, Year) and day.month.month is not None:
        year = stretches_of(span, view)[0][0].year
        return days_of(NthWeekday(day.nth, day.weekday, Month(day.month.month, year)), view)
    found: list[date] = []
    for first, after in stretches_of(span, view):
        found += _within(day, span, first, after, view)
    if not found:
        raise DoubtError("That day does not lie in that time.")
    return tuple(dict.fromkeys(found))


def _within(day: Day, span: Span, first: date, after: date, view: View) -> list[date]:
    if isinstance(day, Weekday) and after - first <= _WEEK and not day.weeks:
        found = [first + timedelta(days=(day.weekday - first.weekday()) % 7)]
    elif isinstance(day, MonthDay) and day.month.open and isinstance(span, Month):
        found = [day_in_month(day.day, first)]
    elif isinstance(day, NthWeekday) and day.month.open and isinstance(span, Month):
        found = [nth_weekday(day.nth, day.weekday, first)]
    elif isinstance(day, Weekday) and day.which is Which.LAST and isinstance(span, Month):
        found = [nth_weekday(-1, day.weekday, first)]
    elif isinstance(day, Weekday):
        raise DoubtError("That weekday comes more than once in that time. Which one?")
    else:
        found = list(days_of(day, view))
    return [each for each in found if first <= each < after]


def _numbered_week(span: NumberedWeek, view: View) -> Stretch:
    year = span.year if span.year is not None else view.today.isocalendar().year
    try:
        monday = date.fromisocalendar(year, span.week, 1)
        if span.year is None and not view.past and monday + _WEEK <= view.today:
            monday = date.fromisocalendar(year + 1, span.week, 1)
    except ValueError as error:
        raise DoubtError(f"There is no week {span.week} in that year.") from error
    return monday, monday + _WEEK


def _weekend(span: Weekend, view: View) -> tuple[date, ...]:
    saturday = week_start(view.today) + timedelta(days=5)
    if span.which is Which.LAST:
        return (saturday - _WEEK,)
    if span.which is Which.NEXT:
        return saturday, saturday + _WEEK
    return (saturday - _WEEK,) if view.past and saturday > view.today else (saturday,)


def _around(span: Around, view: View) -> Stretch:
    if span.forward:
        return view.today, add_length(view.today, span.length) + timedelta(days=1)
    return add_length(view.today, -span.length), view.today + timedelta(days=1)


def _day_range(span: DayRange, view: View) -> tuple[Stretch, ...]:
    if span.first > span.last:
        raise DoubtError("That ends before it starts.")
    found = []
    for last in days_of(MonthDay(span.last, span.month), view):
        first = day_in_month(span.first, last.replace(day=1))
        found.append((first, last + timedelta(days=1)))
    return tuple(found)
