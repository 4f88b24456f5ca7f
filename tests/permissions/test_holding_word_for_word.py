"""What a held send says of itself: to whoever looks on, the journal, and the service that is asked again."""

import logging
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from connectors.base import Call, Context, Needs, Outcome, Prepared, Question
from permissions.gate import Ticket
from permissions.holding import Released
from tests.permissions.fakes import ANA, NOW, ZONE, FakeService, yes
from tests.permissions.held import HoldingBench

HELLO = Call("hello", "messaging.send", {"to": [ANA], "text": "hello"})


@pytest.fixture
async def bench(folder: Path) -> AsyncIterator[HoldingBench]:
    made = HoldingBench(folder)
    yield made
    await made.gate.outbox.close()
    made.journal.close()


async def test_what_waits_says_until_when_on_both_clocks(bench: HoldingBench) -> None:
    await bench.run(HELLO)
    (held,) = bench.gate.outbox.waiting
    (entry,) = bench.journal.entries()
    assert (held.id, held.until, held.ends) == (entry.id, NOW + timedelta(seconds=30), 530.0)


@pytest.mark.parametrize("seconds", [0.5, 1])
async def test_a_short_wait_is_a_wait(folder: Path, seconds: float) -> None:
    bench = HoldingBench(folder, hold=seconds)
    assert (await bench.run(HELLO)).until == NOW + timedelta(seconds=seconds)
    assert bench.service.effects == []
    await bench.steady.pass_(seconds)
    assert bench.service.effects == [("send", "hello")]
    bench.journal.close()


async def test_whoever_looks_on_hears_of_every_change(bench: HoldingBench) -> None:
    told: list[Released | None] = []
    bench.gate.outbox.watchers.append(told.append)
    await bench.run(HELLO)
    assert told == [None]
    (held,) = bench.gate.outbox.waiting
    await bench.steady.pass_(30)
    assert told[1:] == [None, Released(held, HELLO, Outcome(ok=True, text="Done: send."))]


@pytest.mark.parametrize("all_", [False, True])
async def test_whoever_looks_on_hears_what_was_taken_back(bench: HoldingBench, all_: bool) -> None:
    await bench.run(HELLO)
    (held,) = bench.gate.outbox.waiting
    assert bench.gate.outbox.withdraw_all() == 1 if all_ else bench.gate.outbox.withdraw(held.id)
    assert bench.released == [Released(held, HELLO, None)]
    assert bench.journal.entries()[0].outcome == "Not sent: you took it back."


async def test_the_log_says_what_broke_while_somebody_looked_on(
    bench: HoldingBench, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(released: object) -> None:
        raise RuntimeError("drawing failed")

    bench.gate.outbox.watchers.append(broken)
    with caplog.at_level(logging.ERROR):
        await bench.run(HELLO)
    assert "looking on at the outbox failed:\n" in caplog.text
    assert "RuntimeError: drawing failed" in caplog.text


class Listening(FakeService):
    """Keeps the context of every look."""

    def __init__(self) -> None:
        super().__init__()
        self.contexts: list[Context] = []

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        self.contexts.append(context)
        return await super().prepare(call, context)


@pytest.mark.parametrize(
    ("now", "zone"), [(NOW, ZONE), (datetime(2026, 11, 30, 10, tzinfo=UTC), ZoneInfo("UTC"))]
)
async def test_the_look_ahead_is_made_as_of_now_where_the_person_is(
    folder: Path, now: datetime, zone: ZoneInfo
) -> None:
    bench = HoldingBench(folder)
    bench.service = listening = Listening()
    bench.clock.now = now
    bench.hold_for(30, bench.gate.outbox._outbox)
    request = await bench.ask(HELLO)
    ticket = bench.gate.settle(request, yes(request))
    assert isinstance(ticket, Ticket)
    assert (await bench.gate.perform(ticket)).until == now + timedelta(seconds=30)
    assert listening.contexts[1:] == [Context(now, zone)]
    bench.journal.close()


async def test_what_the_journal_does_not_hold_as_approved_is_not_held(bench: HoldingBench) -> None:
    request = await bench.ask(HELLO)
    ticket = bench.gate.settle(request, yes(request))
    assert isinstance(ticket, Ticket)
    with sqlite3.connect(bench.folder / "journal.db") as other:
        other.execute("UPDATE call SET hash = 'another'")
    other.close()
    outcome = await bench.gate.perform(ticket)
    assert (outcome.ok, outcome.needs) == (False, Needs.UNAVAILABLE)
    assert outcome.text.endswith(" Nothing was done.")
    await bench.steady.pass_(60)
    assert (bench.gate.outbox.waiting, bench.service.effects, bench.states()) == ((), [], ["denied"])
    assert bench.journal.entries()[0].answer == f"refused: {outcome.text}"


async def test_what_was_held_is_gone_once_it_has_gone_out(bench: HoldingBench) -> None:
    for number in range(2):
        call = replace(HELLO, id=f"hello-{number}")
        await bench.run(call)
        await bench.steady.pass_(30)
        assert bench.released[-1].call == call
    assert bench.gate.outbox.waiting == ()
    assert bench.service.effects == [("send", "hello-0"), ("send", "hello-1")]


async def test_a_question_that_is_asked_anew_is_a_hindrance_and_kept_as_one(folder: Path) -> None:
    bench = HoldingBench(folder)
    request = await bench.ask(HELLO)
    ticket = bench.gate.settle(request, yes(request))
    assert isinstance(ticket, Ticket)

    async def asks(call: Call, context: Context) -> Any:
        return Question("Which one?")

    bench.service.prepare = asks
    outcome = await bench.gate.perform(ticket)
    assert outcome.needs is Needs.CONFLICT
    (entry,) = bench.journal.entries()
    assert (entry.state.value, entry.outcome) == ("failed", outcome.text)
    bench.journal.close()
