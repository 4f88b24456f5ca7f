"""Makes iCalendar files for new events and tasks."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component, Event, Todo, vCalAddress

from connectors.calendar.ical import read_rule, set_moment, writable, written
from connectors.calendar.moments import Moment
from connectors.calendar.rules import settle_until
from connectors.calendar.zones import vtimezone

_PRODUCER = "-//Askfirst//Askfirst 0.1//EN"
_UTC_NAMES = frozenset({"UTC", "Etc/UTC", "Etc/UCT", "UCT", "Zulu", "Etc/Zulu", "Universal", "Etc/Universal"})


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody invited: an address, and the name it goes by."""

    address: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """All that goes into a new event. `end` is exclusive, `rule` an RRULE value."""

    title: str
    start: Moment
    end: Moment
    rule: str | None = None
    where: str = ""
    notes: str = ""
    people: tuple[Person, ...] = ()


def new_event(draft: Draft, uid: str, zone: ZoneInfo, now: datetime) -> bytes:
    """A file with one event."""
    event = Event()
    _stamp_new(event, uid, now)
    put_text(event, "SUMMARY", draft.title)
    put_moment(event, "DTSTART", draft.start, zone)
    put_moment(event, "DTEND", draft.end, zone)
    if draft.rule:
        put_rule(event, draft.rule, draft.start)
    put_text(event, "LOCATION", draft.where)
    put_text(event, "DESCRIPTION", draft.notes)
    invite(event, draft.people)
    return _file(event, draft.start, zone)


def new_task(title: str, due: Moment | None, uid: str, zone: ZoneInfo, now: datetime) -> bytes:
    """A file with one task."""
    task = Todo()
    _stamp_new(task, uid, now)
    put_text(task, "SUMMARY", title)
    if due is not None:
        put_moment(task, "DUE", due, zone)
    task.add("STATUS", "NEEDS-ACTION")
    return _file(task, due, zone)


def put_text(component: Component, name: str, words: str) -> None:
    """Set a text; an empty one takes the property away."""
    component.pop(name, None)
    if storable := writable(words):
        component.add(name, storable)


def put_moment(component: Component, name: str, value: Moment, zone: ZoneInfo) -> None:
    """Set a date, or a time written in `zone`."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        set_moment(component, name, value.astimezone(zone), zone_id(zone))
    else:
        set_moment(component, name, value)


def put_rule(component: Component, text: str, start: Moment) -> None:
    """Set the recurrence rule. Raises ValueError for what is none."""
    rule = read_rule(text)
    settle_until(rule, start)
    component.pop("RRULE", None)
    component["RRULE"] = rule


def invite(component: Component, people: Iterable[Person]) -> None:
    """Add attendees; no server is to mail them on its own (RFC 6638 7.1)."""
    for person in people:
        address = vCalAddress(f"mailto:{person.address}")
        if name := writable(person.name).replace('"', "'").replace("\n", " ").strip():
            address.params["CN"] = name
        address.params |= {"PARTSTAT": "NEEDS-ACTION", "RSVP": "TRUE", "SCHEDULE-AGENT": "CLIENT"}
        component.add("ATTENDEE", address)


def ensure_zone(calendar: Calendar, zone: ZoneInfo, moment: Moment) -> None:
    """Add the definition of a zone where the calendar has none of that name."""
    if zone_id(zone) is None or not isinstance(moment, datetime) or moment.tzinfo is None:
        return
    if all(str(each.get("TZID")) != zone.key for each in calendar.walk("VTIMEZONE")):
        calendar.subcomponents.insert(0, vtimezone(zone, moment.year))


def zone_id(zone: ZoneInfo) -> str | None:
    """The TZID a zone is written with; None for UTC, whose times end in Z."""
    return None if zone.key in _UTC_NAMES else zone.key


def touch(component: Component, now: datetime) -> None:
    """Mark a component as revised."""
    for name in ("DTSTAMP", "LAST-MODIFIED"):
        set_moment(component, name, now.astimezone(UTC).replace(microsecond=0))
    sequence = component.pop("SEQUENCE", 0)
    component.add("SEQUENCE", (sequence if isinstance(sequence, int) else 0) + 1)


def _stamp_new(component: Component, uid: str, now: datetime) -> None:
    component.add("UID", uid)
    for name in ("DTSTAMP", "CREATED"):
        set_moment(component, name, now.astimezone(UTC).replace(microsecond=0))


def _file(component: Component, moment: Moment | None, zone: ZoneInfo) -> bytes:
    calendar = Calendar()
    calendar.add("VERSION", "2.0")
    calendar.add("PRODID", _PRODUCER)
    calendar.add_component(component)
    if moment is not None:
        ensure_zone(calendar, zone, moment)
    return written(calendar)
