"""One file's event, open for changing: its master, the occurrences changed by themselves, and its dates."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from icalendar import Component

from connectors.calendar.compose import Person, ensure_zone, invite, put_moment, put_text, touch
from connectors.calendar.ical import (
    Period,
    exdates,
    moment,
    rdates,
    set_dates,
    set_moment,
    span,
    values,
    written,
    zone_name,
)
from connectors.calendar.moments import Moment, at_wall, same_kind, wall, whole_day
from connectors.calendar.parse import read_calendar, split_series

_ONE_OCCURRENCE_LACKS = ("RRULE", "RDATE", "EXDATE", "DURATION")


class CannotChange(Exception):
    """A change that the form of a file does not allow; the text is a plain sentence."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What is to be different; None leaves a thing as it is. `start` and `end` are set both or neither."""

    now: datetime
    zone: ZoneInfo
    start: Moment | None = None
    end: Moment | None = None
    rule: str | None = None
    title: str | None = None
    where: str | None = None
    people: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """The occurrence that was picked: its RECURRENCE-ID (None for an event by itself), start and end."""

    recurrence: Moment | None
    start: Moment
    end: Moment


class EventFile:
    """A file with one event, read to be changed and written again. Raises CannotChange for any other."""

    def __init__(self, data: bytes) -> None:
        try:
            data.decode()
        except UnicodeDecodeError as error:
            raise CannotChange("The file is not UTF-8, so it is left as it is.") from error
        self.calendar = read_calendar(data)
        events = self.calendar.walk("VEVENT")
        if len({str(each.get("UID", "")) for each in events}) != 1 or self.calendar.walk("VTODO"):
            raise CannotChange("The file holds several different things, so it is left as it is.")
        if any(values(each, "EXRULE") for each in events):
            raise CannotChange("The event uses exception rules (EXRULE), which cannot be kept right.")
        self._master, overrides = split_series(events)
        self.overrides = list(overrides)

    @property
    def data(self) -> bytes:
        """What the file would be written as."""
        return written(self.calendar)

    @property
    def master(self) -> Component:
        """The component that stands for the series. Raises CannotChange where there is none."""
        if self._master is None:
            raise CannotChange("The file holds only single occurrences of the series, not the series itself.")
        return self._master

    @property
    def whole(self) -> bool:
        """True where the series itself is in the file, and not only occurrences of it."""
        return self._master is not None

    @property
    def only(self) -> Component:
        """The component of an event that takes place once."""
        return self._master if self._master is not None else self.overrides[0]

    @property
    def zone_name(self) -> str | None:
        """The TZID the series is written with."""
        return zone_name(self.master, "DTSTART")

    def refuse_ranges(self) -> None:
        """Raise CannotChange where an override stands for all that follow it (RANGE=THISANDFUTURE)."""
        if any("RANGE" in values(each, "RECURRENCE-ID")[0].params for each in self.overrides):
            raise CannotChange(
                "Another program changed this series from a date on (RANGE), which cannot be kept right."
            )

    def identity(self, chosen: Chosen) -> Moment:
        """The RECURRENCE-ID of an occurrence on the wall clock of the series."""
        if chosen.recurrence is None:
            raise CannotChange("The event does not repeat.")
        return same_kind(chosen.recurrence, span(self.master)[0])

    def settled(self, date: Moment) -> Moment:
        """A date of the series on its own wall clock; a bare day is the occurrence of that day."""
        start = span(self.master)[0]
        if isinstance(start, datetime) and not isinstance(date, datetime):
            return at_wall(datetime.combine(date, start.time()), start.tzinfo)
        return same_kind(date, start)

    def own(self, override: Component) -> Moment:
        """Which occurrence an override stands for."""
        own = moment(override, "RECURRENCE-ID")
        if own is None:
            raise CannotChange("An occurrence changed by itself does not say which one it is.")
        return self.settled(own)

    def stands_for(self, override: Component, identity: Moment) -> bool:
        return wall(self.own(override)) == wall(identity)

    def override(self, chosen: Chosen) -> Component | None:
        """The component of an occurrence that was changed by itself before, or None."""
        identity = self.identity(chosen)
        return next((each for each in self.overrides if self.stands_for(each, identity)), None)

    def add_override(self, chosen: Chosen) -> Component:
        """A component of its own for an occurrence, which so far is as the series has it."""
        override = self.master.copy()
        for component in self.master.subcomponents:
            override.add_component(component.copy())
        for name in _ONE_OCCURRENCE_LACKS:
            override.pop(name, None)
        identity = self.identity(chosen)
        end = identity + (wall(chosen.end) - wall(chosen.start))
        set_moment(override, "RECURRENCE-ID", identity, self.zone_name)
        set_moment(override, "DTSTART", identity, self.zone_name)
        set_moment(override, "DTEND", end, self.zone_name)
        self.calendar.add_component(override)
        self.overrides.append(override)
        return override

    def drop(self, override: Component) -> None:
        self.overrides = [each for each in self.overrides if each is not override]
        self.calendar.subcomponents = [each for each in self.calendar.subcomponents if each is not override]

    def set_dates(self, name: str, dates: Iterable[Moment | Period]) -> None:
        """Set EXDATE or RDATE of the series."""
        set_dates(self.master, name, dates, self.zone_name)

    def keep_dates(self, keep: Callable[[Moment], bool]) -> None:
        """Forget the dates taken out, put in or changed by themselves that `keep` says no to."""
        self.set_dates("EXDATE", [each for each in map(self.settled, exdates(self.master)) if keep(each)])
        self.set_dates("RDATE", [each for each in rdates(self.master) if keep(self.settled(begin(each)))])
        for override in [each for each in self.overrides if not keep(self.own(each))]:
            self.drop(override)

    def apply(self, component: Component, edit: Edit) -> None:
        """Change one component as an edit says, but for its rule."""
        if edit.start is not None and edit.end is not None:
            self.set_times(component, edit.start, edit.end, edit.zone)
        if edit.title is not None:
            put_text(component, "SUMMARY", edit.title)
        if edit.where is not None:
            put_text(component, "LOCATION", edit.where)
        invite(component, edit.people)
        touch(component, edit.now)

    def set_times(self, component: Component, start: Moment, end: Moment, zone: ZoneInfo) -> None:
        """Set start and end in the zone the component had; `zone` is for one that was on whole days."""
        old, name = span(component)[0], zone_name(component, "DTSTART")
        component.pop("DURATION", None)
        if isinstance(start, datetime) and whole_day(old):
            ensure_zone(self.calendar, zone, start)
            put_moment(component, "DTSTART", start, zone)
            put_moment(component, "DTEND", end, zone)
        else:
            if isinstance(old, datetime) and isinstance(old.tzinfo, ZoneInfo) and old.tzinfo.key == name:
                ensure_zone(self.calendar, old.tzinfo, start)
            set_moment(component, "DTSTART", same_kind(start, old), name)
            set_moment(component, "DTEND", same_kind(end, old), name)


def begin(date: Moment | Period) -> Moment:
    """Where a date, or a period, begins."""
    return date[0] if isinstance(date, tuple) else date
