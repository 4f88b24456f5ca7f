"""Works out the days of one side of a phrase from all that was said about them."""

from collections.abc import Iterable
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from connectors.when.answers import DoubtError
from connectors.when.days import View, add_length, days_of, week_start
from connectors.when.moments import World
from connectors.when.pieces import Day, In, Weekday
from connectors.when.reading import Side
from connectors.when.spans import Stretch, days_within, stretches_of
from connectors.when.vocabulary import MONTH_NAMES, WEEKDAY_NAMES


def views(world: World, zone: ZoneInfo, *, after: date | None = None) -> tuple[View, ...]:
    """Where the days are seen from: today here, and today in the zone that was named if that differs.

    With `after`, open days are looked for from there on, as for the end of a range.
    """
    if after is not None:
        return (View(after, False, world.about_day),)
    todays = dict.fromkeys((world.now.date(), world.now.astimezone(zone).date()))
    return tuple(View(today, world.past, world.about_day) for today in todays)


def dates_of(side: Side, seen: Iterable[View]) -> tuple[date, ...]:
    """Every day that the side can mean; empty when it names none."""
    found: list[date] = []
    for view in seen:
        found += _dates(side, view)
    return tuple(dict.fromkeys(found))


def stretches(side: Side, seen: Iterable[View]) -> tuple[Stretch, ...]:
    """Every stretch of days that the side can mean, a single day being one; empty when it names none."""
    seen = tuple(seen)
    if not side.spans or side.days:
        return tuple((day, day + timedelta(days=1)) for day in dates_of(side, seen))
    if len(side.spans) > 1:
        raise DoubtError("That names two different stretches of time.")
    found: list[Stretch] = []
    for view in seen:
        found += stretches_of(side.spans[0], view)
    return tuple(dict.fromkeys(found))


def week_around(side: Side, seen: Iterable[View]) -> tuple[Stretch, ...]:
    """The weeks in which the side's days lie."""
    mondays = dict.fromkeys(week_start(day) for day in dates_of(side, seen))
    return tuple((monday, monday + timedelta(weeks=1)) for monday in mondays)


def _dates(side: Side, view: View) -> tuple[date, ...]:
    if not side.days:
        if isinstance(side.counted, In):
            return (add_length(view.today, side.counted.length),)
        if side.offset is not None:
            raise DoubtError("That counts from a day but does not say which.")
        return ()
    if len(side.days) > 2 or len(side.spans) > 1 or side.counted:
        raise DoubtError("That names more than one day.")
    main, check = _main_and_check(side.days)
    found = days_within(main, side.spans[0], view) if side.spans else days_of(main, view)
    if check is not None:
        found = _agreeing(found, check)
    if side.offset is None:
        return found
    if side.offset.seconds:
        raise DoubtError("I can count days, weeks and months from a day, not hours.")
    return tuple(add_length(day, side.offset) for day in found)


def _main_and_check(days: list[Day]) -> tuple[Day, Weekday | None]:
    if len(days) == 1:
        return days[0], None
    for main, check in ((days[0], days[1]), (days[1], days[0])):
        if isinstance(check, Weekday) and not isinstance(main, Weekday) and not check.weeks:
            return main, check
    raise DoubtError("That names two different days.")


def _agreeing(found: tuple[date, ...], check: Weekday) -> tuple[date, ...]:
    agreeing = tuple(day for day in found if day.weekday() == check.weekday)
    if agreeing:
        return agreeing
    day = found[0]
    raise DoubtError(
        f"{day.day} {MONTH_NAMES[day.month - 1]} {day.year} is a {WEEKDAY_NAMES[day.weekday()]}, "
        f"not a {WEEKDAY_NAMES[check.weekday]}."
    )
