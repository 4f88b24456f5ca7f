"""Writes VTIMEZONE components (RFC 5545 3.6.5) from the yearly rules of the time zone database."""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import resources
from zoneinfo import ZoneInfo

from icalendar import Timezone, TimezoneDaylight, TimezoneStandard
from icalendar.prop import vRecur

_WEEKDAYS = ("SU", "MO", "TU", "WE", "TH", "FR", "SA")
_LAST_WEEK = 5
_LEAP_YEAR = 2024
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)
_YEARS_CHECKED = 20

_NAME = r"<[A-Za-z0-9+-]+>|[A-Za-z]+"
_OFFSET = r"[+-]?\d{1,3}(?::\d{2}){0,2}"
_CHANGE = rf"M(\d+)\.(\d)\.(\d)(?:/({_OFFSET}))?"
_FOOTER = re.compile(rf"({_NAME})({_OFFSET})(?:({_NAME})({_OFFSET})?,{_CHANGE},{_CHANGE})?")

Observance = TimezoneStandard | TimezoneDaylight


@dataclass(frozen=True, slots=True)
class Change:
    """A yearly switch: weekday `weekday` (0 = Sunday) of week `week` (5 = the last), `at` after midnight."""

    month: int
    week: int
    weekday: int
    at: timedelta


@dataclass(frozen=True, slots=True)
class Footer:
    """The POSIX rule that ends a TZif file (RFC 9636 3.3): offsets east of UTC and the yearly switches."""

    standard_name: str
    standard: timedelta
    daylight_name: str = ""
    daylight: timedelta = timedelta()
    to_daylight: Change | None = None
    to_standard: Change | None = None


def vtimezone(zone: ZoneInfo, year: int) -> Timezone:
    """The definition of an IANA zone for events from `year` on.

    The yearly rule is used where it gives the same offsets as the zone itself over the years that follow;
    zones whose coming changes follow no such rule (Morocco, Gaza) get each change spelled out.
    """
    component = Timezone()
    component.add("TZID", zone.key)
    footer = read_footer(zone.key)
    observances = tuple(_ruled(footer, year - 1)) if footer and _holds(footer, zone, year) else ()
    for observance in observances or tuple(_spelled_out(zone, year)):
        component.add_component(observance)
    return component


def read_footer(key: str) -> Footer | None:
    """The POSIX rule of a zone in the tzdata package, or None where it has none that can be written."""
    try:
        path = resources.files("tzdata").joinpath("zoneinfo", *key.split("/"))
        last = path.read_bytes().rstrip(b"\n").rsplit(b"\n", 1)[-1]
    except (OSError, ModuleNotFoundError):
        return None
    return parse_footer(last.decode("ascii", "replace"))


def parse_footer(text: str) -> Footer | None:
    """A POSIX TZ string with `M` rules, read; None for any other form."""
    match = _FOOTER.fullmatch(text)
    if match is None:
        return None
    name, offset, daylight_name, daylight_offset, *changes = match.groups()
    standard = -_span(offset)
    if daylight_name is None:
        return Footer(name.strip("<>"), standard)
    daylight = -_span(daylight_offset) if daylight_offset else standard + _HOUR
    return Footer(
        name.strip("<>"),
        standard,
        daylight_name.strip("<>"),
        daylight,
        _change(*changes[:4]),
        _change(*changes[4:]),
    )


def _change(month: str, week: str, weekday: str, at: str | None) -> Change:
    return Change(int(month), int(week), int(weekday), _span(at) if at else 2 * _HOUR)


def _span(text: str) -> timedelta:
    sign = -1 if text.startswith("-") else 1
    hours, minutes, seconds, *_ = (*(int(part) for part in text.lstrip("+-").split(":")), 0, 0)
    return sign * timedelta(hours=hours, minutes=minutes, seconds=seconds)


def _ruled(footer: Footer, year: int) -> Iterator[Observance]:
    if footer.to_daylight is None or footer.to_standard is None:
        start = datetime(year, 1, 1)  # noqa: DTZ001 - an onset is local time without a zone
        yield _observance(start, footer.standard, footer.standard, footer.standard_name)
        return
    yield _yearly(footer.to_standard, year, footer.daylight, footer.standard, footer.standard_name)
    yield _yearly(footer.to_daylight, year, footer.standard, footer.daylight, footer.daylight_name)


def _yearly(change: Change, year: int, before: timedelta, after: timedelta, name: str) -> Observance:
    component = _observance(_onset(change, year), before, after, name)
    component.add("RRULE", vRecur.from_ical(yearly_rule(change)))
    return component


