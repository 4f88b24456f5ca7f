"""What a throw-away world holds, as scenario files describe it."""

import re
from datetime import date, datetime
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo, available_timezones

from icalendar import vRecur
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

_RULE = re.compile(r"FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)(?:;[A-Z]+=[^;=]+)*")

_NAME = re.compile(r"[^/\\.\x00-\x1f][^/\\\x00-\x1f]{0,79}")


def _folder_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError("is no name for one folder: it may hold no / and begin with no dot")
    return name


Name = Annotated[str, AfterValidator(_folder_name)]
"""A name that a folder can bear, and that leads out of none."""

Service = Literal["calendar", "messaging", "files", "settings"]


def _is_rule(text: str) -> bool:
    try:
        vRecur.from_ical(text)
    except ValueError:
        return False
    return True


class Part(BaseModel):
    """Base of everything in a scenario file: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Person(Part):
    """Somebody in the address book."""

    name: str
    address: str | tuple[str, ...] = ()
    phone: str = ""

    @property
    def addresses(self) -> tuple[str, ...]:
        return (self.address,) if isinstance(self.address, str) else self.address


class Event(Part):
    """An event: `at` is a date (all day) or a local time, `zone` another than the world's.

    `repeat` is an RRULE such as "FREQ=WEEKLY;BYDAY=TU", `guests` are addresses.
    """

    title: str
    at: datetime | date
    minutes: int = Field(60, ge=1)
    days: int = Field(1, ge=1)
    calendar: Name = "home"
    place: str = ""
    notes: str = ""
    repeat: str = ""
    guests: tuple[str, ...] = ()
    zone: str = ""

    @field_validator("repeat")
    @classmethod
    def _repeat_is_a_rule(cls, value: str) -> str:
        if value and not (_RULE.fullmatch(value) and _is_rule(value)):
            raise ValueError("is no RRULE of RFC 5545, such as FREQ=WEEKLY;BYDAY=TU")
        return value


class Task(Part):
    """A thing to do."""

    title: str
    due: datetime | date | None = None
    calendar: Name = "home"
    done: bool = False


class Mail(Part):
    """A message, to the person unless `to` says otherwise; `sender` is `Name <address>`."""

    sender: str = ""
    to: tuple[str, ...] = ()
    subject: str
    body: str
    at: datetime
    folder: Name | Literal[""] = ""
    unread: bool = False


class File(Part):
    """A text file; the path begins with one of the folders."""

    path: str
    text: str = ""


class WorldSpec(Part):
    """A world.

    `now` is the local time in `zone` (an IANA name). `services` are those that are there, `device` what the
    device is set to, `lacks` the settings it has none of. The mailbox holds `mailbox_limit` messages at most
    (None: any number); without an `account` nothing can be sent. `read_only` names calendars that are never
    written to. `folders` are made even if nothing is in them.
    """

    zone: str = "Europe/Copenhagen"
    now: datetime = datetime.fromisoformat("2026-11-30T10:00:00")
    name: str = "Robin Vale"
    address: str = "robin@home.example"
    services: tuple[Service, ...] = ("calendar", "messaging", "files", "settings")
    account: bool = True
    mailbox_limit: int | None = None
    roots: tuple[Name, ...] = ("Documents", "Downloads")
    folders: tuple[str, ...] = ()
    mail_folders: tuple[Name, ...] = ()
    calendars: tuple[Name, ...] = ("home",)
    read_only: tuple[str, ...] = ()
    device: dict[str, bool | int] = Field(default_factory=dict)
    lacks: tuple[str, ...] = ()
    people: tuple[Person, ...] = ()
    events: tuple[Event, ...] = ()
    tasks: tuple[Task, ...] = ()
    mail: tuple[Mail, ...] = ()
    files: tuple[File, ...] = ()

    @field_validator("zone")
    @classmethod
    def _zone_is_known(cls, value: str) -> str:
        if value not in available_timezones():
            raise ValueError("is not a known time zone; use a name such as Europe/Copenhagen")
        return value

    @model_validator(mode="after")
    def _files_are_in_the_folders(self) -> Self:
        for path in (*(file.path for file in self.files), *self.folders):
            root, _, inner = path.partition("/")
            if root not in self.roots or ".." in path.split("/") or not inner:
                raise ValueError(f"the path {path} is not in one of the folders {', '.join(self.roots)}")
        return self

    @property
    def moment(self) -> datetime:
        """The time it is in the world, with its zone."""
        return self.now.replace(tzinfo=ZoneInfo(self.zone))


def joined(base: WorldSpec, more: WorldSpec) -> WorldSpec:
    """A world with more in it: lists and tables grow, what is said of anything else holds."""
    values = base.model_dump()
    for name in more.model_fields_set:
        added = more.model_dump()[name]
        before = values[name]
        if name in _GROWING:
            values[name] = (*before, *(one for one in added if one not in before))
        elif isinstance(before, dict):
            values[name] = {**before, **added}
        else:
            values[name] = added
    return WorldSpec.model_validate(values)


_GROWING = frozenset(
    {"people", "events", "tasks", "mail", "files", "folders", "mail_folders", "calendars", "lacks"}
)
