"""Of a change to the calendar that nobody knows the end of, a later look tells what its items tell."""

import json

import pytest
from pydantic import JsonValue

from connectors.base import Outcome, Prepared, Prober
from tests.connectors.calendar.conftest import World

DENTIST = "SUMMARY:Dentist\nDTSTART;TZID=Europe/Copenhagen:20261203T150000\nDURATION:PT30M"
CHANGES: list[tuple[str, dict[str, JsonValue]]] = [
    ("create_event", {"title": "Lunch with Sam", "when": "Friday at noon"}),
    ("change_event", {"event": "Dentist", "when": "Friday at 4"}),
    ("delete_event", {"event": "Dentist"}),
    ("add_task", {"title": "Water the plants"}),
]


async def look(world: World, prepared: Prepared) -> Outcome | None:
    assert isinstance(world.connector, Prober)
    return await world.connector.probe(prepared.call.tool, json.loads(json.dumps(dict(prepared.mark))))


@pytest.mark.parametrize(("verb", "arguments"), CHANGES, ids=[verb for verb, _ in CHANGES])
async def test_a_change_is_seen_to_be_made_or_not(
    world: World, verb: str, arguments: dict[str, JsonValue]
) -> None:
    world.needs_folder("a server may keep an item in its own way")
    world.event(DENTIST, name="dentist")
    prepared = await world.ready(verb, **arguments)
    before = await look(world, prepared)
    assert before is not None
    assert (before.ok, before.text) == (False, "It was not done: the calendar is as it was.")
    assert (await world.connector.perform(prepared)).ok
    after = await look(world, prepared)
    assert after is not None
    assert (after.ok, after.text) == (True, "It was done: the calendar is as it was to be.")


async def test_what_is_neither_as_before_nor_as_planned_is_not_claimed(world: World) -> None:
    world.needs_folder("the file is changed by hand")
    world.event(DENTIST, name="dentist")
    prepared = await world.ready("change_event", event="Dentist", when="Friday at 4")
    assert "Dentist" not in json.dumps(dict(prepared.mark))
    world.event(DENTIST.replace("Dentist", "Doctor"), name="dentist")
    assert await look(world, prepared) is None
    assert await world.connector.probe("calendar.change_event", {}) is None
