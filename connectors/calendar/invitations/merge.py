"""What an invitation makes of an event in the calendar; occurrences it does not name stay as they are."""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component, Parameters, vCalAddress

from connectors.calendar.dates import dates_of
from connectors.calendar.event_file import Chosen, EventFile
from connectors.calendar.ical import moment, set_moment, span, text, values, written, zone_name
from connectors.calendar.invitations.message import (
    Message,
    NotTaken,
    attendees,
    identity_of,
    mark_received,
    plain_address,
    revision,
)
from connectors.calendar.moments import DAY, Moment, aware, same_kind, wall
from connectors.clean import clean_line

_PRODUCER = "-//Askfirst//Askfirst 0.1//EN"
_UTC = ZoneInfo("UTC")
_SHOWN = 80
_OLD = "It is older than what is in the calendar, so there is nothing to change."
_SAME = "The calendar has it already, just as it says."
_NO_SUCH = "It is about an occurrence that is not in the calendar, so nothing can be changed."
_PEOPLE = ("ORGANIZER", "ATTENDEE")
_TIMES = ("DTSTART", "DTEND", "RECURRENCE-ID")


@dataclass(frozen=True, slots=True)
class Merged:
    """The file as it would be; `lost` occurrences that were changed by themselves are in it no more."""

    data: bytes
    lost: int = 0


def fresh(message: Message, *, quiet: bool = False) -> bytes:
    """A file with the event as it is in an invitation, without what is only for the way (RFC 4791 4.1).

    Where it is to be `quiet`, the calendar's server is told to mail nobody about it (RFC 6638 7.1).
    """
    calendar = Calendar()
    calendar.add("VERSION", "2.0")
    calendar.add("PRODID", _PRODUCER)
    for zone in message.calendar.walk("VTIMEZONE"):
        calendar.add_component(zone)
    for component in message.series.components:
        calendar.add_component(_received(component, quiet=quiet))
    return written(calendar)


def renewed(stored: bytes, message: Message) -> Merged:
    """The event brought up to date. Raises NotTaken and CannotChange."""
    file = EventFile(stored)
    _refuse_older(file, message)
    if message.series.master is None:
        for component in message.series.overrides:
            _put_occurrence(file, component, message.calendar)
        return Merged(file.data)
    wanted = EventFile(fresh(message, quiet=_is_quiet(file.only)))
    _take_alarms(wanted.master, file.only)
    named = [wall(wanted.own(each)) for each in wanted.overrides]
    kept = [each for each in file.overrides if wall(wanted.own(each)) not in named]
    staying = [each for each in kept if _gives(wanted, wanted.own(each))]
    for component in staying:
        _add(wanted.calendar, component, file.calendar)
    return Merged(wanted.data, len(kept) - len(staying))


def cancelled(stored: bytes, message: Message) -> Merged:
    """The event, or the occurrences that are named, marked as cancelled. Raises NotTaken and CannotChange."""
    file = EventFile(stored)
    _refuse_older(file, message)
    if message.series.master is not None:
        everything = (*((file.master,) if file.whole else ()), *file.overrides)
        pairs = [(each, message.series.master) for each in everything]
    else:
        pairs = [(_occurrence(file, identity_of(each)), each) for each in message.series.overrides]
    for target, said in pairs:
        target.pop("STATUS", None)
        target.add("STATUS", "CANCELLED")
        _take_revision(target, said)
    return Merged(file.data)


def answered(stored: bytes, message: Message) -> tuple[Merged, str, str]:
    """The event with somebody's answer noted; and who they are, and what they answered (RFC 5546 3.2.3).

    Raises NotTaken and CannotChange.
    """
    file = EventFile(stored)
    before = file.data
    people = {address for each in message.series.components for address in attendees(each)}
    if len(people) != 1:
        raise NotTaken("It does not say plainly whose answer it is.")
    (address,) = people
    answer = ""
    for said in message.series.components:
        if revision(said)[0] < _number(file.only):
            raise NotTaken("It answers an earlier version of the event, so it is not noted.")
        answer = str(attendees(said)[address].get("PARTSTAT", "NEEDS-ACTION")).upper()
        if values(said, "RECURRENCE-ID"):
            _note(_occurrence(file, identity_of(said)), address, answer)
        else:
            _note(file.only, address, answer)
            for override in file.overrides:
                _note(override, address, answer, must=False)
    if file.data == before:
        raise NotTaken(_SAME)
    return Merged(file.data), address, answer


def _note(target: Component, address: str, answer: str, *, must: bool = True) -> None:
    people = _copied(target, "ATTENDEE")
    if must and address not in map(plain_address, people):
        raise NotTaken(f"{clean_line(address, _SHOWN)} is not among those invited, so nothing is noted.")
    for person in people:
        if plain_address(person) == address:
            person.params["PARTSTAT"] = answer
            person.params.pop("RSVP", None)
    if people:
        target["ATTENDEE"] = people


