"""Of a send that nobody knows the end of, a later look tells what can be told, by its Message-ID."""

import json
from collections.abc import Sequence

import pytest

from connectors.base import Effect, Outcome, Prepared, Prober
from connectors.messaging.transport import Delivery, LoopbackTransport
from tests.connectors.messaging.conftest import World


async def look(world: World, prepared: Prepared) -> Outcome | None:
    """Look after a restart, with no more than a journal keeps."""
    world.build()
    assert isinstance(world.connector, Prober)
    return await world.connector.probe(prepared.call.tool, json.loads(json.dumps(dict(prepared.mark))))


class Broken(LoopbackTransport):
    """Breaks off before or after it has delivered."""

    delivers = True

    async def send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
        if self.delivers:
            await super().send(message, recipients)
        raise ConnectionError("the line was cut")


async def send(world: World) -> Prepared:
    return await world.prepared("send", to=["ana@post.example"], subject="Hi", body="Ten minutes late.")


async def test_the_message_id_is_fixed_before_it_leaves_and_is_all_that_is_kept_of_it(world: World) -> None:
    prepared = await send(world)
    assert prepared.mark["recipients"] == ["ana@post.example"]
    assert f"Message-ID: {prepared.mark['message_id']}" in str(prepared.payload["message"])
    assert "Ten minutes" not in json.dumps(dict(prepared.mark))


async def test_what_never_left_was_not_sent(world: World) -> None:
    found = await look(world, await send(world))
    assert found is not None
    assert (found.ok, found.text) == (False, "It was not sent: it never left.")


async def test_what_is_in_sent_was_sent(world: World) -> None:
    prepared = await send(world)
    outcome = await world.connector.perform(prepared)
    assert (outcome.effects, outcome.touched) == ({Effect.SEND}, ("ana@post.example",))
    found = await look(world, prepared)
    assert found is not None
    assert (found.ok, found.text) == (True, "It was sent: it is in Sent.")


@pytest.mark.parametrize("delivers", [True, False])
async def test_what_broke_off_is_looked_for_where_it_was_going(world: World, delivers: bool) -> None:
    world.transport = broken = Broken(world.post, lambda: True)
    broken.delivers = delivers
    world.build()
    prepared = await send(world)
    assert not (await world.connector.perform(prepared)).ok
    found = await look(world, prepared)
    assert found is not None
    assert found.ok is delivers
    assert len(world.delivered("ana@post.example")) == delivers


class Silent:
    """A way out that breaks off and cannot be asked afterwards."""

    async def obstacle(self) -> None:
        return None

    async def send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
        raise ConnectionError("the line was cut")


async def test_what_cannot_be_told_is_not_claimed(world: World) -> None:
    world.transport = Silent()
    world.build()
    prepared = await send(world)
    assert not (await world.connector.perform(prepared)).ok
    assert await look(world, prepared) is None
    assert await world.connector.probe("messaging.send", {}) is None
