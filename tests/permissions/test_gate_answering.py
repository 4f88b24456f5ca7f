"""Only the right yes to the very question that was asked lets a call run."""

from dataclasses import replace

import pytest

from connectors.base import (
    Effect,
    Needs,
)
from permissions.gate import Ticket
from permissions.policy import Policy, Rule
from permissions.words import Decision, Grant, Key, Refused, Reply, Scope, Verdict
from tests.permissions.fakes import (
    ANA,
    EVE,
    GOAL,
    NO,
    NOW,
    Bench,
    yes,
)


class TestAnswering:
    async def test_a_yes_runs_the_call_and_a_no_does_not(self, bench: Bench) -> None:
        call = bench.call("send", to=[ANA])
        assert (await bench.run(call)).ok
        assert bench.service.effects == [("send", call.id)]
        denied = await bench.run(bench.call("send", to=[ANA]), NO)
        assert denied.text == "too late"
        assert len(bench.service.effects) == 1
        assert bench.states() == ["denied", "done"]
        assert [entry.answer for entry in bench.journal.entries()] == ["no: too late", "yes (Y)"]

    @pytest.mark.parametrize(
        ("decision", "answer"),
        [
            (Decision(Reply.NO), "no"),
            (Decision(Reply.STOP), "no: the goal was stopped"),
            (Decision(Reply.EDIT, edited={"to": [EVE]}), "changed before it was answered"),
            (Decision(Reply.YES, key=Key.SMALL), "refused: this needs another key"),
            (
                Decision(Reply.YES, grant=Grant("messaging", (), Scope.SESSION, NOW)),
                "refused: a permission was taken that was not on offer",
            ),
        ],
    )
    async def test_anything_but_the_right_yes_is_a_no(
        self, bench: Bench, decision: Decision, answer: str
    ) -> None:
        request = await bench.ask(bench.call("send", to=[ANA]))
        assert isinstance(bench.gate.settle(request, decision), Refused)
        assert bench.states() == ["denied"]
        assert bench.journal.entries()[0].answer == answer
        assert list(bench.grants) == []
        assert isinstance(bench.gate.settle(request, yes(request)), Refused)

    @pytest.mark.parametrize(
        ("typed", "key", "runs"),
        [
            ("evil.example", Key.TYPED, True),
            (" Evil.Example ", Key.TYPED, True),
            ("evil.example", None, True),
            ("", Key.TYPED, False),
            ("evil", Key.TYPED, False),
            ("evil.example.org", Key.TYPED, False),
            ("evil.example", Key.CAPITAL, False),
        ],
    )
    async def test_a_danger_needs_its_own_word(
        self, bench: Bench, typed: str, key: Key | None, runs: bool
    ) -> None:
        request = await bench.ask(bench.call("send", to=[EVE]))
        assert request.ruling.verdict is Verdict.ASK_TYPED
        found = bench.gate.settle(request, Decision(Reply.YES, typed=typed, key=key))
        assert isinstance(found, Ticket) is runs

    async def test_the_words_of_two_dangers_may_be_typed_with_any_space_between(self, bench: Bench) -> None:
        call = bench.call("send", to=[EVE, "mallory@bad.example"])
        request = await bench.ask(call)
        assert request.ruling.word == "evil.example bad.example"
        typed = Decision(Reply.YES, typed=" evil.example   BAD.example")
        assert isinstance(bench.gate.settle(request, typed), Ticket)
        again = await bench.ask(call)
        joined = Decision(Reply.YES, typed="evil.examplebad.example")
        assert isinstance(bench.gate.settle(again, joined), Refused)

    async def test_a_refusal_says_why_and_by_what(self, bench: Bench) -> None:
        for decision, refused in (
            (Decision(Reply.NO), Refused("you said no", "gate.person")),
            (Decision(Reply.NO, reason="too late"), Refused("too late", "gate.person")),
            (Decision(Reply.YES, key=Key.SMALL), Refused("this needs another key", "gate.answer")),
        ):
            request = await bench.ask(bench.call("send", to=[ANA]))
            assert bench.gate.settle(request, decision) == refused
        changed = await bench.ask(bench.call("send", to=[ANA]))
        changed.prepared.payload["text"] = "something else"
        why = "it, the plan, or a rule about it, changed after it was shown"
        assert bench.gate.settle(changed, yes(changed)) == Refused(why, "gate.changed")
        assert bench.journal.entries()[0].answer == f"refused: {why}"

    async def test_a_yes_that_cannot_be_written_down_does_not_count(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[ANA]))
        bench.journal.close()
        refused = bench.gate.settle(request, yes(request))
        assert isinstance(refused, Refused)
        assert refused.rule == "floor.journal"
        assert refused.reason.startswith("The journal ")
        assert refused.reason.endswith(" Nothing was done.")

    async def test_what_was_typed_is_in_the_journal(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[EVE]))
        assert isinstance(bench.gate.settle(request, yes(request)), Ticket)
        assert bench.journal.entries()[0].answer == "yes (typed “evil.example”)"

    async def test_a_heavier_key_than_asked_for_counts(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("read", thing="note:1"))
        assert isinstance(bench.gate.settle(request, Decision(Reply.YES, key=Key.CAPITAL)), Ticket)

    async def test_a_question_is_answered_once(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[ANA]))
        assert isinstance(bench.gate.settle(request, yes(request)), Ticket)
        again = bench.gate.settle(request, yes(request))
        assert again == Refused("this question is not open any more", "gate.not_open")
        no_after_yes = bench.gate.settle(request, NO)
        assert isinstance(no_after_yes, Refused)
        assert bench.states() == ["approved"]

    async def test_a_copy_of_a_question_is_not_the_question(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[EVE]))
        easier = replace(request, ruling=replace(request.ruling, key=Key.SMALL, word=""))
        assert isinstance(bench.gate.settle(easier, yes(easier)), Refused)
        assert isinstance(bench.gate.allowed(replace(request)), Refused)

    async def test_what_was_only_asked_is_not_allowed(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[ANA]))
        assert isinstance(bench.gate.allowed(request), Refused)
        assert bench.states() == ["denied"]

    async def test_a_change_after_it_was_shown_is_a_no(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[ANA]))
        request.prepared.payload["text"] = "something else"
        refused = bench.gate.settle(request, yes(request))
        assert isinstance(refused, Refused)
        assert refused.rule == "gate.changed"
        assert bench.states() == ["denied"]

    async def test_what_the_service_still_holds_cannot_change_what_was_shown(self, bench: Bench) -> None:
        prepared = await bench.prepare(bench.call("write", thing="note:1", text="milk"))
        request = bench.gate.request(prepared, bench.provenance, GOAL)
        prepared.payload["text"] = "poison"
        ticket = bench.gate.settle(request, yes(request))
        assert isinstance(ticket, Ticket)
        assert (await bench.gate.perform(ticket)).ok
        assert bench.service.things["note:1"] == "milk"

    async def test_a_new_rule_voids_a_question_and_an_approval(self, bench: Bench) -> None:
        first = await bench.ask(bench.call("send", to=[ANA]))
        second = await bench.ask(bench.call("send", to=[ANA]))
        ticket = bench.gate.settle(first, yes(first))
        assert isinstance(ticket, Ticket)
        bench.gate.policy = Policy((Rule("quiet", Verdict.REFUSE, effect=Effect.SEND),))
        assert isinstance(bench.gate.settle(second, yes(second)), Refused)
        outcome = await bench.gate.perform(ticket)
        assert (outcome.ok, outcome.needs) == (False, Needs.CONFLICT)
        assert bench.service.effects == []
        assert bench.states() == ["denied", "denied"]
