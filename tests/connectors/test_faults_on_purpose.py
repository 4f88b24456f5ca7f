"""A service with faults put in: it fails as told, as often as told, and says what it has done."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from connectors.base import Call, Context, Effect, Needs, Outcome, Prepared, Preview, Tool, ToolArguments
from connectors.faulty import Fault, FaultKind, FaultyConnector

ZONE = ZoneInfo("Europe/Copenhagen")
CONTEXT = Context(datetime(2026, 11, 30, 10, tzinfo=ZONE), ZONE)


class Bell:
    """A service that rings."""

    name = "bell"
    tools = (Tool("bell.ring", "ring", ToolArguments, Effect.WRITE),)

    def __init__(self) -> None:
        self.rung = 0

    async def prepare(self, call: Call, context: Context) -> Prepared:
        return Prepared(call, frozenset({Effect.WRITE}), (), {}, Preview("Ring", "rings"), "basis")

    async def perform(self, prepared: Prepared) -> Outcome:
        self.rung += 1
        return Outcome(True, "Rung.")


async def ring(connector: FaultyConnector) -> Outcome:
    prepared = await connector.prepare(Call("1", "bell.ring", {}), CONTEXT)
    assert isinstance(prepared, Prepared)
    return await connector.perform(prepared)


async def test_without_faults_it_is_the_service_behind_it() -> None:
    bell = Bell()
    connector = FaultyConnector(bell)
    assert (connector.name, connector.tools) == (bell.name, bell.tools)
    assert (await ring(connector)).ok
    assert [prepared.call.tool for prepared in connector.done] == ["bell.ring"]


async def test_it_refuses_twice_and_then_does_it() -> None:
    bell = Bell()
    fault = Fault("bell.ring", FaultKind.REFUSES, 2, Needs.OFFLINE, "No line.")
    connector = FaultyConnector(bell, [fault])
    outcomes = [await ring(connector) for _ in range(3)]
    assert [(outcome.ok, outcome.needs) for outcome in outcomes] == [
        (False, Needs.OFFLINE),
        (False, Needs.OFFLINE),
        (True, None),
    ]
    assert bell.rung == len(connector.done) == 1


@pytest.mark.parametrize(("kind", "rung"), [(FaultKind.BREAKS, 0), (FaultKind.BREAKS_AFTER, 1)])
async def test_it_breaks_before_or_after_the_deed(kind: FaultKind, rung: int) -> None:
    bell = Bell()
    connector = FaultyConnector(bell, [Fault("bell.ring", kind)])
    with pytest.raises(RuntimeError, match="on purpose"):
        await ring(connector)
    assert bell.rung == len(connector.done) == rung


async def test_the_world_moves_once_before_the_deed() -> None:
    bell, moves = Bell(), []
    fault = Fault("bell.ring", FaultKind.WORLD_MOVES, move=lambda: moves.append(bell.rung))
    connector = FaultyConnector(bell, [fault])
    await ring(connector)
    await ring(connector)
    assert moves == [0]


async def test_a_fault_of_another_tool_does_not_strike() -> None:
    assert (await ring(FaultyConnector(Bell(), [Fault("bell.mend", FaultKind.BREAKS)]))).ok
