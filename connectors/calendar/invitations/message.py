"""Reads an invitation: what its sender wants done, to which event, and by whom it is organised."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from icalendar import Calendar, Component, Parameters

from connectors.calendar.ical import moment, text, values
from connectors.calendar.moments import Moment
from connectors.calendar.parse import Series, parse, read_calendar, split_series
from connectors.clean import clean_line

LARGEST = 1_000_000
"""The most bytes that an invitation may have."""
_LONGEST_UID = 250
_SHOWN = 80
_RECEIVED_SEQUENCE, _RECEIVED_STAMP = "X-MOZ-RECEIVED-SEQUENCE", "X-MOZ-RECEIVED-DTSTAMP"
_STAMP = "%Y%m%dT%H%M%SZ"
_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)


class Method(StrEnum):
    """What is wanted (RFC 5546 1.4); a file that names no method only tells of an event."""

    REQUEST = "REQUEST"
    PUBLISH = "PUBLISH"
    CANCEL = "CANCEL"
    REPLY = "REPLY"


class NotTaken(Exception):
    """An invitation that the calendar is not changed by; the text is a plain sentence."""


@dataclass(frozen=True, slots=True)
class Message:
    """An invitation: the series as a whole, single occurrences of it, or both."""

    method: Method
    calendar: Calendar
    series: Series

    @property
    def main(self) -> Component:
        """The component that says most of it."""
        return self.series.components[0]

    @property
    def organizer(self) -> str:
        """Who organises it, as an address in lower case; empty where that is not said."""
        return address_of(self.main, "ORGANIZER")


def read_message(data: bytes) -> Message:
    """An invitation's bytes. Raises NotTaken, and Broken for what is no iCalendar file."""
    calendar = read_calendar(data)
    named = text(calendar, "METHOD").strip().upper() or Method.PUBLISH
    if named not in set(Method):
        raise NotTaken(f"It asks for something the calendar cannot do ({clean_line(named, _SHOWN)}).")
    events = calendar.walk("VEVENT")
    if not events:
        raise NotTaken("It holds no event.")
    uids = {text(each, "UID") for each in events}
    uid = uids.pop()
    if uids:
        raise NotTaken("It holds several different events; only one can be taken at a time.")
    if not uid.isprintable() or not 0 < len(uid) <= _LONGEST_UID:
        raise NotTaken("It does not say plainly which event it is about.")
    if any("RANGE" in identity.params for each in events for identity in values(each, "RECURRENCE-ID")):
        raise NotTaken("It changes a series from a date on, which cannot be kept right.")
    method = Method(named)
    if method in (Method.REQUEST, Method.PUBLISH):
        _refuse_problems(data)
    master, overrides = split_series(events)
    return Message(method, calendar, Series(uid, master, overrides))


def address_of(component: Component, name: str) -> str:
    """The address in a property, in lower case; empty where there is none."""
    return plain_address(text(component, name))


def plain_address(said: str) -> str:
    bare = said.strip().lower()
    return bare.removeprefix("mailto:")


def revision(component: Component) -> tuple[int, datetime]:
    """Which of two versions is the later (RFC 5546 2.1.5): SEQUENCE, then DTSTAMP.

    Of an event that came by an invitation it is the organiser's revision that counts, not that of changes
    made here since; it is kept under the names that Thunderbird uses.
    """
    stamp = _received(component) or moment(component, "DTSTAMP")
    if not isinstance(stamp, datetime):
        stamp = _EARLIEST
    said = (*values(component, _RECEIVED_SEQUENCE), *values(component, "SEQUENCE"))
    return _number(said), stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)


def mark_received(component: Component, said: Component) -> None:
    """Keep the revision that an invitation has apart from that of changes made here."""
    number, stamp = revision(said)
    component.pop(_RECEIVED_SEQUENCE, None)
    component.pop(_RECEIVED_STAMP, None)
    component.add(_RECEIVED_SEQUENCE, str(number))
    component.add(_RECEIVED_STAMP, f"{stamp.astimezone(UTC):{_STAMP}}")


def identity_of(component: Component) -> Moment:
    """Which occurrence a component stands for. Raises NotTaken."""
    found = moment(component, "RECURRENCE-ID")
    if found is None:
        raise NotTaken("It does not say plainly which occurrence it is about.")
    return found


def attendees(component: Component) -> dict[str, Parameters]:
    """Those invited, by their addresses, with what is said of each."""
    return {plain_address(str(each)): each.params for each in values(component, "ATTENDEE")}


def _received(component: Component) -> datetime | None:
    try:
        return datetime.strptime(text(component, _RECEIVED_STAMP), _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def _number(said: Sequence[object]) -> int:
    for each in said:
        if str(each).strip().isdigit():
            return int(str(each))
    return 0


def _refuse_problems(data: bytes) -> None:
    if problems := parse(data).problems:
        raise NotTaken(f"It cannot be read: {'; '.join(problems)}.")
