"""What is in a calendar day by day, what a change should make of it, and another program that meddles."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import recurring_ical_events
from icalendar import Calendar

from tests.connectors.calendar.conftest import unfolded
from tests.connectors.calendar_servers import USER, CalendarServer

ZONE = ZoneInfo("Europe/Copenhagen")
_FROM, _TO = date(2026, 11, 1), date(2027, 6, 1)
_LINE_END = "\r\n"


@dataclass(frozen=True)
class Occurrence:
    """When an event is on its day, by the wall clock, and its title."""

    at: time
    title: str


@dataclass(frozen=True)
class Item:
    """One file on the server: its occurrences by their days, and what its first component says."""

    at: time
    title: str
    notes: str
    days: Mapping[date, Occurrence] = field(default_factory=dict)


State = dict[str, Item]


def read_state(server: CalendarServer) -> State:
    """What the server keeps, read from its own files by another library's hand."""
    folder = server.folder / "data" / "collection-root" / USER / "home"
    return {path.name: _item(path) for path in sorted(folder.glob("*.ics"))}


def _item(path: Path) -> Item:
    calendar = Calendar.from_ical(path.read_bytes())
    master = next(each for each in calendar.events if "RECURRENCE-ID" not in each)
    days: dict[date, Occurrence] = {}
    for each in recurring_ical_events.of(calendar).between(_FROM, _TO):
        if str(each.get("STATUS")) != "CANCELLED":
            start = each["DTSTART"].dt.astimezone(ZONE)
            assert start.date() not in days, f"twice on {start:%d %b} in {path.name}"
            days[start.date()] = Occurrence(start.time(), str(each["SUMMARY"]))
    begins: datetime = master["DTSTART"].dt.astimezone(ZONE)
    return Item(begins.time(), str(master["SUMMARY"]), str(master.get("DESCRIPTION", "")), days)


@dataclass(frozen=True)
class Wish:
    """A change that is asked for: what, of which day, and how much of the series."""

    verb: str
    day: date
    scope: str
    title: str = ""
    at: time | None = None

    def arguments(self, name: str) -> dict[str, Any]:
        if self.verb == "create_event":
            return {"title": self.title, "when": f"{self.day:%Y-%m-%d} at {self.at:%H:%M}"}
        given = {"event": f"event:dav~home/{name.removesuffix('.ics')}", "on": f"{self.day:%Y-%m-%d}"}
        given |= {"series": self.scope}
        given |= {"title": self.title} if self.title else {}
        return given | ({"when": f"at {self.at:%H:%M}"} if self.at else {})

    def of(self, item: Item) -> list[Item]:
        """The file as it should be afterwards, and the one that takes the series up if there is one."""
        before = {day: each for day, each in item.days.items() if day < self.day}
        after = {day: each for day, each in item.days.items() if day >= self.day}
        scope = "all" if self.scope == "following" and not before else self.scope
        if self.verb == "delete_event":
            left = {"all": {}, "following": before}.get(scope, {**item.days})
            left.pop(self.day, None)
            return [replace(item, days=left)] if scope != "all" else []
        if scope == "this":
            return [replace(item, days={**item.days, self.day: self._changed(item.days[self.day])})]
        if scope == "following":
            return [replace(item, days=before), self._all(replace(item, days=after))]
        return [self._all(item)]

    def _all(self, item: Item) -> Item:
        """Every occurrence changed, but for what was given to one of them by itself."""
        days = {
            day: Occurrence(
                self.at if self.at and (each.at == item.at or day == self.day) else each.at,
                self.title if self.title and each.title == item.title else each.title,
            )
            for day, each in item.days.items()
        }
        return replace(item, at=self.at or item.at, title=self.title or item.title, days=days)

    def _changed(self, each: Occurrence) -> Occurrence:
        return Occurrence(self.at or each.at, self.title or each.title)


class Meddler:
    """Another program: it edits notes, takes occurrences out, moves them, and adds events of its own."""

    def __init__(self, server: CalendarServer, chance: random.Random) -> None:
        self._server, self._chance = server, chance
        self._edits = 0

    def meddle(self) -> None:
        """Do something to a file that has occurrences."""
        state = {name: item for name, item in read_state(self._server).items() if len(item.days) > 1}
        if not state:
            return
        name = self._chance.choice(sorted(state))
        day = self._chance.choice(sorted(state[name].days))
        deed = self._chance.choice((self.edit_notes, self.edit_notes, self._take_out, self._move, self._add))
        deed(name, day, state[name])

    def edit_notes(self, name: str, day: date, item: Item) -> None:
        self._edits += 1
        lines = self._lines(name)
        at = next(number for number, line in enumerate(lines) if line.startswith("DESCRIPTION:"))
        lines[at] = f"DESCRIPTION:edit {self._edits}"
        self._put(name, lines)

    def _take_out(self, name: str, day: date, item: Item) -> None:
        """As an override that is cancelled, since one of its own may be there already."""
        self._override(name, day, item, "STATUS:CANCELLED", item.days[day].at)

    def _move(self, name: str, day: date, item: Item) -> None:
        self._override(name, day, item, "STATUS:CONFIRMED", time(7, self._chance.choice((10, 20, 30))))

    def _add(self, name: str, day: date, item: Item) -> None:
        self._edits += 1
        start = f"DTSTART;TZID={ZONE.key}:202603{self._edits % 28 + 1:02}T080000"
        uid = f"theirs-{self._edits}"
        self._put(f"{uid}.ics", _whole(uid, (f"SUMMARY:Theirs {self._edits}", start, "DURATION:PT1H")))

    def _override(self, name: str, day: date, item: Item, status: str, at: time) -> None:
        lines = self._lines(name)
        identity = f"RECURRENCE-ID;TZID={ZONE.key}:{day:%Y%m%d}T{item.at:%H%M%S}"
        if any(line.startswith("RECURRENCE-ID") and f"{day:%Y%m%d}" in line for line in lines):
            return
        uid = next(line for line in lines if line.startswith("UID:"))
        override = ["BEGIN:VEVENT", uid, "DTSTAMP:20261129T090000Z", identity, status]
        override += [f"SUMMARY:{item.days[day].title}", "DESCRIPTION:theirs"]
        override += [f"DTSTART;TZID={ZONE.key}:{day:%Y%m%d}T{at:%H%M%S}", "DURATION:PT1H", "END:VEVENT"]
        lines[lines.index("END:VCALENDAR") : lines.index("END:VCALENDAR")] = override
        self._put(name, lines)

    def _lines(self, name: str) -> list[str]:
        data = self._server.get(f"home/{name}")
        assert data is not None
        return unfolded(data).split("\n")

    def _put(self, name: str, lines: list[str]) -> None:
        self._server.put(f"home/{name}", _LINE_END.join(lines).encode())


def _whole(uid: str, lines: tuple[str, ...]) -> list[str]:
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//Test//EN", "BEGIN:VEVENT", f"UID:{uid}"]
    return [*head, "DTSTAMP:20261129T090000Z", *lines, "END:VEVENT", "END:VCALENDAR", ""]
