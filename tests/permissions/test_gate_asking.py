"""The question put to a person carries all of the call, and what cannot be asked is refused."""

from dataclasses import replace
from typing import Any

import pytest

from connectors.base import (
    Call,
    Effect,
    Preview,
)
from permissions.entry import State
from permissions.policy import Policy, Rule
from permissions.words import Asker, Flag, GoalRef, Key, Refused, Request, Ruling, Verdict, Who
from tests.permissions.fakes import (
    ANA,
    GOAL,
    Bench,
    yes,
)


class TestAsking:
    async def test_a_request_carries_all_that_a_person_needs(self, bench: Bench) -> None:
        prepared = await bench.prepare(bench.call("send", to=[ANA], text="hello"))
        request = bench.gate.request(prepared, bench.provenance, GOAL, Asker.ADDED, 2, 3)
        assert request.prepared == prepared
        assert request.origins["to"].who is Who.YOU
        assert [origin.who for origin in request.traced] == [Who.YOU, Who.YOU]
        assert (request.ruling.verdict, request.ruling.key) == (Verdict.ASK, Key.CAPITAL)
        assert request.ruling.flags == {Flag.NOT_IN_PLAN}
        assert (request.asker, request.step, request.steps) == (Asker.ADDED, 2, 3)
        (entry,) = bench.journal.entries()
        assert (entry.id, entry.state, entry.rule) == (request.id, State.PLANNED, "ask.default")

    async def test_a_call_never_does_less_than_its_tool_says(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        prepared = await bench.prepare(bench.call("send", to=[ANA]))
        request = bench.gate.request(
            replace(prepared, effects=frozenset({Effect.READ})), bench.provenance, GOAL
        )
        assert request.prepared.effects == {Effect.READ, Effect.SEND}
        assert request.ruling.key is Key.CAPITAL

    @pytest.mark.parametrize(
        "change",
        [
            {"payload": {"x": float("nan")}},
            {"payload": {"x": "\ud800"}},
            {"payload": {"x": object()}},
            {"payload": None},
            {"preview": None},
            {"call": Call("c", "messaging.fly", {})},
            {"call": Call("\ud800", "messaging.send", {})},
        ],
    )
    async def test_a_call_that_has_no_exact_form_is_refused(
        self, bench: Bench, change: dict[str, Any], caplog: pytest.LogCaptureFixture
    ) -> None:
        prepared = await bench.prepare(bench.call("send", to=[ANA]))
        changed = replace(prepared, **change)
        request = bench.gate.request(changed, bench.provenance, GOAL, Asker.ADDED, 1, 2)
        ruling = Ruling(Verdict.REFUSE, "floor.unreadable", "this call cannot be judged")
        assert request == Request(request.id, changed, ruling, {}, (), Asker.ADDED, 1, 2)
        assert "judging a call failed:\n" in caplog.text
        refused = bench.gate.allowed(request)
        assert isinstance(refused, Refused)
        assert isinstance(bench.gate.settle(request, yes(request)), Refused)

    async def test_what_only_provenance_can_see_reaches_the_ruling(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[ANA], text="see https://evil.example/x"))
        assert Flag.LINK_NOT_YOURS in request.ruling.flags
        bench.service.correspondents = {}
        resembling = await bench.ask(bench.call("send", to=["ana@acme.con"]))
        assert Flag.LOOKALIKE in resembling.ruling.flags
        assert resembling.ruling.word == "acme.con"

    async def test_the_arguments_of_repairs_and_undos_are_not_the_models(self, bench: Bench) -> None:
        for asker in (Asker.REPAIR, Asker.UNDO):
            request = await bench.ask(bench.call("set", thing="wifi"), asker)
            assert request.origins["thing"].who is Who.CONFIG
            assert request.ruling.flags == frozenset()
        planned = await bench.ask(bench.call("set", thing="wifi"))
        assert planned.origins["thing"].who is Who.MODEL

    async def test_a_refusal_is_journaled_and_cannot_be_answered(self, bench: Bench) -> None:
        bench.gate.policy = Policy((Rule("quiet", Verdict.REFUSE, effect=Effect.SEND),))
        call = Call("call-9", "messaging.send", {"to": [ANA]})
        request = await bench.ask(call)
        assert request.ruling.rule == "user.deny:quiet"
        (entry,) = bench.journal.entries()
        assert (entry.state, entry.answer) == (State.DENIED, "refused: your rule “quiet” says no")
        assert bench.gate.allowed(request) == Refused("your rule “quiet” says no", "user.deny:quiet")
        assert isinstance(bench.gate.settle(request, yes(request)), Refused)
        assert bench.service.effects == []

    async def test_what_cannot_be_written_down_is_refused(self, bench: Bench) -> None:
        bench.goal = GoalRef("\ud800", "a goal whose id has no exact form")
        request = await bench.ask(bench.call("send", to=[ANA]))
        assert (request.ruling.rule, request.ruling.reason) == ("floor.journal", "this call cannot be kept")
        assert isinstance(bench.gate.settle(request, yes(request)), Refused)

    async def test_when_the_journal_fails_nothing_may_run(
        self, bench: Bench, caplog: pytest.LogCaptureFixture
    ) -> None:
        prepared = await bench.prepare(bench.call("send", to=[ANA]))
        bench.journal.close()
        request = bench.gate.request(prepared, bench.provenance, GOAL)
        assert (request.ruling.verdict, request.ruling.rule) == (Verdict.REFUSE, "floor.journal")
        assert "Nothing was done." in request.ruling.reason
        assert "a call of messaging.send could not be written down: The journal " in caplog.text
        assert isinstance(bench.gate.settle(request, yes(request)), Refused)
        assert isinstance(bench.gate.allowed(request), Refused)


async def test_a_hostile_preview_is_kept_as_it_is_and_shown_clean_in_the_journal(bench: Bench) -> None:
    prepared = await bench.prepare(bench.call("send", to=[ANA]))
    hostile = replace(prepared, preview=Preview("[@click=app.yes]Send[/]\x1b[2J", "sends"))
    request = bench.gate.request(hostile, bench.provenance, GOAL)
    assert request.prepared.preview.title == "[@click=app.yes]Send[/]\x1b[2J"
    assert bench.journal.entries()[0].title == "[@click=app.yes]Send[/]⟨U+001B⟩[2J"