def yearly_rule(change: Change) -> str:
    """The RRULE of a switch; one whose time lies outside its day is moved to the day it falls on."""
    moved, _ = divmod(change.at, _DAY)
    weekday = _WEEKDAYS[(change.weekday + moved) % 7]
    if moved == 0:
        week = -1 if change.week == _LAST_WEEK else change.week
        return f"FREQ=YEARLY;BYMONTH={change.month};BYDAY={week}{weekday}"
    length = monthrange(_LEAP_YEAR, change.month)[1]
    first = (length - 6 if change.week == _LAST_WEEK else 7 * change.week - 6) + moved
    days = range(first, first + 7)
    if first >= 1 and days[-1] <= length:
        listed = ",".join(str(day) for day in days)
        return f"FREQ=YEARLY;BYMONTH={change.month};BYDAY={weekday};BYMONTHDAY={listed}"
    # Counted from the end of the year, a week that straddles two months is the same in leap years.
    opening = datetime(_LEAP_YEAR, change.month, 1, tzinfo=UTC) + (first - 1) * _DAY
    left = (datetime(_LEAP_YEAR + 1, 1, 1, tzinfo=UTC) - opening) // _DAY
    listed = ",".join(str(-day) for day in range(left, left - 7, -1))
    return f"FREQ=YEARLY;BYDAY={weekday};BYYEARDAY={listed}"


def _onset(change: Change, year: int) -> datetime:
    first = datetime(year, change.month, 1)  # noqa: DTZ001 - an onset is local time without a zone
    day = 1 + (change.weekday - first.isoweekday()) % 7 + 7 * (change.week - 1)
    if day > monthrange(year, change.month)[1]:
        day -= 7
    return first + (day - 1) * _DAY + change.at


def _holds(footer: Footer, zone: ZoneInfo, year: int) -> bool:
    changes = tuple(_transitions(zone, year - 1, year + _YEARS_CHECKED))
    if footer.to_daylight is None or footer.to_standard is None:
        return not changes and datetime(year, 1, 1, tzinfo=zone).utcoffset() == footer.standard
    expected = sorted(
        (_onset(change, each) - before).replace(tzinfo=UTC)
        for each in range(year - 1, year + _YEARS_CHECKED)
        for change, before in (
            (footer.to_daylight, footer.standard),
            (footer.to_standard, footer.daylight),
        )
    )
    offsets = {footer.standard, footer.daylight}
    return [change for change, _, _ in changes] == expected and all(
        {before, after} == offsets for _, before, after in changes
    )


def _spelled_out(zone: ZoneInfo, year: int) -> Iterator[Observance]:
    opening = datetime(year - 1, 1, 1, tzinfo=UTC)
    offset = _offset(zone, opening)
    start = (opening + offset).replace(tzinfo=None)
    yield _observance(start, offset, offset, _abbreviation(zone, opening))
    for moment, before, after in _transitions(zone, year - 1, year + _YEARS_CHECKED):
        onset = (moment + before).replace(tzinfo=None)
        yield _observance(onset, before, after, _abbreviation(zone, moment))


def _transitions(
    zone: ZoneInfo, first_year: int, end_year: int
) -> Iterator[tuple[datetime, timedelta, timedelta]]:
    moment = datetime(first_year, 1, 1, tzinfo=UTC)
    end = datetime(end_year, 1, 1, tzinfo=UTC)
    offset = _offset(zone, moment)
    while moment < end:
        # No zone changes its clocks twice within a week.
        later = moment + _WEEK
        if (changed := _offset(zone, later)) != offset:
            yield _between(zone, moment, later), offset, changed
            offset = changed
        moment = later


def _between(zone: ZoneInfo, early: datetime, late: datetime) -> datetime:
    before = _offset(zone, early)
    seconds = int((late - early).total_seconds())
    low, high = 0, seconds
    while high - low > 1:
        middle = (low + high) // 2
        if _offset(zone, early + timedelta(seconds=middle)) == before:
            low = middle
        else:
            high = middle
    return early + timedelta(seconds=high)


def _observance(start: datetime, before: timedelta, after: timedelta, name: str) -> Observance:
    component = TimezoneDaylight() if after > before else TimezoneStandard()
    component.add("DTSTART", start)
    component.add("TZOFFSETFROM", before)
    component.add("TZOFFSETTO", after)
    component.add("TZNAME", name)
    return component


def _offset(zone: ZoneInfo, moment: datetime) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta()


def _abbreviation(zone: ZoneInfo, moment: datetime) -> str:
    return moment.astimezone(zone).tzname() or zone.key
