"""Writes a described world into an empty data folder, in the formats that the services read."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from functools import lru_cache
from pathlib import Path, PurePosixPath
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, Todo, vCalAddress, vRecur

from assistant.evals.worldspec import Event as EventSpec
from assistant.evals.worldspec import Mail, Person, Task, WorldSpec

_AGE = timedelta(days=3)
"""How old the files are."""
_BOX_PARTS = ("cur", "new", "tmp")

Contents = tuple[tuple[PurePosixPath, bytes | None], ...]


def furnish(data: Path, world: WorldSpec) -> None:
    """Fill an empty data folder. Raises OSError, or ValueError for a repetition that is none."""
    written = (world.moment - _AGE).timestamp()
    for name, content in _contents(_Described(world.model_dump_json(), world)):
        path = data / name
        if content is None:
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            os.utime(path, (written, written))


@dataclass(frozen=True, slots=True)
class _Described:
    """A world that can be a key."""

    text: str
    world: WorldSpec = field(compare=False)


@lru_cache(maxsize=256)
def _contents(described: _Described) -> Contents:
    """Every file of a world with its content, and every folder with none; worked out once for each world."""
    world = described.world
    found = [*_calendars(world), *_mailbox(world), *_contacts(world.people)]
    found += [(_folder("files", name), None) for name in (*world.roots, *world.folders)]
    found += [(_folder("files", file.path), file.text.encode()) for file in world.files]
    return tuple(found)


def _folder(*names: str) -> PurePosixPath:
    return PurePosixPath(*names)


def _calendars(world: WorldSpec) -> Iterator[tuple[PurePosixPath, bytes]]:
    used = {*world.calendars, *(event.calendar for event in world.events), *(t.calendar for t in world.tasks)}
    for name in sorted(used):
        yield _folder("calendar", name, "displayname"), name.capitalize().encode()
    for number, event in enumerate(world.events):
        path = _folder("calendar", event.calendar, f"event-{number}.ics")
        yield path, _file(_event(event, number, world))
    for number, task in enumerate(world.tasks):
        yield _folder("calendar", task.calendar, f"task-{number}.ics"), _file(_task(task, number, world))


def _event(spec: EventSpec, number: int, world: WorldSpec) -> Event:
    zone = ZoneInfo(spec.zone or world.zone)
    uid = f"event-{number}@world.example"
    if isinstance(spec.at, datetime):
        start = spec.at.replace(tzinfo=zone)
        end = start + timedelta(minutes=spec.minutes)
        event = Event.new(summary=spec.title, start=start, end=end, uid=uid, stamp=world.moment)
    else:
        last = spec.at + timedelta(days=spec.days)
        event = Event.new(summary=spec.title, start=spec.at, end=last, uid=uid, stamp=world.moment)
    if spec.place:
        event.add("location", spec.place)
    if spec.notes:
        event.add("description", spec.notes)
    if spec.repeat:
        event.add("rrule", vRecur.from_ical(spec.repeat))
    if spec.guests:
        event.add("organizer", vCalAddress(f"mailto:{world.address}"))
    for guest in spec.guests:
        event.add("attendee", vCalAddress(f"mailto:{guest}"))
    return event


def _task(spec: Task, number: int, world: WorldSpec) -> Todo:
    task = Todo.new(summary=spec.title, uid=f"task-{number}@world.example", stamp=world.moment)
    if spec.due is not None:
        due = spec.due.replace(tzinfo=ZoneInfo(world.zone)) if isinstance(spec.due, datetime) else spec.due
        task.add("due", due)
    if spec.done:
        task.add("status", "COMPLETED")
    return task


def _file(component: Event | Todo) -> bytes:
    calendar = Calendar.new(prodid="-//Askfirst//World//EN")
    calendar.add_component(component)
    return bytes(calendar.to_ical())


def _mailbox(world: WorldSpec) -> Iterator[tuple[PurePosixPath, bytes | None]]:
    """A Maildir++ with a folder below it for each one named."""
    boxes = ["", *world.mail_folders, *(mail.folder for mail in world.mail)]
    for name in dict.fromkeys(boxes):
        yield from ((_box(name) / part, None) for part in _BOX_PARTS)
    me = f"{world.name} <{world.address}>"
    for number, spec in enumerate(world.mail):
        name = f"{int(spec.at.timestamp())}.M{number}.world:2,{'' if spec.unread else 'S'}"
        yield _box(spec.folder) / "cur" / name, _message(spec, number, world, me).as_bytes()


def _box(name: str) -> PurePosixPath:
    return _folder("mail", f".{name}") if name else _folder("mail")


def _message(spec: Mail, number: int, world: WorldSpec, me: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = spec.sender or me
    message["To"] = ", ".join(spec.to) or me
    message["Subject"] = spec.subject
    message["Date"] = format_datetime(spec.at.replace(tzinfo=ZoneInfo(world.zone)))
    message["Message-ID"] = f"<message-{number}@world.example>"
    message.set_content(f"{spec.body}\n")
    return message


def _contacts(people: tuple[Person, ...]) -> Iterator[tuple[PurePosixPath, bytes | None]]:
    yield _folder("contacts"), None
    for number, person in enumerate(people):
        given, _, family = person.name.partition(" ")
        lines = ["BEGIN:VCARD", "VERSION:4.0", f"FN:{person.name}", f"N:{family};{given};;;"]
        lines += [f"EMAIL:{address}" for address in person.addresses]
        lines += [f"TEL:{person.phone}"] if person.phone else []
        yield _folder("contacts", f"person-{number}.vcf"), "\r\n".join([*lines, "END:VCARD", ""]).encode()
