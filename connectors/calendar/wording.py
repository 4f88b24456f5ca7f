"""How events are put in words: titles made safe, times on the person's own clock."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from icalendar import vRecur

from connectors.base import Context, Field, Item
from connectors.calendar.desk import Desk, local_now
from connectors.calendar.expand import Occurrence
from connectors.calendar.handles import EVENT, Handle
from connectors.calendar.ical import rule_text, rules
from connectors.calendar.moments import Moment, day_of, local
from connectors.calendar.parse import Parsed
from connectors.clean import clean_line
from connectors.when import describe, describe_range, describe_rule

_TITLE = 80
_MOST_CLASHES = 5
_DATES = 3


def title_of(text: str) -> str:
    """A title, safe to show on one line."""
    return clean_line(text, _TITLE).strip() or "(no title)"


def range_of(start: Moment, end: Moment, context: Context) -> str:
    """A span on the person's clock: "Fri 4 Dec 2026 12:00-13:30 Europe/Copenhagen"."""
    zone = context.zone
    return describe_range(local(start, zone), local(end, zone), local_now(context))


def brief_range(start: Moment, end: Moment, context: Context) -> str:
    """A span on the person's clock without the zone, for lists that name it once."""
    return range_of(start, end, context).removesuffix(f" {context.zone.key}")


def span_words(start: datetime, end: datetime, context: Context) -> str:
    """A span that was looked in: its days where it is whole days, else its times."""
    begins, ends = start.astimezone(context.zone), end.astimezone(context.zone)
    if begins.time() == ends.time() == time():
        days = describe_range(begins.date(), ends.date(), local_now(context))
        return days.removesuffix(", all day")
    return range_of(start, end, context)


def item_of(occurrence: Occurrence, desk: Desk, context: Context) -> Item:
    """An occurrence as a line of a list."""
    return Item(handle_of(occurrence), title_of(occurrence.title), detail_of(occurrence, desk, context))


def handle_of(occurrence: Occurrence) -> str:
    return str(Handle(EVENT, occurrence.place, occurrence.recurrence))


def detail_of(occurrence: Occurrence, desk: Desk, context: Context) -> str:
    """When and where an occurrence is: "Thu 3 Dec 2026 15:00-15:30 (calendar Home)"."""
    place = f", {clean_line(occurrence.where, _TITLE)}" if occurrence.where.strip() else ""
    calendar = desk.index.displayname(occurrence.place.collection)
    return f"{brief_range(occurrence.start, occurrence.end, context)}{place} (calendar {calendar})"


def clash_fields(clashes: Sequence[Occurrence], desk: Desk, context: Context) -> tuple[Field, ...]:
    """A line for each event that takes place at the same time, and one for those left out."""
    shown = tuple(
        Field("Clash", f"{title_of(each.title)}, {detail_of(each, desk, context)}")
        for each in clashes[:_MOST_CLASHES]
    )
    left = len(clashes) - len(shown)
    return (*shown, Field("Clash", f"and {left} more")) if left else shown


def rule_of(parsed: Parsed, uid: str, context: Context) -> str:
    """How a series repeats, in words; empty for an event by itself."""
    for series in parsed.events:
        if series.uid == uid and series.recurring and series.master is not None:
            said = [_rule_words(rule, context) for rule in rules(series.master)]
            return " and ".join(said) or "on several dates"
        if series.uid == uid and series.recurring:
            return "on several dates"
    return ""


def _rule_words(rule: vRecur, context: Context) -> str:
    return describe_rule(rule_text(rule), context.zone).removeprefix("repeating ")


def next_dates(occurrences: Sequence[Occurrence], context: Context) -> str:
    """The first dates of a series: "on Tue 8 Dec 2026, Tue 15 Dec 2026, Tue 22 Dec 2026"."""
    days = [describe(day_of(each.start, context.zone), local_now(context)) for each in occurrences[:_DATES]]
    return f"on {', '.join(days)}" if days else ""


def zone_words(moment: datetime, context: Context) -> str:
    """The person's zone, with its distance from UTC at that moment: "Europe/Copenhagen (UTC+1)"."""
    offset = moment.astimezone(context.zone).utcoffset() or timedelta()
    sign = "-" if offset < timedelta() else "+"
    hours, minutes = divmod(abs(offset) // timedelta(minutes=1), 60)
    return f"{context.zone.key} (UTC{sign}{hours}{f':{minutes:02}' if minutes else ''})"


def count_of(number: int, thing: str) -> str:
    """A number of things: "1 event", "3 events"."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def listed(problems: tuple[str, ...]) -> str:
    """A sentence on files that could not be read, or nothing."""
    if not problems:
        return ""
    shown = " ".join(problems[:5])
    more = f" And {len(problems) - 5} more." if len(problems) > 5 else ""
    return f" Not everything could be read: {shown}{more}"
