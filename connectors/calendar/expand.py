"""Works out which occurrences of a file's events lie in a span of time."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component

from connectors.calendar.dates import TooLong, dates_of
from connectors.calendar.ical import hold_moment, moment, part, rules, span, text, values
from connectors.calendar.moments import DAY, Moment, aware, key, wall
from connectors.calendar.parse import Parsed, Series
from connectors.calendar.rules import interval
from connectors.calendar.store import Place

# A length is left to the library too: where the clocks change it is not what they show (RFC 5545 3.3.6).
_TO_WORK_OUT = frozenset({"RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID", "DURATION"})


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One time an event takes place; texts are raw, as the file has them.

    `recurrence` is the RECURRENCE-ID of an occurrence of a series, None for an event by itself; `end` is
    exclusive.
    """

    place: Place
    uid: str
    recurrence: Moment | None
    start: Moment
    end: Moment
    title: str
    where: str
    notes: str
    people: tuple[str, ...]
    busy: bool


def expand(
    place: Place, parsed: Parsed, start: datetime, end: datetime
) -> tuple[list[Occurrence], list[str]]:
    """The occurrences that overlap a span of exact times, and what could not be worked out."""
    found: list[Occurrence] = []
    problems = list(parsed.problems)
    for series in parsed.events:
        try:
            found += _occurrences(place, series, parsed.time_zone, start, end)
        except TooLong:
            problems.append("its dates take too long to work out")
        # The library raises many kinds of error on broken rules; none may hide the other events.
        except Exception:
            problems.append("its dates cannot be worked out")
    return found, problems


def simple(parsed: Parsed) -> bool:
    """True where what a file holds needs no working out."""
    return not parsed.time_zone and all(_single(series) is not None for series in parsed.events)


def _single(series: Series) -> Component | None:
    """The component of an event that takes place once, from one exact time to another; None for every other.

    Most events are of this kind, and working out their dates by the library takes a hundred times as long.
    """
    master = series.master
    if master is None or series.overrides or not _TO_WORK_OUT.isdisjoint(master):
        return None
    start, end = span(master)
    if not isinstance(start, datetime) or not isinstance(end, datetime):
        return None
    return master if start.tzinfo and end.tzinfo and start <= end else None


def _within(component: Component, start: datetime, end: datetime) -> bool:
    """True for an event, not cancelled, that shares time with a span; one of no length by its start."""
    begins, ends = (each for each in span(component) if isinstance(each, datetime))
    if text(component, "STATUS").upper() == "CANCELLED":
        return False
    return start <= begins < end if begins == ends else begins < end and start < ends


def _occurrences(
    place: Place, series: Series, time_zone: str, start: datetime, end: datetime
) -> list[Occurrence]:
    if not time_zone and start < end and (single := _single(series)) is not None:
        return [_occurrence(place, series, single)] if _within(single, start, end) else []
    calendar = Calendar()
    if time_zone:
        calendar.add("X-WR-TIMEZONE", time_zone)
    for component in series.components:
        forwarded = _forward(component, series, start) if component is series.master else component
        calendar.add_component(forwarded)
    components = dates_of(calendar).between(start, end)
    return [
        _occurrence(place, series, component)
        for component in components
        if text(component, "STATUS").upper() != "CANCELLED"
    ]


def _forward(master: Component, series: Series, start: datetime) -> Component:
    """A master whose long past repetitions are left out, where leaving them out changes nothing later."""
    found = rules(master)
    if len(found) != 1 or values(master, "RDATE") or part(found[0], "COUNT") is not None:
        return master
    step = {"DAILY": DAY, "WEEKLY": 7 * DAY}.get(str(part(found[0], "FREQ")))
    if step is None or any(values(each, name) for each in series.overrides for name in ("RRULE", "RDATE")):
        return master
    begins, ends = span(master)
    step *= interval(found[0])
    reach = wall(ends) - wall(begins) + 2 * step + 2 * DAY
    steps = (wall(start) - wall(begins) - reach) // step
    if steps <= 0:
        return master
    moved = master.copy()
    for component in master.subcomponents:
        moved.add_component(component)
    moved.pop("DURATION", None)
    hold_moment(moved, "DTSTART", begins + steps * step)
    hold_moment(moved, "DTEND", ends + steps * step)
    return moved


def _occurrence(place: Place, series: Series, component: Component) -> Occurrence:
    start, end = span(component)
    if not isinstance(start, datetime) and end <= start:
        end = start + DAY
    return Occurrence(
        place=place,
        uid=series.uid,
        recurrence=_recurrence(series, component, start) if series.recurring else None,
        start=start,
        end=end,
        title=text(component, "SUMMARY"),
        where=text(component, "LOCATION"),
        notes=text(component, "DESCRIPTION"),
        people=tuple(_person(each) for each in values(component, "ATTENDEE")),
        busy=text(component, "TRANSP").upper() != "TRANSPARENT",
    )


def _recurrence(series: Series, component: Component, start: Moment) -> Moment:
    identity = moment(component, "RECURRENCE-ID")
    if identity is None:
        return start
    if values(component, "RECURRENCE-ID")[0].params.get("RANGE") != "THISANDFUTURE":
        return identity
    # Every later occurrence is given the RECURRENCE-ID of the one that moved it along.
    mover = next(
        each for each in series.overrides if key(moment(each, "RECURRENCE-ID") or identity) == key(identity)
    )
    return start - (wall(span(mover)[0]) - wall(identity))


def _person(attendee: object) -> str:
    name = getattr(attendee, "params", {}).get("CN")
    address = str(attendee)
    if address[:7].lower() == "mailto:":
        address = address[7:]
    return f"{name} <{address}>" if name else address


def upcoming(place: Place, parsed: Parsed, start: datetime, most: int) -> list[Occurrence]:
    """The first occurrences from a moment on, at most so many, within five years."""
    found: list[Occurrence] = []
    for days in (31, 366, 5 * 366):
        found, _ = expand(place, parsed, start, start + days * DAY)
        if len(found) >= most:
            break
    zone = ZoneInfo("UTC")
    return sorted(found, key=lambda each: aware(each.start, zone))[:most]


def overlaps(first: Occurrence, start: Moment, end: Moment, zone: ZoneInfo) -> bool:
    """True if an occurrence and a span share some time."""
    begins, ends = aware(first.start, zone), aware(first.end, zone)
    other, until = aware(start, zone), aware(end, zone)
    if begins == ends:
        ends += timedelta(seconds=1)
    return begins < until and other < ends
