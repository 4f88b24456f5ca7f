"""The demo's throw-away world: a calendar, a full mailbox, files and people, in real formats."""

import mailbox
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, Todo

MAILBOX_LIMIT = 9
"""Messages that fit in the demo's mailbox: as many as are in it, so that the first send finds it full."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A message in the demo's inbox, `days` old."""

    sender: str
    subject: str
    body: str
    days: int
    folder: str = ""


MY_NAME, MY_ADDRESS = "Robin Vale", "robin@home.example"
ME = f"{MY_NAME} <{MY_ADDRESS}>"

PEOPLE = {
    "Ana Ruiz": ("ana.ruiz@post.example", "+34 600 111 222"),
    "Ben Okafor": ("ben@okafor.example", "+44 7700 900123"),
    "Carla Nowak": ("carla.nowak@studio.example", ""),
    "Sam Lee": ("sam.lee@post.example", "+45 20 30 40 50"),
}

MAILS = (
    Mail(
        "Corner Books <news@cornerbooks.example>", "Autumn catalogue", "New arrivals, and 20 % off maps.", 61
    ),
    Mail(
        "Green Energy <no-reply@green.example>", "Your October statement", "You used 212 kWh in October.", 29
    ),
    Mail(
        "Carla Nowak <carla.nowak@studio.example>",
        "Invoice November",
        "The invoice is 480 EUR, due 15 December.",
        6,
    ),
    Mail(
        "Ben Okafor <ben@okafor.example>", "Report draft", "Here is the draft. Could you read chapter two?", 4
    ),
    Mail("Ana Ruiz <ana.ruiz@post.example>", "Friday", "See you at the lake on Friday? I bring the tea.", 3),
    Mail("Carla Nowak <carla.nowak@studio.example>", "Poster colours", "Blue or green for the poster?", 2),
    Mail("Sam Lee <sam.lee@post.example>", "Lunch soon?", "It has been a while. Lunch this week?", 1),
    Mail(ME, "Re: Friday", "Gladly! I will be there.", 3, folder="Sent"),
    Mail(ME, "Keys", "The keys are under the blue pot.", 12, folder="Sent"),
)

FILES = {
    "Documents/lease.txt": "Lease of the flat in Elm Street 4.\nThe rent is 950 EUR, due on the 1st.\n",
    "Documents/taxes 2025.txt": "Tax notes 2025\nIncome statement: in the blue folder.\nDue date: 1 July.\n",
    "Documents/recipes/leek soup.md": "# Leek soup\n\n- 3 leeks\n- 2 potatoes\n- 1 l stock\n",
    "Documents/Archive/old plan.txt": "Last year's plan, kept for the record.\n",
    "Documents/packing list.txt": "passport\ncharger\nrain coat\n",
    "Downloads/timetable.txt": "Bus 7: 07:10, 07:40, 08:10\n",
}


def furnish(data: Path, contacts: Path, now: datetime) -> None:
    """Fill an empty data folder with the demo's calendar, mailbox, files and contacts, dated around `now`."""
    _calendar(data / "calendar", now)
    _mailbox(data / "mail", now)
    for name, text in FILES.items():
        path = data / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    contacts.mkdir(parents=True, exist_ok=True)
    for name, (address, phone) in PEOPLE.items():
        (contacts / f"{name.lower().replace(' ', '-')}.vcf").write_text(_card(name, address, phone), "utf-8")


def _calendar(folder: Path, now: datetime) -> None:
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    today = now.date()
    friday = today + timedelta(days=(4 - today.weekday()) % 7 or 7)
    thursday = today + timedelta(days=(3 - today.weekday()) % 7 or 7)
    home, work = folder / "home", folder / "work"
    for collection, name in ((home, "Home"), (work, "Work")):
        collection.mkdir(parents=True, exist_ok=True)
        (collection / "displayname").write_text(name)
    _event(home, "dentist", "Dentist", _at(thursday, 15, zone), 30)
    _event(home, "breakfast", "Breakfast with Carla", _at(today + timedelta(days=1), 8, zone), 60)
    _event(work, "team", "Team meeting", _at(today + timedelta(days=1), 10, zone), 45)
    _event(work, "review", "Project review", _at(friday, 15, zone) + timedelta(minutes=30), 60)
    _event(home, "yoga", "Yoga", _at(thursday - timedelta(weeks=4), 18, zone), 75, rule={"freq": "weekly"})
    task = Todo.new(summary="Water the plants", uid="plants@demo.example")
    _write(home / "plants.ics", task)


def _event(
    folder: Path, name: str, title: str, start: datetime, minutes: int, rule: dict[str, str] | None = None
) -> None:
    event = Event.new(
        summary=title, start=start, end=start + timedelta(minutes=minutes), uid=f"{name}@demo.example"
    )
    if rule:
        event.add("rrule", rule)
    _write(folder / f"{name}.ics", event)


def _write(path: Path, component: Event | Todo) -> None:
    calendar = Calendar.new(prodid="-//Askfirst//Demo//EN")
    calendar.add_component(component)
    path.write_bytes(calendar.to_ical())


def _at(day: date, hour: int, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(hour), zone)


def _mailbox(folder: Path, now: datetime) -> None:
    inbox = mailbox.Maildir(folder, create=True)
    for number, mail in enumerate(MAILS):
        message = EmailMessage()
        message["From"] = mail.sender
        message["To"] = "Ana Ruiz <ana.ruiz@post.example>" if mail.sender == ME else ME
        message["Subject"] = mail.subject
        message["Date"] = format_datetime(now - timedelta(days=mail.days, minutes=7 * number))
        message["Message-ID"] = f"<demo-{number}@demo.example>"
        message.set_content(mail.body + "\n")
        kept = mailbox.MaildirMessage(message)
        kept.set_subdir("cur")
        if mail.folder or mail.days > 2:
            kept.add_flag("S")
        target = inbox.add_folder(mail.folder) if mail.folder else inbox
        target.add(kept)


def _card(name: str, address: str, phone: str) -> str:
    given, _, family = name.partition(" ")
    lines = ["BEGIN:VCARD", "VERSION:4.0", f"FN:{name}", f"N:{family};{given};;;", f"EMAIL:{address}"]
    lines += [f"TEL:{phone}"] if phone else []
    return "\r\n".join([*lines, "END:VCARD", ""])
