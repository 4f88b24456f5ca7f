"""Works out dates of recurrence under a budget, so that no rule keeps the computer busy without end."""

from collections.abc import Iterable, Iterator
from datetime import datetime

import recurring_ical_events
from dateutil.rrule import HOURLY, YEARLY, rrule  # type: ignore[import-untyped]
from icalendar import Calendar, Component
from recurring_ical_events import CalendarQuery

_MOST_STEPS = 120_000
_ALL_MONTHS = range(1, 13)


class TooLong(Exception):
    """The dates of a series cost more steps than the budget allows."""


class _CountedMonths(frozenset[int]):
    """The months a rule allows; being asked for each day that is tried, they count the steps."""

    def __new__(cls, months: Iterable[int], cost: int) -> "_CountedMonths":
        counted = super().__new__(cls, months)
        counted.cost = cost
        counted.left = _MOST_STEPS
        return counted

    cost: int
    left: int

    def __contains__(self, month: object) -> bool:
        self.left -= self.cost
        if self.left < 0:
            raise TooLong
        return super().__contains__(month)


def dates_of(calendar: Calendar, component: str = "VEVENT") -> CalendarQuery:
    """The occurrences of a calendar's components; asking it for a span may raise TooLong."""
    query = recurring_ical_events.of(calendar, components=[component])
    for series in query.series:
        for rule in getattr(series.recurrence, "rrules", ()):
            if isinstance(rule, rrule):
                _limit(rule)
    return query


def rule_dates(component: Component) -> Iterator[datetime]:
    """The dates that a component's rules themselves give, in order for each rule, whatever was taken out."""
    calendar = Calendar()
    calendar.add_component(component)
    for series in dates_of(calendar).series:
        for rule in getattr(series.recurrence, "rrules", ()):
            if isinstance(rule, rrule):
                yield from rule


def _limit(rule: rrule) -> None:
    months = rule._bymonth or ()
    # Naming all months changes what "the first Friday" of a yearly rule means; that one is quick anyway.
    if not months and rule._freq == YEARLY:
        return
    times = 1 if rule._freq == HOURLY else len(rule._timeset or ()) or 1
    rule._bymonth = _CountedMonths(months or _ALL_MONTHS, times)
