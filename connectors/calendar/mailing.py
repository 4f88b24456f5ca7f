"""Whom a server will mail when an event is written, since many do so by themselves (RFC 6638)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from icalendar import Component, vCalAddress

from connectors.base import Field, Option, Question, Resolved, Role
from connectors.calendar.compose import Person
from connectors.calendar.desk import Desk
from connectors.calendar.ical import values, written
from connectors.calendar.parse import Broken, read_calendar
from connectors.calendar.store import Place
from connectors.clean import clean_line

MAILED = "the calendar's server mails them"
_QUIET = frozenset({"CLIENT", "NONE"})
_SHOWN = 120
_KINDS = ("VEVENT", "VTODO")

Files = tuple[tuple[Place, bytes | None], ...]


@dataclass(frozen=True, slots=True)
class Mailing:
    """Files to be written, and every address that the server mails on account of it."""

    files: Files
    addresses: tuple[str, ...] = ()


def settle(desk: Desk, files: Files, people: Sequence[Person], notify: bool | None) -> Mailing | Question:
    """Whom the server will mail, or the question whether it is to mail the people newly invited.

    People who were invited before through the server hear of every change; that cannot be turned off.
    """
    collection = next((each for each in desk.index.collections if each.name == files[0][0].collection), None)
    if collection is None or not collection.schedules:
        return Mailing(files)
    if not collection.me or not collection.invites:
        # In nobody's name no server invites; those newly invited are only kept with the event.
        return Mailing(files, heard(desk, files))
    if people and notify is None:
        return _ask(collection.displayname, people)
    if people and notify:
        fresh = {each.address.lower() for each in people}
        files = tuple((place, data and _loud(data, fresh, collection.me)) for place, data in files)
    return Mailing(files, heard(desk, files))


def heard(desk: Desk, files: Iterable[tuple[Place, bytes | None]]) -> tuple[str, ...]:
    """The addresses that servers mail when these files take the place of those that are there now."""
    found: dict[str, str] = {}
    collections = {each.name: each for each in desk.index.collections}
    for place, data in files:
        collection = collections.get(place.collection)
        if collection is None or not collection.schedules:
            continue
        for version in (desk.store.read(place), data):
            for address in _addresses(version):
                if address.lower() != collection.me.lower():
                    found.setdefault(address.lower(), address)
    return tuple(found.values())


def mailed_fields(addresses: Iterable[str]) -> tuple[Field, ...]:
    """A line for each address that is mailed."""
    return tuple(Field("Notified", clean_line(each, _SHOWN), note=MAILED) for each in addresses)


def mailed_to(addresses: Iterable[str], argument: str = "") -> tuple[Resolved, ...]:
    """Each address that is mailed, as where a call goes."""
    return tuple(Resolved(Role.DESTINATION, argument, each, clean_line(each, _SHOWN)) for each in addresses)


def _ask(calendar: str, people: Sequence[Person]) -> Question:
    names = clean_line(", ".join(each.address for each in people), _SHOWN)
    return Question(
        f"The server of the calendar {calendar} can mail invitations by itself. Shall it invite {names}?",
        (
            Option("Yes: the server mails them an invitation", {"notify": True}),
            Option("No: keep them with the event, mail nobody", {"notify": False}),
        ),
    )


def _addresses(data: bytes | None) -> list[str]:
    """Everybody a server mails about a version of an event: those invited, or who invited."""
    if data is None:
        return []
    try:
        components = [each for each in read_calendar(data).walk() if each.name in _KINDS]
    except Broken:
        return []
    return [_plain(each) for component in components for each in _loud_people(component)]


def _loud_people(component: Component) -> list[vCalAddress]:
    people = [*values(component, "ATTENDEE"), *values(component, "ORGANIZER")]
    # Without anybody invited there is nobody to mail, whoever the organizer is.
    if not values(component, "ATTENDEE"):
        return []
    return [each for each in people if str(each.params.get("SCHEDULE-AGENT", "")).upper() not in _QUIET]


def _plain(address: vCalAddress) -> str:
    text = str(address)
    return text[len("mailto:") :] if text.lower().startswith("mailto:") else text


def _loud(data: bytes, addresses: set[str], me: str) -> bytes:
    """A version in which the server is to invite some people, in the name of `me`."""
    calendar = read_calendar(data)
    for component in calendar.walk():
        if component.name not in _KINDS:
            continue
        for person in values(component, "ATTENDEE"):
            if _plain(person).lower() in addresses:
                person.params.pop("SCHEDULE-AGENT", None)
        if me and not values(component, "ORGANIZER"):
            component.add("ORGANIZER", vCalAddress(f"mailto:{me}"))
    return written(calendar)
