"""Typed access to icalendar components, in the few ways this connector needs."""

import unicodedata
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from icalendar import Calendar, Component, vRecur
from icalendar.parser import Parameters
from icalendar.prop import vDDDLists, vDDDTypes, vDuration

from connectors.calendar.moments import DAY, Moment

_UNWRITABLE = frozenset({"Cc", "Cs"})

Period = tuple[datetime, datetime | timedelta]


def read_rule(text: str) -> vRecur:
    """An RRULE value. Raises ValueError for what is none."""
    rule: vRecur = vRecur.from_ical(text)
    return rule


def rule_text(rule: vRecur) -> str:
    """A rule as iCalendar writes it."""
    written: bytes = rule.to_ical()  # type: ignore[no-untyped-call]
    return written.decode()


def part(rule: vRecur, name: str) -> Any:
    """The first value of one part of a rule, or None."""
    values = rule.get(name)
    return (values[0] if values else None) if isinstance(values, list) else values


def parts(rule: vRecur, name: str) -> list[Any]:
    """All values of one part of a rule."""
    values = rule.get(name, [])
    return list(values) if isinstance(values, list) else [values]


def rules(component: Component) -> list[vRecur]:
    """The recurrence rules of a component."""
    return [rule for rule in values(component, "RRULE") if isinstance(rule, vRecur)]


def read_duration(text: str) -> timedelta:
    """A DURATION value. Raises ValueError for what is none."""
    return vDuration.from_ical(text)  # type: ignore[no-untyped-call, no-any-return]


def values(component: Component, name: str) -> list[Any]:
    """Every property of one name, however often it is given."""
    found = component.get(name)
    if found is None:
        return []
    return found if isinstance(found, list) else [found]


def text(component: Component, name: str) -> str:
    """The text of a property, or empty; of several, the first."""
    found = values(component, name)
    return str(found[0]) if found else ""


def moment(component: Component, name: str) -> Moment | None:
    """The date or time of a property, or None; of several, the first."""
    found = values(component, name)
    value = found[0].dt if found else None
    return value if isinstance(value, date) else None


def zone_name(component: Component, name: str) -> str | None:
    """The TZID of a property."""
    found = values(component, name)
    tzid = found[0].params.get("TZID") if found else None
    return str(tzid) if tzid else None


def span(component: Component) -> tuple[Moment, Moment]:
    """Start and (exclusive) end of an event, by DTEND, DURATION or what stands for them (RFC 5545 3.6.1)."""
    start = moment(component, "DTSTART")
    if start is None:
        raise ValueError("DTSTART is missing")
    end = moment(component, "DTEND")
    if end is None:
        lasting = values(component, "DURATION")
        default = timedelta() if isinstance(start, datetime) else DAY
        end = start + (lasting[0].dt if lasting else default)
    return start, end


def set_moment(component: Component, name: str, value: Moment, zone: str | None = None) -> None:
    """Set a date or time; `zone` is the TZID it is written with (none: UTC, or no zone at all)."""
    component.pop(name, None)
    component[name] = _property(value, zone)


def hold_moment(component: Component, name: str, value: Moment) -> None:
    """Put a date or time in a component that is only for working out, never for writing."""
    held = vDDDTypes(value)
    for parameter in values(component, name)[:1]:
        held.params = parameter.params
    component.pop(name, None)
    component[name] = held


def exdates(component: Component) -> list[Moment]:
    """The dates taken out of a series."""
    return [each.dt for listed in values(component, "EXDATE") for each in listed.dts]


def rdates(component: Component) -> list[Moment | Period]:
    """The dates put into a series, each a start or a period."""
    return [each.dt for listed in values(component, "RDATE") for each in listed.dts]


def set_dates(component: Component, name: str, dates: Iterable[Moment | Period], zone: str | None) -> None:
    """Set EXDATE or RDATE, one line for each date."""
    component.pop(name, None)
    lines = [_listed(each, zone) for each in dates]
    if lines:
        component[name] = lines


def writable(words: str) -> str:
    """Text as iCalendar can hold it: without control characters, lines ended by a line feed."""
    lines = words.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char for char in lines if char in "\n\t" or unicodedata.category(char) not in _UNWRITABLE)


def written(calendar: Calendar) -> bytes:
    """A calendar as a file, its properties in the order they were in."""
    data: bytes = calendar.to_ical(sorted=False)
    return data


def _property(value: Moment, zone: str | None) -> vDDDTypes:
    if isinstance(value, datetime) and zone is not None:
        # The value keeps its zone, so that the component can be worked on further.
        made = vDDDTypes(value)
        made.params = Parameters({"TZID": zone})
        return made
    if isinstance(value, datetime) and value.tzinfo is not None:
        return vDDDTypes(value.astimezone(UTC))
    return vDDDTypes(value)


def _listed(value: Moment | Period, zone: str | None) -> vDDDLists:
    if isinstance(value, tuple):
        start, end = value
        naive = (start.replace(tzinfo=None), end if isinstance(end, timedelta) else end.replace(tzinfo=None))
        made = vDDDLists([naive if zone else value])
        made.params = Parameters({"VALUE": "PERIOD"} | ({"TZID": zone} if zone else {}))
        return made
    single = _property(value, zone)
    made = vDDDLists([single])
    made.params = single.params
    return made
