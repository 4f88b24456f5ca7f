"""What holds for any event, any text and any series."""

import asyncio
import tempfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from connectors.base import Call, Context, Outcome, Prepared
from connectors.calendar.compose import Draft, new_event
from connectors.calendar.config import Config
from connectors.calendar.connector import CalendarConnector
from connectors.calendar.event_file import Chosen, Edit, EventFile
from connectors.calendar.expand import Occurrence, expand
from connectors.calendar.ical import set_dates, writable
from connectors.calendar.parse import Broken, parse
from connectors.calendar.scan import skim
from connectors.calendar.series import change_all, change_one, end, remove_one, split
from connectors.calendar.store import Place
from connectors.people import AddressBook

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Europe/Copenhagen"))
PLACE = Place("home", "event.ics")
FIRST, LAST = datetime(2026, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)

quick = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])

zones = st.sampled_from(["Europe/Copenhagen", "America/New_York", "Asia/Tokyo", "UTC", "Australia/Lord_Howe"])
texts = st.text(st.characters(exclude_categories=()), max_size=80)
# What a call's arguments can hold: any text that can be encoded.
said = st.text(st.characters(exclude_categories=("Cs",)), max_size=80)
days = st.integers(0, 300).map(lambda number: date(2026, 12, 1) + timedelta(days=number))
frequencies = st.sampled_from(
    [
        "FREQ=DAILY",
        "FREQ=DAILY;INTERVAL=3",
        "FREQ=WEEKLY",
        "FREQ=WEEKLY;BYDAY=MO,TH",
        "FREQ=WEEKLY;INTERVAL=2",
        "FREQ=MONTHLY",
        "FREQ=MONTHLY;BYMONTHDAY=15",
    ]
)


@st.composite
def series(draw: st.DrawFn) -> tuple[bytes, ZoneInfo]:
    """A file with a series of at least three occurrences, some of them taken out, and its zone."""
    zone = ZoneInfo(draw(zones))
    day = draw(days)
    # Hours outside the changes of summer time, where a wall-clock time may not exist.
    start = datetime(day.year, day.month, day.day, draw(st.integers(8, 19)), tzinfo=zone)
    count = draw(st.integers(4, 12))
    rule = f"{draw(frequencies)};COUNT={count}"
    data = new_event(Draft("Yoga", start, start + HOUR, rule), "uid", zone, NOW)
    taken = draw(st.integers(0, 1))
    if taken:
        file = EventFile(data)
        third = occurrences(data)[2].start
        set_dates(file.master, "EXDATE", [third], file.zone_name)
        data = file.data
    return data, zone


def occurrences(data: bytes) -> list[Occurrence]:
    found, problems = expand(PLACE, parse(data), FIRST, LAST)
    assert problems == []
    return sorted(found, key=lambda each: each.start)


def starts(data: bytes) -> list[datetime]:
    return [each.start for each in occurrences(data) if isinstance(each.start, datetime)]


def chosen_of(each: Occurrence) -> Chosen:
    return Chosen(each.recurrence, each.start, each.end)


def moved(each: Occurrence, by: timedelta, zone: ZoneInfo) -> Edit:
    assert isinstance(each.start, datetime)
    assert isinstance(each.end, datetime)
    return Edit(NOW, zone, each.start + by, each.end + by)


@quick
@given(title=texts, notes=texts, where=texts)
@example(title="a\r\nb", notes="BEGIN:VEVENT\r\nEND:VCALENDAR", where=":;,\\n\\")
@example(title="\x1b]0;x\x07", notes="\u2028\x85\x0b\x0c\x1c", where="\ud800")
def test_any_text_is_read_back_as_it_was_written(title: str, notes: str, where: str) -> None:
    start = datetime(2026, 12, 4, 12, tzinfo=ZoneInfo("Europe/Copenhagen"))
    draft = Draft(title, start, start + HOUR, None, where, notes)
    (event,) = occurrences(new_event(draft, "uid", ZoneInfo("Europe/Copenhagen"), NOW))
    assert (event.title, event.notes, event.where) == (writable(title), writable(notes), writable(where))
    assert (event.start, event.end) == (start, start + HOUR)


@quick
@given(st.text(st.characters(exclude_categories=("Cc", "Cs"))))
def test_text_without_control_characters_is_written_as_it_is(text: str) -> None:
    assert writable(text) == text


@quick
@given(series(), st.data())
def test_deleting_one_leaves_exactly_the_others(made: tuple[bytes, ZoneInfo], data: st.DataObject) -> None:
    before, _ = made
    each = data.draw(st.sampled_from(occurrences(before)))
    file = EventFile(before)
    remove_one(file, chosen_of(each), NOW)
    assert starts(file.data) == [start for start in starts(before) if start != each.start]


@quick
@given(series(), st.data(), st.integers(-48, 48))
def test_changing_one_leaves_exactly_the_others(
    made: tuple[bytes, ZoneInfo], data: st.DataObject, hours: int
) -> None:
    before, zone = made
    each = data.draw(st.sampled_from(occurrences(before)))
    file = EventFile(before)
    change_one(file, chosen_of(each), moved(each, hours * HOUR, zone))
    others = [start for start in starts(before) if start != each.start]
    assert isinstance(each.start, datetime)
    assert starts(file.data) == sorted([*others, each.start + hours * HOUR])


