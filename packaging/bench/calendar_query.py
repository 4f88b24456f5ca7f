"""A week's agenda out of 10,000 events, beside parsing the same files plainly."""

import asyncio
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event
from rows import Row, median, seconds, timed

from connectors.base import Call, Context, Prepared
from connectors.calendar.config import Config
from connectors.calendar.connector import CalendarConnector
from connectors.people import AddressBook

EVENTS = 10_000
ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, tzinfo=ZONE)


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _fill(folder / "calendar" / "home")
        connector = CalendarConnector(
            folder / "calendar", folder / "state", Config(), AddressBook(folder / "people")
        )
        plain = seconds(lambda: _parse_all(folder / "calendar" / "home"))
        first = seconds(lambda: _agenda(connector))
        again = median(lambda: _agenda(connector), 10)
    what = f"parsing {EVENTS:,} .ics files"
    return [
        timed("agenda of a week, first time", first, plain, what),
        timed("agenda again", again, plain, what),
    ]


def _fill(folder: Path, events: int = EVENTS) -> None:
    folder.mkdir(parents=True)
    for number in range(events):
        start = NOW + timedelta(hours=number - events // 2)
        event = Event.new(
            summary=f"Event {number}", start=start, end=start + timedelta(minutes=45), uid=str(number)
        )
        if number % 50 == 0:
            event.add("rrule", {"freq": "weekly", "count": 20})
        calendar = Calendar.new(prodid="-//Askfirst//Bench//EN")
        calendar.add_component(event)
        (folder / f"{number}.ics").write_bytes(calendar.to_ical())


def _parse_all(folder: Path) -> int:
    return sum(len(Calendar.from_ical(path.read_bytes()).events) for path in folder.glob("*.ics"))


def _agenda(connector: CalendarConnector) -> None:
    async def listing() -> None:
        call = Call("bench", "calendar.list_events", {"when": "this week"})
        prepared = await connector.prepare(call, Context(NOW, ZONE))
        assert isinstance(prepared, Prepared), prepared
        outcome = await connector.perform(prepared)
        assert outcome.ok, outcome.text

    asyncio.run(listing())
