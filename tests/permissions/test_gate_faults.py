"""Whatever fails, and whenever: at most one effect a call, and what is said equals what the journal holds."""

import asyncio
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Call, Context, Needs, Outcome, Prepared, Question, failed
from permissions.entry import State
from permissions.gate import Gate, Patience
from permissions.holding import Released
from permissions.journal import Journal
from permissions.outbox import Outbox
from permissions.words import Decision, Refused, Reply
from tests.permissions.fakes import ANA, GOAL, NOW, ZONE, Bench, FakeService, yes
from tests.permissions.held import Instantly

DAY = (
    Call("read", "messaging.read", {"thing": "note:1"}),
    Call("write", "messaging.write", {"thing": "note:1", "text": "milk"}),
    Call("send", "messaging.send", {"to": [ANA], "text": "hello"}),
)


class FaultyService(FakeService):
    """Fails at its Nth call, in one way."""

    def __init__(self, nth: int, kind: str) -> None:
        super().__init__()
        self._left = nth
        self._kind = kind

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        await self._maybe_fail("before")
        return await super().prepare(call, context)

    async def perform(self, prepared: Prepared) -> Outcome:
        if fails := await self._maybe_fail("before"):
            return fails
        outcome = await super().perform(prepared)
        return await self._maybe_fail("after") or outcome

    async def _maybe_fail(self, where: str) -> Outcome | None:
        if where == "before":
            self._left -= 1
        if self._left != 0 or not self._kind.startswith(where):
            return None
        match self._kind.removeprefix(where).strip():
            case "error":
                raise OSError("the connection broke")
            case "hang":
                await asyncio.Event().wait()
            case "timeout":
                return failed(Needs.TIMEOUT, "It did not answer.")
        return failed(Needs.OFFLINE, "There is no network.")


def check(bench: Bench, told: dict[str, Outcome]) -> None:
    """One effect a call at most; the journal is true; what was told equals it."""
    assert bench.journal.verify() == ()
    happened = Counter(call_id for _, call_id in bench.service.effects)
    assert set(happened.values()) <= {1}
    entries = {entry.call_id: entry for entry in bench.journal.entries()}
    for call_id in happened:
        reads = call_id == "read"
        assert entries[call_id].state in {State.DONE, State.UNKNOWN} | ({State.FAILED} if reads else set())
    for call_id, outcome in told.items():
        state = entries[call_id].state if call_id in entries else None
        assert outcome.ok == (state is State.DONE), (call_id, outcome, state)
        assert state is not State.DONE or call_id in happened


async def live(bench: Bench) -> dict[str, Outcome]:
    """One day, as the conversation would live it; what was told of every call."""
    told, ended = {}, list[Released]()
    bench.gate.outbox.watchers.append(lambda released: ended.append(released) if released else None)
    for call in DAY:
        prepared = await bench.gate.prepare(call, Context(bench.clock(), ZONE))
        if not isinstance(prepared, Prepared):
            assert isinstance(prepared, Outcome)
            told[call.id] = prepared
            continue
        request = bench.gate.request(prepared, bench.provenance, GOAL)
        ticket = bench.gate.settle(request, yes(request))
        refused = isinstance(ticket, Refused)
        told[call.id] = Outcome(False, ticket.reason) if refused else await bench.gate.perform(ticket)
        await bench.gate.outbox.settled()
    return told | {released.call.id: released.outcome for released in ended if released.outcome}


@pytest.mark.parametrize(
    "kind", ["before error", "before hang", "before offline", "before timeout", "after error", "after hang"]
)
@pytest.mark.parametrize("nth", range(1, 2 * len(DAY) + 1))
async def test_the_service_fails_at_any_call_in_any_way(folder: Path, nth: int, kind: str) -> None:
    patience = Patience(look=0.02, read=0.02, effect=0.02)
    bench = Bench(folder, service=FaultyService(nth, kind), patience=patience)
    check(bench, await live(bench))
    bench.journal.close()


class FaultyConnection:
    """A connection to the journal that fails at its Nth statement, once or from then on."""

    def __init__(self, real: sqlite3.Connection, nth: int, *, lasting: bool) -> None:
        self._real = real
        self._left = nth
        self._lasting = lasting

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        self._left -= 1
        if self._left == 0 or (self._lasting and self._left < 0):
            raise sqlite3.OperationalError("disk I/O error")
        return self._real.execute(statement, *values)

    @property
    def in_transaction(self) -> bool:
        return self._real.in_transaction

    @property
    def spent(self) -> bool:
        return self._left <= 0

    def close(self) -> None:
        self._real.close()


def holding(folder: Path, hold: float) -> Bench:
    """A bench that holds what is sent, on a clock that does not wait."""
    clock, patience = Instantly(), Patience(hold=hold)
    bench = Bench(folder, patience=patience)
    outbox = Outbox(clock, clock.pause)
    bench.gate = Gate(
        [bench.service], bench.journal, bench.grants, bench.clock, patience=patience, outbox=outbox
    )
    return bench


@pytest.mark.parametrize("hold", [0, 30])
@pytest.mark.parametrize("lasting", [False, True])
async def test_the_disk_fails_at_any_statement(folder: Path, lasting: bool, hold: float) -> None:
    for nth in range(1, 1000):
        here = folder / str(nth)
        here.mkdir()
        bench = holding(here, hold)
        faulty = FaultyConnection(bench.journal._database._open, nth, lasting=lasting)
        bench.journal._database._open = faulty
        told = await live(bench)
        bench.journal.close()
        check_after_restart(bench, here, told)
        if not faulty.spent:
            break
    assert nth > 40


def check_after_restart(bench: Bench, folder: Path, told: dict[str, Outcome]) -> None:
    journal = Journal(folder / "journal.db", lambda: NOW)
    journal.unfinished()
    assert journal.verify() == ()
    entries = {entry.call_id: entry for entry in journal.entries()}
    happened = [call_id for _, call_id in bench.service.effects]
    assert len(set(happened)) == len(happened)
    for call_id in happened:
        assert entries[call_id].state in (State.DONE, State.UNKNOWN)
    for call_id, outcome in told.items():
        state = entries[call_id].state if call_id in entries else None
        assert outcome.ok == (call_id in happened)
        if outcome.ok and state is not State.DONE:
            assert "The journal" in outcome.text
        if not outcome.ok:
            assert state is not State.DONE
    journal.close()


@pytest.mark.parametrize("hold", [0, 30])
async def test_the_disk_is_full_at_any_moment(folder: Path, hold: float) -> None:
    full = 0
    for pages in range(40):
        here = folder / str(pages)
        here.mkdir()
        bench = holding(here, hold)
        connection = bench.journal._database._open
        used = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {used + pages}")
        told = await live(bench)
        full += any("the disk is full" in outcome.text for outcome in told.values())
        bench.journal.close()
        check_after_restart(bench, here, told)
        if len(bench.service.effects) == len(DAY):
            break
    assert full > 1


async def test_a_person_who_denies_everything_sees_nothing_happen(bench: Bench) -> None:
    for call in DAY:
        assert not (await bench.run(call, Decision(Reply.NO))).ok
    assert bench.service.effects == []
    assert set(bench.states()) == {"denied"}
