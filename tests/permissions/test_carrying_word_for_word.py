"""What is known of a call that was carried out stands in the journal and the log, and nothing beyond."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Call, Needs, Outcome, Prepared, failed
from permissions.gate import Gate, Patience, Ticket
from permissions.journal import JournalError
from tests.permissions.fakes import ANA, Bench, for_ever, yes
from tests.permissions.held import ripples
from tests.permissions.test_probing import DONE, NOT, SEND, cut, seeing

QUICK = Patience(look=0.02, read=0.02, effect=0.02)
BROKEN = "The journal cannot be written: the disk is full."


async def allowed(bench: Bench, call: Call) -> Ticket:
    request = await bench.ask(call)
    ticket = bench.gate.settle(request, yes(request))
    assert isinstance(ticket, Ticket)
    return ticket


def full(*given: Any, **named: Any) -> Any:
    raise JournalError(BROKEN)


async def test_what_the_journal_does_not_hold_as_approved_does_not_begin(bench: Bench) -> None:
    ticket = await allowed(bench, SEND)
    with sqlite3.connect(bench.folder / "journal.db") as other:
        other.execute("UPDATE call SET hash = 'another'")
    other.close()
    outcome = await bench.gate.perform(ticket)
    assert outcome == failed(
        Needs.UNAVAILABLE,
        "The call is not in a state from which it could be started. Nothing was done.",
    )
    assert (bench.service.effects, bench.states()) == ([], ["denied"])
    assert bench.journal.entries()[0].answer == f"refused: {outcome.text}"


@pytest.mark.parametrize("verb", ["send", "read"])
async def test_what_cannot_be_written_down_does_not_begin_even_if_that_cannot_be_either(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, verb: str
) -> None:
    ticket = await allowed(bench, bench.call(verb, to=[ANA], thing="note:1"))
    monkeypatch.setattr(bench.journal, "started", full)
    monkeypatch.setattr(bench.journal, "denied", full)
    with caplog.at_level(logging.ERROR):
        outcome = await bench.gate.perform(ticket)
    assert outcome == failed(Needs.UNAVAILABLE, f"{BROKEN} Nothing was done.")
    assert (bench.service.effects, bench.states()) == ([], ["approved"])
    assert [record.message for record in caplog.records] == ["the journal could not be written"]
    assert BROKEN in caplog.text


async def test_an_end_that_cannot_be_written_down_is_told_with_the_outcome(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ticket = await allowed(bench, SEND)
    monkeypatch.setattr(bench.journal, "finished", full)
    with caplog.at_level(logging.ERROR):
        outcome = await bench.gate.perform(ticket)
    assert outcome == Outcome(ok=True, text=f"Done: send. {BROKEN}")
    assert [record.message for record in caplog.records] == [
        f"the end of call {ticket.id} could not be written down: {BROKEN}"
    ]


@pytest.mark.parametrize(("verb", "durable"), [("send", True), ("write", True), ("read", False)])
async def test_the_beginning_and_the_end_of_an_effect_are_on_the_disk_and_those_of_a_look_need_not_be(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, verb: str, durable: bool
) -> None:
    seen: list[object] = []

    def watching(real: Callable[..., None]) -> Callable[..., None]:
        def write(*given: Any, **named: Any) -> None:
            seen.append(named["durable"])
            real(*given, **named)

        return write

    for step in ("started", "finished"):
        monkeypatch.setattr(bench.journal, step, watching(getattr(bench.journal, step)))
    await bench.run(bench.call(verb, to=[ANA], thing="note:1", text="x"))
    assert seen == [durable, durable]


@pytest.mark.parametrize("found", [DONE, NOT])
async def test_what_a_look_told_is_kept_in_its_words(folder: Path, found: Outcome) -> None:
    bench = seeing(folder, found)
    bench.service.after = cut
    await bench.run(SEND)
    assert bench.journal.entries()[0].outcome == found.text
    bench.journal.close()


async def test_a_look_that_fails_is_in_the_log(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    bench = seeing(folder, LookupError("no such folder"))
    bench.service.after = cut
    with caplog.at_level(logging.ERROR):
        await bench.run(SEND)
    _, look = caplog.records
    assert look.message.startswith("messaging failed:\n")
    assert "LookupError: no such folder" in look.message
    bench.journal.close()


class TestAfterAll:
    """A deed that ignores being stopped ends once it was given up on."""

    async def ended(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, end: Any, verb: str = "send"
    ) -> None:
        """Let it end as told: an outcome, an error, or nonsense."""
        monkeypatch.setattr("permissions.deed._GRACE", 0.01)
        bench.gate = Gate([bench.service], bench.journal, bench.grants, bench.clock, patience=QUICK)
        release = asyncio.Event()

        async def stubborn(prepared: Prepared) -> Any:
            while not release.is_set():
                try:
                    await release.wait()
                except asyncio.CancelledError:
                    continue
            if isinstance(end, BaseException):
                raise end
            return end

        monkeypatch.setattr(bench.service, "perform", stubborn)
        self.wrong: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: self.wrong.append(context))
        await bench.run(bench.call(verb, to=[ANA], thing="note:1"))
        release.set()
        await ripples()
        assert self.wrong == []

    async def test_that_it_failed_is_known_then_and_nothing_of_it_can_be_taken_back(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        undo = Call("u", "messaging.undo", {"record": "r"})
        end = Outcome(ok=False, text="The server said no.", needs=Needs.OFFLINE, undo=undo)
        await self.ended(bench, monkeypatch, end)
        (entry,) = bench.journal.entries()
        assert (entry.state.value, entry.outcome, entry.undo) == ("resolved_not", "The server said no.", None)

    async def test_that_it_was_done_is_known_with_the_way_to_take_it_back(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        undo = Call("u", "messaging.undo", {"record": "r"})
        await self.ended(bench, monkeypatch, Outcome(ok=True, text="Sent.", needs=Needs.TIMEOUT, undo=undo))
        (entry,) = bench.journal.entries()
        assert (entry.state.value, entry.outcome) == ("resolved_done", "Sent.")
        assert entry.undo is not None
        assert (entry.undo.tool, entry.undo.arguments) == (undo.tool, undo.arguments)

    @pytest.mark.parametrize("end", [failed(Needs.TIMEOUT, "No answer."), "Sent.", None])
    async def test_what_tells_nothing_leaves_it_unknown(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, end: Any
    ) -> None:
        await self.ended(bench, monkeypatch, end)
        (entry,) = bench.journal.entries()
        assert entry.state.value == "unknown"
        assert entry.outcome.startswith("messaging did not answer within 0.02 seconds.")

    async def test_an_error_is_in_the_log(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.ERROR):
            await self.ended(bench, monkeypatch, ConnectionError("cut"))
        assert bench.states() == ["unknown"]
        (record,) = caplog.records
        assert record.message.startswith("a service failed:\n")
        assert record.message.rstrip().endswith("ConnectionError: cut")

    @pytest.mark.parametrize("end", [Outcome(ok=True, text="Here."), failed(Needs.TIMEOUT, "No.")])
    async def test_a_look_stays_failed_and_nothing_is_tried_with_it(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, end: Outcome
    ) -> None:
        await self.ended(bench, monkeypatch, end, verb="read")
        assert (bench.states(), caplog.records) == (["failed"], [])

    async def test_what_a_look_told_meanwhile_stays(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        bench = seeing(folder, DONE)
        await self.ended(bench, monkeypatch, failed(Needs.OFFLINE, "No."), verb="send")
        (entry,) = bench.journal.entries()
        assert (entry.state.value, entry.outcome) == ("resolved_done", DONE.text)
        assert caplog.records == []
        bench.journal.close()


async def test_a_call_that_is_too_much_for_the_journal_is_refused_without_its_details(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chokes(*given: Any) -> None:
        raise ValueError("token=abc123")

    monkeypatch.setattr(bench.journal, "planned", chokes)
    request = await bench.ask(SEND)
    assert (request.ruling.rule, request.ruling.reason) == ("floor.journal", "this call cannot be kept")


async def test_an_effect_that_hangs_is_looked_for_like_one_that_broke(folder: Path) -> None:
    bench = seeing(folder, NOT)
    bench.service.before = for_ever
    assert await bench.run(SEND) == NOT
    assert bench.states() == ["resolved_not"]
    bench.journal.close()
