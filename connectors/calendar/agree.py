"""Compares what was to be written with what a server keeps: the same event in other words is the same."""

from datetime import datetime
from typing import Any

from icalendar import Component

from connectors.calendar.ical import exdates, moment, parts, rdates, rules, span, text, values
from connectors.calendar.moments import Moment, key, wall
from connectors.calendar.parse import Broken, read_calendar

_TEXTS = {
    "SUMMARY": "its title",
    "LOCATION": "its place",
    "DESCRIPTION": "its notes",
    "STATUS": "its status",
}
_RULE_PARTS = ("FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "WKST")
_UNSAID = {"INTERVAL": "[1]", "WKST": "['MO']"}


def differences(wanted: bytes | None, kept: bytes | None) -> tuple[str, ...]:
    """What a person would see as different ("its title", "when it is"), each once; empty for the same."""
    if wanted == kept:
        return ()
    if wanted is None or kept is None:
        return ("it is still there" if wanted is None else "it is not there",)
    try:
        ours, theirs = _components(wanted), _components(kept)
    except (Broken, ValueError):
        return ("it cannot be read",)
    if ours.keys() != theirs.keys():
        return ("which of its occurrences are there",)
    found = [each for name in ours for each in _unlike(ours[name], theirs[name])]
    return tuple(dict.fromkeys(found))


def _components(data: bytes) -> dict[tuple[str, str], Component]:
    found = {}
    for component in read_calendar(data).walk():
        if component.name in ("VEVENT", "VTODO"):
            identity = moment(component, "RECURRENCE-ID")
            found[text(component, "UID"), key(identity) if identity else ""] = component
    return found


def _unlike(ours: Component, theirs: Component) -> list[str]:
    found = [said for name, said in _TEXTS.items() if _words(ours, name) != _words(theirs, name)]
    if _times(ours) != _times(theirs):
        found.append("when it is")
    if _repetition(ours) != _repetition(theirs):
        found.append("how it repeats")
    if _people(ours) != _people(theirs):
        found.append("who is invited")
    return found


def _words(component: Component, name: str) -> str:
    words = text(component, name).replace("\r\n", "\n").strip()
    # An event that says nothing of its status is confirmed (RFC 5545 3.8.1.11 leaves it to the client).
    return "" if name == "STATUS" and words.upper() in ("CONFIRMED", "NEEDS-ACTION") else words


def _times(component: Component) -> tuple[object, ...]:
    if component.name == "VTODO":
        return tuple(_time(component, moment(component, name)) for name in ("DTSTART", "DUE"))
    return tuple(_time(component, each) for each in span(component))


def _time(component: Component, when: Moment | None) -> object:
    """A moment as it counts: a series also by its own clock, since that is what it repeats on."""
    if when is None:
        return None
    return (key(when), wall(when)) if rules(component) and isinstance(when, datetime) else key(when)


def _repetition(component: Component) -> tuple[object, ...]:
    said = sorted(tuple(_part(rule, name) for name in _RULE_PARTS) for rule in rules(component))
    out = sorted(key(each) for each in exdates(component))
    added = sorted(key(each[0] if isinstance(each, tuple) else each) for each in rdates(component))
    return tuple(said), tuple(out), tuple(added)


def _part(rule: Any, name: str) -> str:
    found = parts(rule, name)
    if not found:
        return _UNSAID.get(name, "[]")
    if name == "UNTIL":
        return key(found[0])
    return str([str(each) for each in found]) if name == "WKST" else str(sorted(map(str, found)))


def _people(component: Component) -> list[str]:
    return sorted(str(each).lower().removeprefix("mailto:") for each in values(component, "ATTENDEE"))
