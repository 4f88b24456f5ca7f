"""What may come in at the gate: known tools, arguments that fit, and services that look without acting."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from connectors.base import (
    Call,
    Context,
    Effect,
    Needs,
    Outcome,
    Prepared,
    Question,
    Resolved,
    Role,
    Tool,
)
from permissions.gate import Gate, Patience
from permissions.grants import GrantBook
from permissions.policy import Policy, Rule
from permissions.words import Verdict
from tests.permissions.fakes import (
    ANA,
    EVE,
    NOW,
    ZONE,
    Anything,
    Bench,
    FakeService,
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
