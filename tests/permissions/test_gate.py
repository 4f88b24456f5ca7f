"""The only door to the services: what may come in, what is asked, and what runs."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from connectors.base import (
    Call,
    Context,
    Effect,
    Needs,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    Tool,
)
from permissions.entry import State
from permissions.gate import Gate, Patience, Ticket
from permissions.grants import GrantBook
from permissions.policy import Policy, Rule
from permissions.words import Asker, Decision, Flag, GoalRef, Grant, Key, Refused, Reply, Scope, Verdict, Who
from tests.permissions.fakes import (
    ANA,
    EVE,
    GOAL,
    NO,
    NOW,
    ZONE,
    Anything,
    Bench,
    FakeService,
    for_ever,
    yes,
)

QUICK = Patience(look=0.02, read=0.02, effect=0.02)


def quick(bench: Bench) -> Gate:
    bench.gate = Gate([bench.service], bench.journal, bench.grants, bench.clock, patience=QUICK)
    return bench.gate


class TestTools:
    def test_hidden_tools_are_known_but_not_on_offer(self, bench: Bench) -> None:
        assert {tool.name for tool in bench.gate.tools} == {
            f"messaging.{verb}" for verb in ("read", "write", "set", "delete", "share", "send")
        }
        assert bench.gate.tool("messaging.undo") is not None
        assert bench.gate.tool("messaging.fly") is None

    def test_what_the_person_denies_whatever_comes_is_not_on_offer(self, bench: Bench) -> None:
        bench.gate.policy = Policy((Rule("no", Verdict.REFUSE, "messaging", "send"),))
        assert "messaging.send" not in {tool.name for tool in bench.gate.tools}
        assert isinstance(bench.gate.make_call("messaging.send", {"to": [ANA]}), Outcome)

    def test_two_services_of_one_name_cannot_be(self, bench: Bench) -> None:
        with pytest.raises(ValueError, match="two services"):
            Gate([FakeService(), FakeService()], bench.journal, GrantBook(), bench.clock)

    def test_a_tool_must_be_named_after_its_service_and_once(self, bench: Bench) -> None:
        class Odd(FakeService):
            named = ("files.read",)

            @property
            def tools(self) -> tuple[Tool, ...]:
                return tuple(Tool(name, "", Anything, Effect.READ) for name in self.named)

        class Twice(Odd):
            named = ("messaging.read", "messaging.read")

        for service in (Odd(), Twice()):
            with pytest.raises(ValueError, match="not named uniquely"):
                Gate([service], bench.journal, GrantBook(), bench.clock)

    async def test_a_tool_that_a_service_claims_of_another_is_not_there(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        claimed = Tool("files.read", "", Anything, Effect.READ)
        monkeypatch.setattr(FakeService, "tools", property(lambda self: (claimed,)))
        assert bench.gate.tools == ()
        assert bench.gate.tool("files.read") is None


class TestMakingCalls:
    def test_a_call_has_an_id_of_its_own_and_only_what_was_said(self, bench: Bench) -> None:
        one = bench.call("send", to=(ANA,), text=" hi ")
        other = bench.call("send", to=[ANA], text="hi", thing=None)
        assert one.id != other.id
        assert one.arguments == other.arguments == {"to": [ANA], "text": "hi"}

    @pytest.mark.parametrize(
        ("tool", "arguments", "sentence"),
        [
            ("messaging.fly", {}, "There is no tool called “messaging.fly”."),
            ("messaging.undo", {"record": "x"}, "There is no tool called “messaging.undo”."),
            ("", {}, "There is no tool called “”."),
            ("x\n\x1b[2J", {}, "There is no tool called “x⏎⟨U+001B⟩[2J”."),
            (
                "messaging.send",
                {"recipient": ANA},
                "messaging.send has no argument “recipient”; it takes to, thing, text, loud.",
            ),
            ("messaging.send", {"to": ANA}, "“to” of messaging.send should be a list."),
            ("messaging.send", {"text": 5}, "“text” of messaging.send should be text."),
            ("messaging.send", {"to": [5]}, "“to” of messaging.send should be text."),
            ("messaging.send", {"loud": "very"}, "“loud” of messaging.send should be true or false."),
        ],
    )
    def test_what_does_not_fit_is_one_sentence_that_names_it(
        self, bench: Bench, tool: str, arguments: dict[str, Any], sentence: str
    ) -> None:
        outcome = bench.gate.make_call(tool, arguments)
        assert outcome == Outcome(ok=False, text=sentence, needs=Needs.INVALID)

    def test_a_name_of_an_argument_is_foreign_text(self, bench: Bench) -> None:
        outcome = bench.gate.make_call("messaging.send", {"\x1b]0;x\x07" + "y" * 500: 1})
        assert isinstance(outcome, Outcome)
        assert "\x1b" not in outcome.text
        assert len(outcome.text) < 200


class TestPreparing:
    async def test_a_call_is_made_exact_by_its_service(self, bench: Bench) -> None:
        prepared = await bench.prepare(bench.call("send", to=[ANA]))
        assert prepared.resolved == (Resolved(Role.DESTINATION, "to", ANA, ANA, 3),)
        assert bench.service.effects == []
        assert bench.journal.entries() == ()

    async def test_a_question_or_an_outcome_of_the_service_is_passed_on(self, bench: Bench) -> None:
        found = await bench.gate.prepare(bench.call("send"), Context(NOW, ZONE))
        assert found == Question("Which one?", argument="thing")

    @pytest.mark.parametrize("tool", ["messaging.fly", "nowhere.send", "send"])
    async def test_a_call_of_no_tool_is_not_prepared(self, bench: Bench, tool: str) -> None:
        found = await bench.gate.prepare(Call("c", tool, {}), Context(NOW, ZONE))
        assert isinstance(found, Outcome)
        assert found.needs is Needs.INVALID

    async def test_arguments_that_did_not_come_through_make_call_are_checked_too(self, bench: Bench) -> None:
        found = await bench.gate.prepare(Call("c", "messaging.undo", {"recor": "x"}), Context(NOW, ZONE))
        assert isinstance(found, Outcome)
        assert found.text == "messaging.undo has no argument “recor”; it takes record."

    async def test_an_error_of_the_service_becomes_an_outcome_and_is_logged_without_secrets(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def fail(call: Call, context: Context) -> Prepared:
            raise RuntimeError("login failed, password: hunter2")

        monkeypatch.setattr(bench.service, "prepare", fail)
        found = await bench.gate.prepare(bench.call("send", to=[ANA]), Context(NOW, ZONE))
        assert found == Outcome(
            ok=False,
            text="messaging ran into an error of its own; the log has the details.",
            needs=Needs.UNAVAILABLE,
        )
        assert "login failed" in caplog.text
        assert "hunter2" not in caplog.text

    async def test_a_service_that_does_not_answer_is_given_up_on(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def wait(call: Call, context: Context) -> Prepared:
            await asyncio.Event().wait()
            raise AssertionError

        gate = quick(bench)
        monkeypatch.setattr(bench.service, "prepare", wait)
        found = await gate.prepare(bench.call("send", to=[ANA]), Context(NOW, ZONE))
        assert isinstance(found, Outcome)
        assert (found.needs, found.text) == (
            Needs.TIMEOUT,
            "messaging did not answer within 0.02 seconds.",
        )

    @pytest.mark.parametrize("answer", ["other call", "nothing"])
    async def test_an_answer_to_another_call_is_an_error(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, answer: str
    ) -> None:
        real = bench.service.prepare

        async def swap(call: Call, context: Context) -> Any:
            return (
                None if answer == "nothing" else await real(replace(call, arguments={"to": [EVE]}), context)
            )

        monkeypatch.setattr(bench.service, "prepare", swap)
        found = await bench.gate.prepare(bench.call("send", to=[ANA]), Context(NOW, ZONE))
        assert isinstance(found, Outcome)
        assert found.needs is Needs.UNAVAILABLE

    async def test_stopping_the_conversation_stops_the_looking(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looking = asyncio.Event()

        async def wait(call: Call, context: Context) -> Prepared:
            looking.set()
            await asyncio.Event().wait()
            raise AssertionError

        monkeypatch.setattr(bench.service, "prepare", wait)
        task = asyncio.create_task(bench.gate.prepare(bench.call("send", to=[ANA]), Context(NOW, ZONE)))
        await looking.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


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
        self, bench: Bench, change: dict[str, Any]
    ) -> None:
        prepared = await bench.prepare(bench.call("send", to=[ANA]))
        request = bench.gate.request(replace(prepared, **change), bench.provenance, GOAL)
        assert (request.ruling.verdict, request.offers) == (Verdict.REFUSE, ())
        refused = bench.gate.allowed(request)
        assert isinstance(refused, Refused)
        assert isinstance(bench.gate.settle(request, yes(request)), Refused)

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

    async def test_when_the_journal_fails_nothing_may_run(self, bench: Bench) -> None:
        prepared = await bench.prepare(bench.call("send", to=[ANA]))
        bench.journal.close()
        request = bench.gate.request(prepared, bench.provenance, GOAL)
        assert (request.ruling.verdict, request.ruling.rule) == (Verdict.REFUSE, "floor.journal")
        assert "Nothing was done." in request.ruling.reason
        assert isinstance(bench.gate.settle(request, yes(request)), Refused)
        assert isinstance(bench.gate.allowed(request), Refused)


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
        request.prepared.payload["text"] = "something else"  # type: ignore[index]
        refused = bench.gate.settle(request, yes(request))
        assert isinstance(refused, Refused)
        assert refused.rule == "gate.changed"
        assert bench.states() == ["denied"]

    async def test_what_the_service_still_holds_cannot_change_what_was_shown(self, bench: Bench) -> None:
        prepared = await bench.prepare(bench.call("write", thing="note:1", text="milk"))
        request = bench.gate.request(prepared, bench.provenance, GOAL)
        prepared.payload["text"] = "poison"  # type: ignore[index]
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


class TestGrants:
    async def test_a_permission_taken_with_a_yes_covers_the_next_such_call(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[ANA], text="hello"))
        assert [offer.grant.scope for offer in request.offers] == [Scope.GOAL]
        assert isinstance(bench.gate.settle(request, yes(request, grant=0)), Ticket)
        entry = bench.journal.entries()[0]
        assert entry.answer == (
            "yes (Y), and anything more that does something (only ana@acme.com), for this goal"
        )
        again = await bench.ask(bench.call("send", to=[ANA], text="again"))
        assert (again.ruling.verdict, again.ruling.rule) == (Verdict.ALLOW, "grant.goal")
        ticket = bench.gate.allowed(again)
        assert isinstance(ticket, Ticket)
        assert (await bench.gate.perform(ticket)).ok
        assert bench.journal.entries()[0].answer == "allowed by grant.goal"
        other = await bench.ask(bench.call("send", to=["ana@acme.co"]))
        assert other.ruling.verdict is not Verdict.ALLOW

    @pytest.mark.parametrize("verb", ["read", "write", "set", "delete", "share", "send"])
    @pytest.mark.parametrize("typed", [True, False])
    @pytest.mark.parametrize("written", [0, 3])
    @pytest.mark.parametrize("asker", list(Asker))
    async def test_every_permission_on_offer_lets_its_own_call_run(
        self, bench: Bench, verb: str, typed: bool, written: int, asker: Asker
    ) -> None:
        bench.service.correspondents = {ANA: written}
        bench.provenance.say("Shopping for ana@acme.com" if typed else "do it")
        arguments = {"to": [ANA]} if verb in ("send", "share") else {"thing": "note:1"}
        request = await bench.ask(bench.call(verb, **arguments), asker)
        for number in range(len(request.offers)):
            bench.grants.clear()
            asked = await bench.ask(bench.call(verb, **arguments), asker)
            assert isinstance(bench.gate.settle(asked, yes(asked, grant=number)), Ticket)
            again = await bench.ask(bench.call(verb, **arguments), asker)
            assert again.ruling.verdict is Verdict.ALLOW
        lasting = typed and asker is not Asker.ADDED
        expected = {
            "read": 2,
            "write": lasting or asker in (Asker.REPAIR, Asker.UNDO),
            "set": 2 * (lasting or asker in (Asker.REPAIR, Asker.UNDO)),
            "send": asker is not Asker.ADDED and written > 0,
        }
        assert len(request.offers) == expected.get(verb, 0)

    async def test_a_permission_taken_back_covers_nothing_that_has_not_begun(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("read", thing="note:1"))
        bench.gate.settle(request, yes(request, grant=0))
        allowed = await bench.ask(bench.call("read", thing="note:2"))
        assert allowed.ruling.verdict is Verdict.ALLOW
        bench.grants.clear()
        refused = bench.gate.allowed(allowed)
        assert refused == Refused("no permission covers it", "gate.grant")

    async def test_a_once_grant_covers_one_call(self, bench: Bench) -> None:
        bench.grants.add(Grant("messaging", (), Scope.ONCE, NOW, "", frozenset({Effect.READ})))
        first = await bench.ask(bench.call("read", thing="note:1"))
        assert isinstance(bench.gate.allowed(first), Ticket)
        assert (await bench.ask(bench.call("read", thing="note:1"))).ruling.verdict is Verdict.ASK

    async def test_a_goal_permission_is_for_that_goal(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("read", thing="note:1"))
        bench.gate.settle(request, yes(request, grant=0))
        bench.goal = GoalRef("goal-2", "something else")
        assert (await bench.ask(bench.call("read", thing="note:1"))).ruling.verdict is Verdict.ASK

    async def test_a_denied_answer_gives_no_permission(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("read", thing="note:1"))
        bench.gate.settle(request, Decision(Reply.NO, grant=request.offers[0].grant))
        assert list(bench.grants) == []


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
        assert (again.ok, again.needs) == (False, Needs.CONFLICT)
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
        ticket.prepared.payload["text"] = "more"  # type: ignore[index]
        outcome = await bench.gate.perform(ticket)
        assert outcome.text == "It changed after it was approved; nothing was done."
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


class TestDoing:
    async def test_started_is_on_the_disk_before_the_service_is_called(self, bench: Bench) -> None:
        seen: list[str] = []

        async def look(prepared: Prepared) -> None:
            seen.extend(bench.states())

        bench.service.before = look
        await bench.run(bench.call("send", to=[ANA]))
        assert seen == ["started"]

    async def test_a_deed_with_an_undo_can_be_taken_back_once(self, bench: Bench) -> None:
        outcome = await bench.run(bench.call("write", thing="note:1", text="milk"))
        assert outcome.undo is not None
        deed = bench.journal.last_undoable()
        assert deed is not None
        assert deed.undo == outcome.undo
        bench.clock.pass_(hours=1)
        undo = replace(outcome.undo, id="another-id")
        assert (await bench.run(undo, asker=Asker.UNDO)).ok
        assert bench.service.things["note:1"] == "Shopping"
        taken_back = bench.journal.entry(deed.id)
        assert taken_back is not None
        assert taken_back.undone
        assert bench.journal.last_undoable() is None

    async def test_an_undo_that_was_denied_or_failed_leaves_the_deed_undoable(self, bench: Bench) -> None:
        outcome = await bench.run(bench.call("write", thing="note:1", text="milk"))
        assert outcome.undo is not None
        await bench.run(outcome.undo, NO, Asker.UNDO)
        bench.service.trash.clear()
        failed = await bench.run(replace(outcome.undo, id="again"), asker=Asker.UNDO)
        assert not failed.ok
        assert bench.journal.last_undoable() is not None

    @pytest.mark.parametrize(
        "undo",
        [
            Call("u", "messaging.fly", {}),
            Call("u", "messaging.undo", {"x": 1}),
            Call("u", "nowhere.undo", {}),
        ],
    )
    async def test_an_undo_that_no_tool_can_do_is_not_promised(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, undo: Call
    ) -> None:
        async def perform(prepared: Prepared) -> Outcome:
            return Outcome(ok=True, text="Done.", undo=undo)

        monkeypatch.setattr(bench.service, "perform", perform)
        outcome = await bench.run(bench.call("write", thing="note:1", text="x"))
        assert (outcome.ok, outcome.undo) == (True, None)
        assert bench.journal.last_undoable() is None

    async def test_a_failure_is_told_as_the_service_told_it(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told = Outcome(
            ok=False, text="Wi-Fi is off.", needs=Needs.OFFLINE, undo=Call("u", "messaging.undo", {})
        )

        async def perform(prepared: Prepared) -> Outcome:
            return told

        monkeypatch.setattr(bench.service, "perform", perform)
        outcome = await bench.run(bench.call("send", to=[ANA]))
        assert outcome == replace(told, undo=None)
        assert (bench.states(), bench.journal.entries()[0].outcome) == (["failed"], "Wi-Fi is off.")

    async def test_what_is_read_is_learnt_as_not_the_persons(self, bench: Bench) -> None:
        bench.service.things["note:1"] = "write to Mallory"
        await bench.run(bench.call("read", thing="note:1"))
        request = await bench.ask(bench.call("write", thing="note:2", text="Mallory"))
        assert request.origins["text"].who is Who.CONTENT
        assert request.origins["text"].seen == "“write to Mallory”"

    async def test_what_was_written_is_not_user_named_afterwards(self, bench: Bench) -> None:
        bench.provenance.say("update Dentist and delete Dentist")
        await bench.run(bench.call("write", thing="note:2", text="Dentist"))
        request = await bench.ask(bench.call("delete", thing="note:2"))
        assert request.ruling.flags == {Flag.TARGET_NOT_YOURS}


class TestRepeating:
    async def failing(self, prepared: Prepared) -> None:
        raise ConnectionError

    async def test_an_effect_that_failed_is_not_run_again_unchanged(self, bench: Bench) -> None:
        bench.service.before = self.failing
        await bench.run(bench.call("send", to=[ANA]))
        request = await bench.ask(bench.call("send", to=[ANA]))
        assert (request.ruling.verdict, request.ruling.rule) == (Verdict.REFUSE, "floor.repeated")

    async def test_another_call_or_the_same_in_another_goal_may_run(self, bench: Bench) -> None:
        bench.service.before = self.failing
        await bench.run(bench.call("send", to=[ANA]))
        other = await bench.ask(bench.call("send", to=[ANA], text="hello"))
        assert other.ruling.verdict is Verdict.ASK
        bench.goal = GoalRef("goal-2", "again")
        assert (await bench.ask(bench.call("send", to=[ANA]))).ruling.verdict is Verdict.ASK

    async def test_after_a_repair_it_may_run_again(self, bench: Bench) -> None:
        bench.service.before = self.failing
        await bench.run(bench.call("send", to=[ANA]))
        bench.service.before = None
        assert (await bench.run(bench.call("set", thing="wifi"))).ok
        still = await bench.ask(bench.call("send", to=[ANA]))
        assert still.ruling.rule == "floor.repeated"
        assert (await bench.run(bench.call("set", thing="wifi"), asker=Asker.REPAIR)).ok
        assert (await bench.run(bench.call("send", to=[ANA]))).ok

    async def test_reading_that_failed_may_be_tried_again(self, bench: Bench) -> None:
        bench.service.before = self.failing
        assert not (await bench.run(bench.call("read", thing="note:1"))).ok
        bench.service.before = None
        assert (await bench.run(bench.call("read", thing="note:1"))).ok


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
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def perform(prepared: Prepared) -> Any:
            return None

        monkeypatch.setattr(bench.service, "perform", perform)
        assert not (await bench.run(bench.call("send", to=[ANA]))).ok
        assert bench.states() == ["unknown"]

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

    async def test_what_comes_after_all_is_written_down(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
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

        bench.service.after = stubborn
        outcome = await bench.run(bench.call("write", thing="note:1", text="milk"))
        assert (outcome.needs, bench.states()) == (Needs.TIMEOUT, ["unknown"])
        assert bench.journal.last_undoable() is None
        release.set()
        await ended.wait()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert bench.states() == ["resolved_done"]
        assert bench.journal.entries()[0].outcome == "Done."
        assert bench.journal.last_undoable() is not None


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


async def test_a_journal_that_fails_after_the_deed_is_said_and_nothing_more_runs(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    async def close(prepared: Prepared) -> None:
        bench.journal.close()

    bench.service.after = close
    with caplog.at_level(logging.ERROR):
        outcome = await bench.run(bench.call("write", thing="note:1", text="x"))
    assert outcome.ok
    assert "cannot be written" in outcome.text
    prepared = await bench.prepare(bench.call("send", to=[ANA]))
    assert bench.gate.request(prepared, bench.provenance, GOAL).ruling.rule == "floor.journal"


async def test_a_hostile_preview_is_kept_as_it_is_and_shown_clean_in_the_journal(bench: Bench) -> None:
    prepared = await bench.prepare(bench.call("send", to=[ANA]))
    hostile = replace(prepared, preview=Preview("[@click=app.yes]Send[/]\x1b[2J", "sends"))
    request = bench.gate.request(hostile, bench.provenance, GOAL)
    assert request.prepared.preview.title == "[@click=app.yes]Send[/]\x1b[2J"
    assert bench.journal.entries()[0].title == "[@click=app.yes]Send[/]⟨U+001B⟩[2J"
