"""Of a change to files that nobody knows the end of, a later look tells what the files themselves tell."""

import json

import pytest

from connectors.base import Outcome, Prepared, Prober
from tests.connectors.files.conftest import World

CHANGES = [
    ("write", {"file": "new note.txt", "text": "milk"}),
    ("move", {"file": "list.txt", "to": "old list.txt"}),
    ("make_folder", {"folder": "Documents/Plans"}),
    ("delete", {"file": "list.txt"}),
]


async def look(world: World, prepared: Prepared) -> Outcome | None:
    assert isinstance(world.connector, Prober)
    return await world.connector.probe(prepared.call.tool, json.loads(json.dumps(dict(prepared.mark))))


@pytest.mark.parametrize(("tool", "arguments"), CHANGES, ids=[tool for tool, _ in CHANGES])
async def test_a_change_is_seen_to_be_made_or_not(
    world: World, tool: str, arguments: dict[str, object]
) -> None:
    world.file("Documents/list.txt", "bread")
    prepared = await world.prepared(tool, **arguments)
    before = await look(world, prepared)
    assert before is not None
    assert not before.ok
    assert before.text.startswith("It was not done: ")
    assert (await world.connector.perform(prepared)).ok
    after = await look(world, prepared)
    assert after is not None
    assert after.ok


async def test_a_change_of_a_text_is_seen_not_to_be_made_and_else_not_claimed(world: World) -> None:
    world.file("Documents/list.txt", "bread")
    prepared = await world.prepared("write", file="list.txt", text="milk")
    before = await look(world, prepared)
    assert before is not None
    assert not before.ok
    assert before.text.endswith(" is as it was.")
    assert (await world.connector.perform(prepared)).ok
    assert await look(world, prepared) is None


async def test_nothing_of_a_text_is_in_what_is_kept_for_looking(world: World) -> None:
    prepared = await world.prepared("write", file="new note.txt", text="canary milk")
    assert "canary" not in json.dumps(dict(prepared.mark))


async def test_what_is_both_gone_and_not_there_is_not_claimed(world: World) -> None:
    path = world.file("Documents/list.txt", "bread")
    prepared = await world.prepared("move", file="list.txt", to="old list.txt")
    path.unlink()
    assert await look(world, prepared) is None
