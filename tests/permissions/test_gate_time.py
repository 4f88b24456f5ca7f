"""Services that are slow, broken or late, and a person who stops: the journal holds what is known."""

import asyncio
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from connectors.base import (
    Needs,
    Outcome,
    Prepared,
)
from permissions.gate import Gate, Patience, Ticket
from tests.permissions.fakes import (
    ANA,
    Bench,
    for_ever,
    yes,
)

QUICK = Patience(look=0.02, read=0.02, effect=0.02)


def quick(bench: Bench) -> Gate:
    bench.gate = Gate([bench.service], bench.journal, bench.grants, bench.clock, patience=QUICK)
    return bench.gate


class TestTime:
    async def test_an_effect_without_an_answer_is_unknown_and_never_failed(self, bench: Bench) -> None:
        quick(bench)
        bench.service.before = for_ever
        outcome = await bench.run(bench.call("send", to=[ANA]))
        assert (outcome.ok, outcome.needs) == (False, Needs.TIMEOUT)
        assert outcome.text == (
            "messaging did not answer within 0.02 seconds."
            " It may or may not have been done; it is not tried again by itself."
        )
        assert bench.states() == ["unknown"]

    async def test_a_reading_without_an_answer_has_failed(self, bench: Bench) -> None:
        quick(bench)
        bench.service.before = for_ever
        outcome = await bench.run(bench.call("read", thing="note:1"))
        assert outcome == Outcome(
            ok=False, text="messaging did not answer within 0.02 seconds.", needs=Needs.TIMEOUT
        )
        assert bench.states() == ["failed"]

    @pytest.mark.parametrize(("verb", "quick"), [("send", "effect"), ("read", "read")])
    async def test_readings_and_effects_have_a_patience_of_their_own(
        self, bench: Bench, verb: str, quick: str
    ) -> None:
        patience = replace(Patience(look=30, read=30, effect=30), **{quick: 0.02})
        bench.gate = Gate([bench.service], bench.journal, bench.grants, bench.clock, patience=patience)
        bench.service.before = for_ever
        outcome = await bench.run(bench.call(verb, to=[ANA], thing="note:1"))
        assert outcome.needs is Needs.TIMEOUT

    @pytest.mark.parametrize(("verb", "state"), [("send", "unknown"), ("read", "failed")])
    async def test_a_timeout_that_the_service_tells_of_is_taken_alike(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, verb: str, state: str
    ) -> None:
        async def perform(prepared: Prepared) -> Outcome:
            return Outcome(ok=False, text="No answer.", needs=Needs.TIMEOUT)

        monkeypatch.setattr(bench.service, "perform", perform)
        await bench.run(bench.call(verb, to=[ANA], thing="note:1"))
        assert bench.states() == [state]

    @pytest.mark.parametrize(("verb", "state"), [("send", "unknown"), ("read", "failed")])
    async def test_an_error_of_the_service_is_an_outcome_and_is_logged(
        self, bench: Bench, caplog: pytest.LogCaptureFixture, verb: str, state: str
    ) -> None:
        async def fail(prepared: Prepared) -> None:
            raise KeyError("token=abc123")

        bench.service.after = fail
        outcome = await bench.run(bench.call(verb, to=[ANA], thing="note:1"))
        assert (outcome.ok, outcome.needs, bench.states()) == (False, Needs.UNAVAILABLE, [state])
        assert "abc123" not in outcome.text + caplog.text
        assert "KeyError" in caplog.text

    async def test_an_answer_that_is_none_is_an_error(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def perform(prepared: Prepared) -> Any:
            return None

        monkeypatch.setattr(bench.service, "perform", perform)
        with caplog.at_level(logging.ERROR):
            outcome = await bench.run(bench.call("send", to=[ANA]))
        assert (outcome.ok, outcome.needs, bench.states()) == (False, Needs.UNAVAILABLE, ["unknown"])
        assert "messaging failed:\n" in caplog.text
        assert "TypeError: a service gave no outcome" in caplog.text

    async def test_a_deed_that_says_how_far_it_came_when_told_to_stop_is_believed(self, bench: Bench) -> None:
        quick(bench)

        async def slow(prepared: Prepared) -> None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                return

        bench.service.after = slow
        outcome = await bench.run(bench.call("send", to=[ANA]))
        assert (outcome.ok, bench.states()) == (True, ["done"])

    async def late(self, bench: Bench, monkeypatch: pytest.MonkeyPatch, verb: str, *, breaks: bool) -> str:
        """A deed that ignores being stopped and ends after it was given up on; its state before that."""
        monkeypatch.setattr("permissions.deed._GRACE", 0.01)
        quick(bench)
        release, ended = asyncio.Event(), asyncio.Event()

        async def stubborn(prepared: Prepared) -> None:
            while not release.is_set():
                try:
                    await release.wait()
                except asyncio.CancelledError:
                    continue
            ended.set()
            if breaks:
                raise ConnectionError("token=abc123 broke")

        bench.service.after = stubborn
        await bench.run(bench.call(verb, thing="note:1", text="milk"))
        (before,) = bench.states()
        assert bench.journal.last_undoable() is None
        release.set()
        await ended.wait()
        for _ in range(3):
            await asyncio.sleep(0)
        return before

    async def test_what_comes_after_all_is_written_down(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert await self.late(bench, monkeypatch, "write", breaks=False) == "unknown"
        assert bench.states() == ["resolved_done"]
        assert bench.journal.entries()[0].outcome == "Done."
        assert bench.journal.last_undoable() is not None

    async def test_an_error_that_comes_after_all_is_logged_and_still_unknown(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        assert await self.late(bench, monkeypatch, "write", breaks=True) == "unknown"
        assert bench.states() == ["unknown"]
        assert "ConnectionError" in caplog.text
        assert "abc123" not in caplog.text

    async def test_a_reading_that_comes_after_all_stays_failed(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        assert await self.late(bench, monkeypatch, "read", breaks=False) == "failed"
        assert bench.states() == ["failed"]
        assert caplog.text == ""


class TestStopping:
    async def started(self, bench: Bench, verb: str) -> tuple[asyncio.Task[Outcome], asyncio.Event]:
        """A deed in the middle, and what lets it go on."""
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def wait(prepared: Prepared) -> None:
            begun.set()
            await go_on.wait()

        bench.service.before = wait
        request = await bench.ask(bench.call(verb, to=[ANA], thing="note:1"))
        ticket = bench.gate.settle(request, yes(request))
        assert isinstance(ticket, Ticket)
        task = asyncio.create_task(bench.gate.perform(ticket))
        await begun.wait()
        return task, go_on

    async def test_stopping_lets_an_effect_come_to_its_end(self, bench: Bench) -> None:
        task, go_on = await self.started(bench, "send")
        task.cancel()
        await asyncio.sleep(0)
        assert bench.states() == ["started"]
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (bench.states(), len(bench.service.effects)) == (["done"], 1)

    async def test_stopping_is_passed_on_even_if_the_effect_breaks(self, bench: Bench) -> None:
        async def fail(prepared: Prepared) -> None:
            raise ConnectionError

        bench.service.after = fail
        task, go_on = await self.started(bench, "send")
        task.cancel()
        await asyncio.sleep(0)
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert bench.states() == ["unknown"]

    async def test_stopping_twice_does_not_wait_and_claims_to_know_nothing(self, bench: Bench) -> None:
        task, _ = await self.started(bench, "send")
        for _ in range(2):
            task.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (bench.states(), bench.service.effects) == (["unknown"], [])
        assert bench.journal.entries()[0].outcome.startswith("messaging was stopped. It may or may not")

    async def test_stopping_ends_a_reading(self, bench: Bench) -> None:
        task, _ = await self.started(bench, "read")
        task.cancel()
        async with asyncio.timeout(5):
            with pytest.raises(asyncio.CancelledError):
                await task
        assert bench.states() == ["failed"]
        assert bench.journal.entries()[0].outcome == "messaging was stopped."

    async def test_stopping_before_the_start_means_that_nothing_was_done(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[ANA]))
        ticket = bench.gate.settle(request, yes(request))
        assert isinstance(ticket, Ticket)
        task = asyncio.create_task(bench.gate.perform(ticket))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (bench.states(), bench.service.effects) == (["approved"], [])

    async def test_a_loop_that_ends_leaves_the_truth_in_the_journal(self, folder: Path) -> None:
        def ended() -> Bench:
            bench = Bench(folder)

            async def main() -> None:
                await self.started(bench, "send")

            asyncio.run(main())
            return bench

        bench = await asyncio.to_thread(ended)
        assert (bench.states(), bench.service.effects) == (["unknown"], [])
        bench.journal.close()
