"""Writes a described world into an empty data folder, in the formats that the services read."""

import os
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, Todo, vCalAddress, vRecur

from assistant.evals.worldspec import Event as EventSpec
from assistant.evals.worldspec import Mail, Person, Task, WorldSpec

_AGE = timedelta(days=3)
"""How old the files are."""


def furnish(data: Path, world: WorldSpec) -> None:
    """Fill an empty data folder. Raises OSError, or ValueError for a rule that is none."""
    _calendars(data / "calendar", world)
    _mailbox(data / "mail", world)
    _contacts(data / "contacts", world.people)
    for root in world.roots:
        (data / "files" / root).mkdir(parents=True, exist_ok=True)
    for folder in world.folders:
        (data / "files" / folder).mkdir(parents=True, exist_ok=True)
    written = (world.moment - _AGE).timestamp()
    for file in world.files:
        path = data / "files" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, "utf-8")
        os.utime(path, (written, written))


def _calendars(folder: Path, world: WorldSpec) -> None:
    used = {*world.calendars, *(event.calendar for event in world.events), *(t.calendar for t in world.tasks)}
    for name in sorted(used):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "displayname").write_text(name.capitalize(), "utf-8")
    for number, event in enumerate(world.events):
        _write(folder / event.calendar / f"event-{number}.ics", _event(event, number, world))
    for number, task in enumerate(world.tasks):
        _write(folder / task.calendar / f"task-{number}.ics", _task(task, number, world))


def _event(spec: EventSpec, number: int, world: WorldSpec) -> Event:
    zone = ZoneInfo(spec.zone or world.zone)
    if isinstance(spec.at, datetime):
        start = spec.at.replace(tzinfo=zone)
        event = Event.new(summary=spec.title, start=start, end=start + timedelta(minutes=spec.minutes))
    else:
        event = Event.new(summary=spec.title, start=spec.at, end=spec.at + timedelta(days=spec.days))
    event["UID"] = f"event-{number}@world.example"
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
    task = Todo.new(summary=spec.title, uid=f"task-{number}@world.example")
    if spec.due is not None:
        due = spec.due.replace(tzinfo=ZoneInfo(world.zone)) if isinstance(spec.due, datetime) else spec.due
        task.add("due", due)
    if spec.done:
        task.add("status", "COMPLETED")
    return task


def _write(path: Path, component: Event | Todo) -> None:
    calendar = Calendar.new(prodid="-//Askfirst//World//EN")
    calendar.add_component(component)
    path.write_bytes(calendar.to_ical())


def _mailbox(folder: Path, world: WorldSpec) -> None:
    """A Maildir++ with a folder below it for each one named."""
    boxes = {"", *world.mail_folders, *(mail.folder for mail in world.mail)}
    for name in boxes:
        for part in ("cur", "new", "tmp"):
            (_box(folder, name) / part).mkdir(parents=True, exist_ok=True)
    me = f"{world.name} <{world.address}>"
    for number, spec in enumerate(world.mail):
        name = f"{int(spec.at.timestamp())}.M{number}.world:2,{'' if spec.unread else 'S'}"
        (_box(folder, spec.folder) / "cur" / name).write_bytes(_message(spec, number, world, me).as_bytes())


def _box(folder: Path, name: str) -> Path:
    return folder / f".{name}" if name else folder


def _message(spec: Mail, number: int, world: WorldSpec, me: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = spec.sender or me
    message["To"] = ", ".join(spec.to) or me
    message["Subject"] = spec.subject
    message["Date"] = format_datetime(spec.at.replace(tzinfo=ZoneInfo(world.zone)))
    message["Message-ID"] = f"<message-{number}@world.example>"
    message.set_content(f"{spec.body}\n")
    return message


def _contacts(folder: Path, people: tuple[Person, ...]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, person in enumerate(people):
        given, _, family = person.name.partition(" ")
        lines = ["BEGIN:VCARD", "VERSION:4.0", f"FN:{person.name}", f"N:{family};{given};;;"]
        lines += [f"EMAIL:{address}" for address in person.addresses]
        lines += [f"TEL:{person.phone}"] if person.phone else []
        card = "\r\n".join([*lines, "END:VCARD", ""])
        (folder / f"person-{number}.vcf").write_text(card, "utf-8")
