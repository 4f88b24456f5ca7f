"""Turns a file's bytes into series that can be worked out, and says what is wrong with the rest."""

from dataclasses import dataclass
from datetime import datetime

from icalendar import Calendar, Component, Event, Todo

from connectors.calendar.ical import hold_moment, moment, rules, values, zone_name
from connectors.calendar.moments import Moment, at_wall, wall
from connectors.calendar.rules import objection, settle_until
from connectors.clean import clean_line

_TIMES = frozenset({"DTSTART", "DTEND", "DURATION", "DUE", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"})
_LONGEST_NAME = 40


class Broken(Exception):
    """A file, or one event in it, cannot be worked out; the text completes "it could not be read: ..."."""


@dataclass(frozen=True, slots=True)
class Series:
    """The components of one UID: a master (None where there are only single occurrences), its overrides."""

    uid: str
    master: Component | None
    overrides: tuple[Component, ...]

    @property
    def components(self) -> tuple[Component, ...]:
        return (self.master, *self.overrides) if self.master is not None else self.overrides

    @property
    def starts(self) -> tuple[Moment, ...]:
        """Where the master and each override begin."""
        return tuple(start for each in self.components if (start := moment(each, "DTSTART")) is not None)

    @property
    def recurring(self) -> bool:
        """True if it stands for more than one occurrence."""
        master = self.master
        repeats = master is not None and any(values(master, name) for name in ("RRULE", "RDATE"))
        return repeats or len(self.components) > 1


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a file holds: events and tasks, and a line for each thing that is wrong in it."""

    events: tuple[Series, ...]
    tasks: tuple[Component, ...]
    problems: tuple[str, ...]
    time_zone: str


def parse(data: bytes) -> Parsed:
    """A file's bytes, read for showing: small mistakes that would lose occurrences are put right.

    Raises Broken where the whole of it cannot be read.
    """
    calendar = read_calendar(data)
    events: list[Series] = []
    problems: list[str] = []
    for uid, components in _by_uid(calendar.walk("VEVENT")).items():
        try:
            events.append(_series(uid, components))
        except Broken as error:
            problems.append(str(error))
    tasks = tuple(each for each in calendar.walk("VTODO") if isinstance(each, Todo))
    problems += _unknown_zones(events)
    if not events and not tasks and not problems:
        problems.append("it holds no event and no task")
    return Parsed(tuple(events), tasks, tuple(problems), str(calendar.get("X-WR-TIMEZONE", "")))


def read_calendar(data: bytes) -> Calendar:
    """A file's bytes as they are. Raises Broken."""
    try:
        calendar = Calendar.from_ical(data)
    # A hostile file may raise anything from inside the parser; none of it may hide the other files.
    except Exception as error:
        whole = data.count(b"BEGIN:VCALENDAR") == data.count(b"END:VCALENDAR") == 1
        reason = "something in it cannot be read" if whole else "it is not an iCalendar file"
        raise Broken(reason) from error
    if not isinstance(calendar, Calendar):
        raise Broken("it is not an iCalendar file")
    return calendar


def split_series(components: list[Component]) -> tuple[Component | None, tuple[Component, ...]]:
    """The master of one UID's components, and its overrides; of two masters the one revised last."""
    overrides = tuple(each for each in components if values(each, "RECURRENCE-ID"))
    masters = [each for each in components if not values(each, "RECURRENCE-ID")]
    return max(masters, key=_sequence, default=None), overrides


def _sequence(component: Component) -> int:
    found = values(component, "SEQUENCE")
    return found[0] if found and isinstance(found[0], int) else -1


def _by_uid(components: list[Component]) -> dict[str, list[Component]]:
    found: dict[str, list[Component]] = {}
    for position, component in enumerate(components):
        uid = str(component.get("UID", "")) or f"no uid {position}"
        found.setdefault(uid, []).append(component)
    return found


def _series(uid: str, components: list[Component]) -> Series:
    for component in components:
        _check(component)
    master, overrides = split_series(components)
    start = _start(master) if master is not None else None
    for component in components:
        for rule in rules(component):
            settle_until(rule, _start(component))
            if reason := objection(rule):
                raise Broken(reason)
    for override in overrides:
        _settle_recurrence_id(override, start)
    return Series(uid, master, overrides)


def _check(component: Component) -> None:
    if not isinstance(component, Event):
        raise Broken("it is no event")
    for name, _ in component.errors:
        if name in _TIMES:
            raise Broken(f"its {name} cannot be read")
    found = len(values(component, "DTSTART"))
    if found != 1:
        raise Broken("it has no DTSTART" if not found else "it has more than one DTSTART")
    for name in ("DTEND", "DURATION", "RECURRENCE-ID"):
        if len(values(component, name)) > 1:
            raise Broken(f"it has more than one {name}")


def _start(component: Component) -> Moment:
    start = moment(component, "DTSTART")
    if start is None:
        raise Broken("its DTSTART cannot be read")
    return start


def _settle_recurrence_id(override: Component, start: Moment | None) -> None:
    """Read a RECURRENCE-ID that is only a date, in a series with times, as the occurrence of that day."""
    identity = moment(override, "RECURRENCE-ID")
    if isinstance(start, datetime) and identity is not None and not isinstance(identity, datetime):
        meant = at_wall(datetime.combine(identity, wall(start).time()), start.tzinfo)
        hold_moment(override, "RECURRENCE-ID", meant)


def _unknown_zones(events: list[Series]) -> list[str]:
    unknown = {
        zone
        for series in events
        for component in series.components
        if (zone := zone_name(component, "DTSTART")) and _floating(component)
    }
    return [
        f"its time zone {clean_line(zone, _LONGEST_NAME)} is not known; its times are shown as they stand"
        for zone in sorted(unknown)
    ]


def _floating(component: Component) -> bool:
    start = moment(component, "DTSTART")
    return isinstance(start, datetime) and start.tzinfo is None
