"""An approval is good once, for a short time, for exactly what was approved."""

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from connectors.base import (
    Needs,
    Outcome,
)
from permissions.gate import Ticket
from permissions.words import Refused
from tests.permissions.fakes import (
    ANA,
    NO,
    Bench,
    yes,
)


class TestTickets:
    async def approved(self, bench: Bench, **arguments: Any) -> Ticket:
        request = await bench.ask(bench.call("send", **(arguments or {"to": [ANA]})))
        ticket = bench.gate.settle(request, yes(request))
        assert isinstance(ticket, Ticket)
        return ticket

    async def test_a_ticket_is_good_once(self, bench: Bench) -> None:
        ticket = await self.approved(bench)
        assert (await bench.gate.perform(ticket)).ok
        again = await bench.gate.perform(ticket)
        used = "This approval has been used or was never given; nothing was done."
        assert again == Outcome(ok=False, text=used, needs=Needs.CONFLICT)
        assert len(bench.service.effects) == 1

    async def test_a_ticket_is_good_once_even_at_the_same_moment(self, bench: Bench) -> None:
        ticket = await self.approved(bench)
        outcomes = await asyncio.gather(*(bench.gate.perform(ticket) for _ in range(5)))
        assert sorted(outcome.ok for outcome in outcomes) == [False] * 4 + [True]
        assert len(bench.service.effects) == 1

    @pytest.mark.parametrize(("later", "runs"), [(119, True), (120, False), (-1, False), (86400, False)])
    async def test_a_ticket_lives_two_minutes(self, bench: Bench, later: int, runs: bool) -> None:
        ticket = await self.approved(bench)
        bench.clock.now += timedelta(seconds=later)
        outcome = await bench.gate.perform(ticket)
        assert outcome.ok is runs
        assert bench.states() == ["done" if runs else "expired"]
        assert len(bench.service.effects) == runs

    async def test_an_approval_that_is_too_old_is_said_so(self, bench: Bench) -> None:
        ticket = await self.approved(bench)
        bench.clock.pass_(minutes=3)
        old = "The approval is too old; nothing was done."
        assert await bench.gate.perform(ticket) == Outcome(ok=False, text=old, needs=Needs.CONFLICT)

    async def test_time_before_the_answer_does_not_count(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[ANA]))
        bench.clock.pass_(hours=5)
        ticket = bench.gate.settle(request, yes(request))
        assert isinstance(ticket, Ticket)
        assert (await bench.gate.perform(ticket)).ok

    @pytest.mark.parametrize(
        "forge",
        [
            lambda ticket: replace(ticket),
            lambda ticket: replace(ticket, expires=ticket.expires + timedelta(days=1)),
            lambda ticket: replace(ticket, id="another"),
        ],
    )
    async def test_a_ticket_that_the_gate_did_not_make_is_none(
        self, bench: Bench, forge: Callable[[Ticket], Ticket]
    ) -> None:
        ticket = await self.approved(bench)
        assert not (await bench.gate.perform(forge(ticket))).ok
        assert bench.service.effects == []
        assert (await bench.gate.perform(ticket)).ok

    async def test_approving_one_call_approves_none_of_its_twins(self, bench: Bench) -> None:
        one = await self.approved(bench)
        twin = await bench.ask(bench.call("send", to=[ANA]))
        assert isinstance(bench.gate.settle(twin, NO), Refused)
        swapped = replace(one, id=twin.id)
        assert not (await bench.gate.perform(swapped)).ok
        assert bench.service.effects == []

    async def test_a_journal_that_tells_of_another_approval_stops_the_call(self, bench: Bench) -> None:
        ticket = await self.approved(bench)
        with sqlite3.connect(bench.folder / "journal.db") as other:
            other.execute("UPDATE call SET hash = 'another'")
        other.close()
        outcome = await bench.gate.perform(ticket)
        assert (outcome.ok, outcome.needs) == (False, Needs.UNAVAILABLE)
        assert outcome.text.endswith("Nothing was done.")
        assert bench.service.effects == []

    async def test_one_and_the_same_call_runs_once_however_often_it_is_approved(self, bench: Bench) -> None:
        call = bench.call("send", to=[ANA])
        assert (await bench.run(call)).ok
        again = await bench.run(call)
        assert again == Outcome(
            ok=False,
            text="This very call has already been carried out or begun. Nothing was done.",
            needs=Needs.UNAVAILABLE,
        )
        assert bench.states() == ["denied", "done"]
        assert bench.journal.entries()[0].answer.startswith("refused: This very call")
        assert len(bench.service.effects) == 1

    async def test_a_change_after_the_approval_voids_it(self, bench: Bench) -> None:
        ticket = await self.approved(bench)
        ticket.prepared.payload["text"] = "more"
        outcome = await bench.gate.perform(ticket)
        assert outcome.text == "It changed after it was approved; nothing was done."
        assert bench.journal.entries()[0].answer == "refused: it changed after it was approved"
        assert bench.service.effects == []
        assert bench.states() == ["denied"]

    async def test_what_moved_in_the_world_since_is_not_touched(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("write", thing="note:1", text="new"))
        bench.service.things["note:1"] = "changed meanwhile"
        ticket = bench.gate.settle(request, yes(request))
        assert isinstance(ticket, Ticket)
        outcome = await bench.gate.perform(ticket)
        assert (outcome.ok, outcome.needs) == (False, Needs.CONFLICT)
        assert bench.service.things["note:1"] == "changed meanwhile"
        assert bench.states() == ["failed"]
