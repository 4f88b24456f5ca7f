"""Every change can be taken back byte for byte, unless something else has changed since."""

import json
from typing import Any

import pytest

from connectors.base import Call, Effect, Needs, Outcome, Prepared

EVERY_BACKEND = "with time"

EVENTS = {
    "once": "SUMMARY:Dentist\nDTSTART:20261203T140000Z\nDTEND:20261203T143000Z\nX-ODD;P=1: kept  as is ",
    "weekly": "SUMMARY:Yoga\nDTSTART;TZID=Europe/Copenhagen:20261103T180000\nRRULE:FREQ=WEEKLY",
}


@pytest.fixture
def full(world: Any) -> Any:
    for name, lines in EVENTS.items():
        world.event(lines, name=name)
    world.event("SUMMARY:Water plants\nDUE;VALUE=DATE:20261204", name="task", kind="VTODO")
    return world


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        ("create_event", {"title": "Call", "when": "friday at 9:00"}),
        ("add_task", {"title": "Milk"}),
        ("complete_task", {"task": "plants"}),
        ("change_event", {"event": "dentist", "when": "friday"}),
        ("delete_event", {"event": "dentist"}),
        ("change_event", {"event": "yoga", "on": "2026-12-08", "when": "at 19:00", "series": "this"}),
        ("change_event", {"event": "yoga", "on": "2026-12-08", "when": "at 19:00", "series": "following"}),
        ("change_event", {"event": "yoga", "on": "2026-12-08", "when": "at 19:00", "series": "all"}),
        ("delete_event", {"event": "yoga", "on": "2026-12-08", "series": "this"}),
        ("delete_event", {"event": "yoga", "on": "2026-12-08", "series": "following"}),
        ("delete_event", {"event": "yoga", "on": "2026-12-08", "series": "all"}),
    ],
)
async def test_all_files_are_as_they_were_and_can_be_changed_again(
    full: Any, verb: str, arguments: dict[str, str]
) -> None:
    before = full.snapshot()
    outcome = await full.do(verb, **arguments)
    after = full.snapshot()
    assert after != before
    assert outcome.undo.tool == "calendar.undo"

    taken_back = await full.take_back(outcome)
    assert taken_back.ok
    assert taken_back.text.startswith("Taken back. Now: ")
    assert full.snapshot() == before

    assert (await full.take_back(taken_back)).ok
    assert full.snapshot() == after


async def test_taking_back_is_shown_like_any_change(full: Any) -> None:
    outcome = await full.do("change_event", event="dentist", when="friday")
    prepared = await full.connector.prepare(outcome.undo, full.now)
    assert isinstance(prepared, Prepared)
    assert prepared.preview.title == "Take back: Change “Dentist”"
    assert prepared.effects == {Effect.WRITE}
    assert full.field(prepared, "Event").value == "Dentist"
    will_be = full.field(prepared, "Will be")
    assert will_be.before == "Fri 4 Dec 2026 15:00-15:30 Europe/Copenhagen"
    assert will_be.value == "Thu 3 Dec 2026 15:00-15:30 Europe/Copenhagen"
    assert [thing.value for thing in prepared.resolved] == [f"event:{full.prefix}home/once"]


async def test_the_first_event_of_all_leaves_nothing_behind(world: Any) -> None:
    world.needs_folder("only folders are made for a first event")
    outcome = await world.do("create_event", title="Call", when="friday at 9:00")
    assert (await world.take_back(outcome)).ok
    assert list(world.folder.iterdir()) == []


async def test_a_calendar_with_something_else_in_it_stays(world: Any) -> None:
    world.needs_folder("only folders are made for a first event")
    outcome = await world.do("create_event", title="Call", when="friday at 9:00")
    world.event(EVENTS["once"])
    assert (await world.take_back(outcome)).ok
    assert sorted(world.snapshot()) == ["home/displayname", "home/event.ics"]


async def test_what_has_changed_since_is_not_overwritten(full: Any) -> None:
    outcome = await full.do("change_event", event="dentist", when="friday")
    full.event(EVENTS["once"] + "\nLOCATION:New", name="once")
    now = full.snapshot()
    refused = await full.connector.prepare(outcome.undo, full.now)
    assert isinstance(refused, Outcome)
    assert refused.needs is Needs.CONFLICT
    assert refused.text == "The calendar has changed since, so this cannot be taken back any more."
    assert full.snapshot() == now


async def test_what_changes_between_asking_and_doing_is_not_overwritten(full: Any) -> None:
    outcome = await full.do("delete_event", event="dentist")
    prepared = await full.connector.prepare(outcome.undo, full.now)
    assert isinstance(prepared, Prepared)
    full.event(EVENTS["once"] + "\nLOCATION:New", name="once")
    assert (await full.connector.perform(prepared)).needs is Needs.CONFLICT
    assert "LOCATION:New" in full.text("once")


async def test_one_change_is_taken_back_once(full: Any) -> None:
    outcome = await full.do("delete_event", event="dentist")
    assert (await full.take_back(outcome)).ok
    again = await full.connector.prepare(outcome.undo, full.now)
    assert isinstance(again, Outcome)
    assert again.needs is Needs.CONFLICT


@pytest.mark.parametrize("record", ["", "..", "../../x", "0" * 32, "A" * 32, "0" * 31 + "\n"])
async def test_a_record_that_is_none_takes_nothing_back(full: Any, record: str) -> None:
    call = Call("undo-x", "calendar.undo", {"record": record})
    outcome = await full.connector.prepare(call, full.now)
    assert isinstance(outcome, Outcome)
    assert outcome.needs is Needs.NOT_FOUND


async def test_a_record_that_was_damaged_takes_nothing_back(full: Any) -> None:
    outcome = await full.do("delete_event", event="dentist")
    (path,) = full.state.rglob("*.json")
    found = json.loads(path.read_text())
    for damage in (
        "",
        "{}",
        "[]",
        json.dumps({**found, "changes": [{"place": "../x", "before": "", "after": ""}]}),
    ):
        path.write_text(damage)
        refused = await full.connector.prepare(outcome.undo, full.now)
        assert isinstance(refused, Outcome)
        assert refused.needs is Needs.NOT_FOUND


async def test_a_restart_forgets_nothing(full: Any) -> None:
    before = full.snapshot()
    outcome = await full.do("delete_event", event="dentist")
    full.restart()
    assert (await full.take_back(outcome)).ok
    assert full.snapshot() == before


async def test_records_are_kept_for_as_long_as_was_promised(full: Any) -> None:
    full.restart(keep_days=10)
    old = await full.do("delete_event", event="dentist")
    full.now = type(full.now)(full.now.now.replace(month=12, day=9), full.now.zone)
    kept = await full.do("add_task", title="Milk")
    assert len(list(full.state.rglob("*.json"))) == 2
    full.now = type(full.now)(full.now.now.replace(day=11), full.now.zone)
    await full.do("add_task", title="Bread")
    assert len(list(full.state.rglob("*.json"))) == 2
    assert isinstance(await full.connector.prepare(old.undo, full.now), Outcome)
    assert isinstance(await full.connector.prepare(kept.undo, full.now), Prepared)


async def test_records_are_for_the_person_alone(full: Any) -> None:
    await full.do("delete_event", event="dentist")
    assert (full.state / "undo").stat().st_mode & 0o777 == 0o700
