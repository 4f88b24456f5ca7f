"""The state of a world in a data folder, as lines to compare: case, spaces and order do not count."""

import json
import re
from collections.abc import Iterable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from icalendar import Calendar, Component

_SPACE = re.compile(r"\s+")
_EVENT_PARTS = ("LOCATION", "DESCRIPTION", "RRULE", "RECURRENCE-ID")
_INBOX = "inbox"
_REMEMBERED = 4096


def state_of(data: Path) -> tuple[str, ...]:
    """One line for each event, task, message, contact, file, folder and setting, sorted.

    What was sent is read from the post office; whether a message was seen is left out, as reading is free.
    """
    lines = [
        *_calendar(data / "calendar"),
        *_mail(data / "mail"),
        *_sent(data / "post office"),
        *_contacts(data / "contacts"),
        *_files(data / "files"),
        *_settings(data / "device.json"),
    ]
    return tuple(sorted(plain(line) for line in lines))


def plain(text: str) -> str:
    """A text as it is compared: lower case, single spaces, plain quotes, no full stop at the end."""
    simple = text.casefold().replace("’", "'").replace("“", '"').replace("”", '"')
    return _SPACE.sub(" ", simple).strip().rstrip(".!")


def _line(kind: str, *parts: object) -> str:
    return " | ".join([kind, *(plain(str(part)) for part in parts)])


def _calendar(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.ics")):
        yield from _components(path.read_bytes(), path.parent.name)


@lru_cache(maxsize=_REMEMBERED)
def _components(file: bytes, calendar: str) -> tuple[str, ...]:
    parts = Calendar.from_ical(file).walk()
    events = (_event(part, calendar) for part in parts if part.name == "VEVENT")
    return (*events, *(_task(part, calendar) for part in parts if part.name == "VTODO"))


def _event(event: Component, calendar: str) -> str:
    start, end = event.get("DTSTART"), event.get("DTEND")
    until = end.dt if end else start.dt + event.get("DURATION").dt if event.get("DURATION") else ""
    more = [f"{name.lower()}={_value(event.get(name))}" for name in _EVENT_PARTS if event.get(name)]
    more += [f"guest={guest}" for guest in sorted(map(str, _listed(event.get("ATTENDEE"))))]
    more += [f"without={day}" for day in sorted(_days(event))]
    return _line("event", event.get("SUMMARY", ""), _moment(start.dt), _moment(until), calendar, *more)


def _task(task: Component, calendar: str) -> str:
    due = task.get("DUE")
    done = "done" if task.get("STATUS") == "COMPLETED" else "open"
    return _line("task", task.get("SUMMARY", ""), _moment(due.dt) if due else "", done, calendar)


def _moment(value: object) -> str:
    zone = getattr(value, "tzinfo", None)
    return f"{value} {zone}" if zone else str(value)


def _value(value: object) -> str:
    if hasattr(value, "to_ical"):
        return value.to_ical().decode()  # type: ignore[no-any-return]
    return str(value)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _days(event: Component) -> Iterable[str]:
    for dates in _listed(event.get("EXDATE")):
        yield from (str(each.dt) for each in getattr(dates, "dts", ()))


def _mail(folder: Path) -> Iterator[str]:
    for path in _messages(folder):
        box = path.parent.parent.name if path.parent.parent != folder else _INBOX
        yield _line("mail", box.lstrip("."), *_letter(path.read_bytes()))


def _sent(folder: Path) -> Iterator[str]:
    for path in _messages(folder):
        yield _line("sent", unquote(path.parent.parent.name), *_letter(path.read_bytes()))


def _messages(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.parent.name in ("cur", "new") and path.is_file():
            yield path


@lru_cache(maxsize=_REMEMBERED)
def _letter(file: bytes) -> tuple[str, ...]:
    message = message_from_bytes(file, policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    text = str(body.get_content()) if body else ""
    return (
        f"from {message['From'] or ''}",
        f"to {message['To'] or ''}",
        str(message["Subject"] or ""),
        text,
    )


def _contacts(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.vcf")):
        values: dict[str, list[str]] = {}
        for line in path.read_text("utf-8").replace("\r\n ", "").splitlines():
            name, _, value = line.partition(":")
            values.setdefault(name.partition(";")[0].upper(), []).append(value)
        found = (*values.get("FN", []), *sorted(values.get("EMAIL", [])), *sorted(values.get("TEL", [])))
        yield _line("contact", *found)


def _files(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_dir():
            yield _line("folder", name)
        elif path.is_file():
            yield _line("file", name, path.read_text("utf-8", "replace"))


def _settings(path: Path) -> Iterator[str]:
    for name, value in json.loads(path.read_text("utf-8")).items():
        yield _line("setting", name, value)
