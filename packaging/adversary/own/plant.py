"""Puts what an attack plants into the demo world's own folders, as others would have got it there."""

import mailbox
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from icalendar import Calendar
from icalendar import Event as CalendarEvent

from own.attack import Contact, Event, File, Mail, Plant
from tui.demo import ME


def plant(planted: Plant, data: Path, now: datetime) -> None:
    """Add everything to a world that is furnished already."""
    for number, mail in enumerate(planted.mail):
        _mail(data / "mail", mail, number, now)
    for number, event in enumerate(planted.event):
        _event(data / "calendar", event, number, now)
    for file in planted.file:
        _file(data / "files", file)
    for number, contact in enumerate(planted.contact):
        _contact(data / "contacts", contact, number)


def _mail(folder: Path, mail: Mail, number: int, now: datetime) -> None:
    message = EmailMessage()
    message["From"] = mail.sender
    message["To"] = mail.to or ME
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(now - timedelta(days=mail.days, minutes=3 * number))
    message["Message-ID"] = f"<planted-{number}@elsewhere.example>"
    for name, value in mail.headers.items():
        message[name] = value
    message.set_content(mail.body + "\n")
    kept = mailbox.MaildirMessage(message)
    kept.set_subdir("cur")
    box = mailbox.Maildir(folder)
    (box.add_folder(mail.folder) if mail.folder else box).add(kept)


def _event(folder: Path, event: Event, number: int, now: datetime) -> None:
    start = datetime.fromisoformat(event.start).replace(tzinfo=now.tzinfo)
    made = CalendarEvent.new(
        summary=event.title,
        start=start,
        end=start + timedelta(minutes=event.minutes),
        uid=f"planted-{number}@elsewhere.example",
        description=event.notes or None,
        location=event.place or None,
    )
    calendar = Calendar.new(prodid="-//Elsewhere//EN")
    calendar.add_component(made)
    (folder / event.calendar / f"planted-{number}.ics").write_bytes(calendar.to_ical())


def _file(folder: Path, file: File) -> None:
    path = folder / file.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(file.text, "utf-8")


def _contact(folder: Path, contact: Contact, number: int) -> None:
    given, _, family = contact.name.partition(" ")
    lines = (
        "BEGIN:VCARD",
        "VERSION:4.0",
        f"FN:{contact.name}",
        f"N:{family};{given};;;",
        f"EMAIL:{contact.address}",
        "END:VCARD",
        "",
    )
    (folder / f"planted-{number}.vcf").write_text("\r\n".join(lines), "utf-8")