@quick
@given(series(), st.data(), st.integers(-7, 3))
def test_changing_all_moves_each_by_the_same_on_the_wall_clock(
    made: tuple[bytes, ZoneInfo], data: st.DataObject, hours: int
) -> None:
    before, zone = made
    each = data.draw(st.sampled_from(occurrences(before)))
    file = EventFile(before)
    change_all(file, chosen_of(each), moved(each, hours * HOUR, zone))
    assert starts(file.data) == [start + hours * HOUR for start in starts(before)]


@quick
@given(series(), st.data(), st.integers(-7, 3))
def test_dividing_keeps_what_was_before_and_moves_what_follows(
    made: tuple[bytes, ZoneInfo], data: st.DataObject, hours: int
) -> None:
    before, zone = made
    each = data.draw(st.sampled_from(occurrences(before)[1:]))
    file = EventFile(before)
    later = split(file, chosen_of(each), moved(each, hours * HOUR, zone), "other")
    kept = [start for start in starts(before) if start < each.start]
    follow = [start + hours * HOUR for start in starts(before) if start >= each.start]
    assert starts(file.data) == kept
    assert starts(later.data) == follow


@quick
@given(series(), st.data())
def test_ending_a_series_keeps_exactly_what_was_before(
    made: tuple[bytes, ZoneInfo], data: st.DataObject
) -> None:
    before, _ = made
    each = data.draw(st.sampled_from(occurrences(before)[1:]))
    file = EventFile(before)
    end(file, chosen_of(each), NOW)
    assert starts(file.data) == [start for start in starts(before) if start < each.start]


@quick
@given(series(), st.integers(-30, 400), st.integers(1, 40))
def test_the_skim_of_a_file_never_misses_a_day(
    made: tuple[bytes, ZoneInfo], offset: int, length: int
) -> None:
    data, zone = made
    first = datetime(2026, 12, 1, tzinfo=zone) + timedelta(days=offset)
    last = first + timedelta(days=length)
    found, _ = expand(PLACE, parse(data), first, last)
    if found:
        assert skim(data).may_touch(first.date(), last.date())


@quick
@given(st.binary(max_size=400), series())
def test_any_bytes_are_an_event_or_broken_and_never_an_accident(
    junk: bytes, made: tuple[bytes, ZoneInfo]
) -> None:
    data, _ = made
    for mixed in (junk, data + junk, data[: len(junk)] + junk, data.replace(b"RRULE:FREQ", b"RRULE:" + junk)):
        skim(mixed)
        try:
            parsed = parse(mixed)
        except Broken:
            continue
        expand(PLACE, parsed, FIRST, FIRST + timedelta(days=30))


def in_a_folder(run: Callable[[CalendarConnector, Path], Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        folder = root / "calendar"
        connector = CalendarConnector(folder, root / "state", Config(), AddressBook(root / "contacts"))
        asyncio.run(run(connector, folder))


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def carry_out(connector: CalendarConnector, call: Call) -> Outcome | None:
    prepared = await connector.prepare(call, Context(NOW, ZoneInfo("Europe/Copenhagen")))
    return await connector.perform(prepared) if isinstance(prepared, Prepared) else None


@settings(quick, max_examples=12)
@given(title=said, notes=said, beside=st.lists(series(), max_size=2))
def test_a_new_event_taken_back_leaves_every_byte_as_it_was(
    title: str, notes: str, beside: list[tuple[bytes, ZoneInfo]]
) -> None:
    async def run(connector: CalendarConnector, folder: Path) -> None:
        for number, (data, _) in enumerate(beside):
            (folder / "home").mkdir(parents=True, exist_ok=True)
            (folder / "home" / f"{number}.ics").write_bytes(data)
        before = snapshot(folder)
        arguments = {"title": title, "when": "2026-12-04 12:00", "notes": notes}
        outcome = await carry_out(connector, Call("1", "calendar.create_event", arguments))
        if outcome is None:
            assert writable(title).strip() == ""
            return
        assert outcome.ok
        assert outcome.undo is not None
        assert len(snapshot(folder)) > len(before)
        undone = await carry_out(connector, outcome.undo)
        assert undone is not None
        assert undone.ok
        assert snapshot(folder) == before

    in_a_folder(run)


@settings(quick, max_examples=15)
@given(made=series(), title=said, data=st.data())
def test_a_change_taken_back_leaves_every_byte_as_it_was(
    made: tuple[bytes, ZoneInfo], title: str, data: st.DataObject
) -> None:
    which = data.draw(st.sampled_from(["this", "following", "all"]))
    verb = data.draw(st.sampled_from(["change_event", "delete_event"]))
    each = data.draw(st.sampled_from(occurrences(made[0])))
    assert isinstance(each.recurrence, datetime)
    handle = f"event:home/event@{each.recurrence.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    new = {"title": title, "when": "one hour later"} if verb == "change_event" else {}

    async def run(connector: CalendarConnector, folder: Path) -> None:
        (folder / "home").mkdir(parents=True)
        (folder / "home" / "event.ics").write_bytes(made[0])
        before = snapshot(folder)
        call = Call("1", f"calendar.{verb}", {"event": handle, "series": which, **new})
        outcome = await carry_out(connector, call)
        assert outcome is not None
        assert outcome.ok
        assert outcome.undo is not None
        assert snapshot(folder) != before
        undone = await carry_out(connector, outcome.undo)
        assert undone is not None
        assert undone.ok
        assert snapshot(folder) == before

    in_a_folder(run)