def _number(component: Component) -> int:
    """How often an event of our own was revised."""
    found = values(component, "SEQUENCE")
    return found[0] if found and isinstance(found[0], int) else 0


def _refuse_older(file: EventFile, message: Message) -> None:
    """Raise NotTaken unless something in a message is newer than what is there, and nothing older."""
    found = [_newness(file, each) for each in message.series.components]
    if min(found) < 0:
        raise NotTaken(_OLD)
    if max(found) == 0:
        raise NotTaken(_SAME)


def _newness(file: EventFile, component: Component) -> int:
    """Whether a component is newer than the one in the calendar (1), the same (0) or older (-1)."""
    said, known = revision(component), revision(file.only)
    if values(component, "RECURRENCE-ID"):
        own = _override(file, identity_of(component))
        if own is None:
            # An occurrence that is not there by itself is as the series was when that was last revised.
            return -1 if said[0] < known[0] else 1
        known = revision(own)
    return (said > known) - (said < known)


def _put_occurrence(file: EventFile, component: Component, source: Calendar) -> None:
    """Take an occurrence as an invitation has it, and leave all others as they are."""
    identity = identity_of(component)
    old = _override(file, identity)
    if old is None and file.whole and not _gives(file, file.settled(identity)):
        raise NotTaken(_NO_SUCH)
    placed = _received(component, quiet=_is_quiet(file.only))
    if old is not None:
        _take_alarms(placed, old)
        file.drop(old)
    elif file.whole:
        _take_alarms(placed, file.master)
    _add(file.calendar, placed, source)
    file.overrides.append(placed)


def _occurrence(file: EventFile, identity: Moment) -> Component:
    """The component of an occurrence, made if need be. Raises NotTaken where there is no such occurrence."""
    if (own := _override(file, identity)) is not None:
        return own
    if not file.whole or not _gives(file, file.settled(identity)):
        raise NotTaken(_NO_SUCH)
    start, end = span(file.master)
    return file.add_override(Chosen(file.settled(identity), start, end))


def _override(file: EventFile, identity: Moment) -> Component | None:
    if not file.whole:
        return next((each for each in file.overrides if identity_of(each) == identity), None)
    wanted = wall(file.settled(identity))
    return next((each for each in file.overrides if wall(file.own(each)) == wanted), None)


def _gives(file: EventFile, identity: Moment) -> bool:
    """True where the series itself has an occurrence then."""
    calendar = Calendar()
    calendar.add_component(file.master)
    exact = aware(identity, _UTC)
    try:
        found = dates_of(calendar).between(exact - 2 * DAY, exact + 2 * DAY)
        return any(wall(same_kind(span(each)[0], identity)) == wall(identity) for each in found)
    # The library raises many kinds of error on broken rules; then no occurrence is sure.
    except Exception:
        return False


def _received(component: Component, *, quiet: bool) -> Component:
    """A component as it came, but for its alarms: those are for each to set, and may send mail."""
    taken = component.copy()
    mark_received(taken, component)
    for name in _PEOPLE if quiet else ():
        if people := _copied(taken, name):
            for person in people:
                person.params["SCHEDULE-AGENT"] = "CLIENT"
            taken[name] = people
    return taken


def _is_quiet(component: Component) -> bool:
    return any(each.params.get("SCHEDULE-AGENT") == "CLIENT" for each in values(component, "ORGANIZER"))


def _copied(component: Component, name: str) -> list[vCalAddress]:
    """The people in a property, made anew: an occurrence made from a series shares the series' own."""
    people = []
    for each in values(component, name):
        person = vCalAddress(str(each))
        person.params = Parameters(each.params)
        people.append(person)
    return people


def _take_alarms(component: Component, other: Component) -> None:
    for alarm in other.walk("VALARM"):
        component.add_component(alarm)


def _take_revision(component: Component, said: Component) -> None:
    number, stamp = revision(said)
    number = max(number, _number(component))
    component.pop("SEQUENCE", None)
    component.add("SEQUENCE", number)
    set_moment(component, "DTSTAMP", stamp)
    mark_received(component, said)


def _add(calendar: Calendar, component: Component, source: Calendar) -> None:
    """Add a component of another file, with its zones; in UTC where a zone of the name is another here."""
    for name in _TIMES:
        zone, when = zone_name(component, name), moment(component, name)
        here, there = _zone(calendar, zone), _zone(source, zone)
        if zone is None or when is None or there is None:
            continue
        if here is None:
            calendar.subcomponents.insert(0, there)
        elif here.to_ical() != there.to_ical():
            set_moment(component, name, when)
    calendar.add_component(component)


def _zone(calendar: Calendar, name: str | None) -> Component | None:
    return next((each for each in calendar.walk("VTIMEZONE") if text(each, "TZID") == name), None)
