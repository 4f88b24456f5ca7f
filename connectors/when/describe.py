"""Times in words for people: always weekday, date and zone."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from connectors.when.moments import UTC, zone_of
from connectors.when.repeats import parse_rule, repeat_words

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def describe(moment: datetime | date, now: datetime) -> str:
    """A moment as "Fri 4 Dec 2026 12:00 Europe/Copenhagen", a whole day as "Fri 4 Dec 2026".

    A moment of another zone than that of `now` also tells the local time; one of a repeated hour its offset.
    """
    if not isinstance(moment, datetime):
        return _day(moment)
    moment, zone = _named(moment, now)
    return f"{_day(moment)} {_clock(moment)} {zone}{_here(moment, None, now)}"


def describe_range(start: datetime | date, end: datetime | date | None, now: datetime) -> str:
    """A time from `start` to `end` (exclusive): "Fri 4 Dec 2026 12:00-13:30 Europe/Copenhagen".

    Whole days are told by their first and last day.
    """
    if isinstance(start, datetime) and isinstance(end, datetime):
        start, zone = _named(start, now)
        end = end.astimezone(start.tzinfo) if end.tzinfo else end
        return f"{_day(start)} {_clock(start)}{_end(start, end)} {zone}{_here(start, end, now)}"
    if isinstance(start, datetime) or end is None:
        return describe(start, now)
    last = (end.date() if isinstance(end, datetime) else end) - timedelta(days=1)
    return f"{_day(start)}, all day" if last <= start else f"{_day(start)} to {_day(last)}"


def describe_rule(rule: str, zone: ZoneInfo | None = None) -> str:
    """An RRULE value in words, such as "every Tuesday until Fri 1 Jan 2027"; one of another kind as it is."""
    parsed = parse_rule(rule, zone)
    if parsed is None:
        return f"repeating by the rule {rule}"
    repeat, until, count = parsed
    words = repeat_words(repeat)
    if repeat.month_day is not None and repeat.month_day > (28 if repeat.month in (None, 2) else 31):
        words += " (only when there is one)"
    if count is not None:
        words += f", {count} times"
    return words if until is None else f"{words} until {_day(until)}"


def distance(moment: datetime | date, now: datetime) -> str:
    """How many days away it is: "today", "tomorrow", "in 4 days", "yesterday", "2 days ago"."""
    if isinstance(moment, datetime):
        moment = moment.astimezone(zone_of(now)).date() if moment.tzinfo else moment.date()
    days = (moment - now.date()).days
    match days:
        case 0:
            return "today"
        case 1:
            return "tomorrow"
        case -1:
            return "yesterday"
        case _:
            return f"in {days:,} days" if days > 0 else f"{-days:,} days ago"


def _day(day: date) -> str:
    return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"


def _clock(moment: datetime) -> str:
    return f"{moment:%H:%M}{_offset(moment) if is_repeated(moment) else ''}"


def _end(start: datetime, end: datetime) -> str:
    if end.date() == start.date():
        return f"-{_clock(end)}"
    if end.date() == start.date() + timedelta(days=1) and end.hour == end.minute == 0:
        return "-24:00"
    return f" to {_day(end)} {_clock(end)}"


def is_repeated(moment: datetime) -> bool:
    """Whether the moment's wall-clock time comes twice, as where summer time ends."""
    if moment.tzinfo is None:
        return False
    first, second = moment.replace(fold=0), moment.replace(fold=1)
    return first.utcoffset() != second.utcoffset() and first.astimezone(UTC) < second.astimezone(UTC)


def _offset(moment: datetime) -> str:
    return f" {offset_text(moment)}"


def offset_text(moment: datetime) -> str:
    """The moment's distance from UTC, such as +02:00."""
    text = f"{moment:%z}"
    return f"{text[:3]}:{text[3:5]}"


def _named(moment: datetime, now: datetime) -> tuple[datetime, str]:
    if moment.tzinfo is None:
        return moment, "(local time wherever you are)"
    if not isinstance(moment.tzinfo, ZoneInfo):
        moment = moment.astimezone(zone_of(now))
    return moment, zone_of(moment).key


def _here(start: datetime, end: datetime | None, now: datetime) -> str:
    zone = zone_of(now)
    if start.tzinfo is None or zone_of(start).key == zone.key:
        return ""
    here = start.astimezone(zone)
    day = "" if here.date() == start.date() else f"{_day(here)} "
    until = "" if end is None else _end(here, end.astimezone(zone))
    return f" ({day}{_clock(here)}{until} {zone.key})"
