"""What is asked of a model with a chat template, request after request, and what the person is told of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

import pytest

from assistant.model.base import (
    Cut,
    Goal,
    Loading,
    Piece,
    Proposal,
    Remark,
    Reply,
    Result,
    Text,
    Thought,
    Turn,
    Wish,
)
from assistant.model.dialects.chat import MOST_THOUGHTS, QWEN_PLAIN, ChatDialect
from assistant.model.dialects.thread import WAITING
from assistant.model.local import LocalModel
from assistant.model.talking import CHOOSING
from assistant.model.wire import Chat, Closed, Ended, Said
from connectors.base import Call, Effect, Outcome, Tool, ToolArguments
from tests.assistant.model.puppet import SPEC, Puppet, spoken
from tests.assistant.model.tools import TOOLS

NOW = datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Europe/Copenhagen"))
FIND = '<tool_call>\n{"name": "messaging.find_contact", "arguments": {"name": "Ana"}}\n</tool_call>'
SEND = '<tool_call>\n{"name": "messaging.send", "arguments": {"to": ["?"], "body": "late"}}\n</tool_call>'
GOAL = Goal("tell Ana that I am late")
FOUND = Call("1", "messaging.find_contact", {"name": "Ana"})


def model(puppet: Puppet, *, thinking: bool = False) -> LocalModel:
    ticks = count()
    clock = lambda: NOW + timedelta(minutes=next(ticks))  # noqa: E731
    return LocalModel(SPEC, puppet, ChatDialect(clock, QWEN_PLAIN, thinking=thinking))


async def heard(model: LocalModel, *turns: Turn, tools: Sequence[Tool] = TOOLS) -> list[Piece]:
    return [piece async for piece in model.respond(turns, tools)]


def outcome(text: str = "One contact.") -> Result:
    return Result("1", Outcome(True, text))


class TestFollowing:
    async def test_results_alone_are_added_to_what_the_model_said(self) -> None:
        puppet = Puppet(f"I look.\n\n{FIND}\n{SEND}", "")
        talk = model(puppet)
        await heard(talk, GOAL)
        await heard(talk, GOAL, Reply("I look."), Proposal(FOUND), outcome())
        first, second = puppet.chats
        assert (first.follows, second.follows) == (False, True)
        assert second.messages[: len(first.messages)] == first.messages
        answer, found, waiting = second.messages[len(first.messages) :]
        assert answer["content"] == "I look."
        assert str(answer["tool_calls"]).count("'name': 'messaging.") == 2
        assert (found["content"], waiting["content"]) == ("One contact.", WAITING)

    async def test_a_third_request_goes_on_from_the_second(self) -> None:
        again = FIND.replace("Ana", "Bo")
        puppet = Puppet(FIND, again, "")
        talk = model(puppet)
        turns: list[Turn] = [GOAL]
        for number, name in enumerate(["Ana", "Bo"], start=1):
            await heard(talk, *turns)
            turns += [
                Proposal(Call(str(number), "messaging.find_contact", {"name": name})),
                Result(str(number), Outcome(True, "One.")),
            ]
        await heard(talk, *turns)
        assert [chat.follows for chat in puppet.chats] == [False, True, True]
        assert puppet.chats[2].messages[: len(puppet.chats[1].messages)] == puppet.chats[1].messages

    async def test_a_process_that_was_started_again_has_said_nothing(self) -> None:
        puppet = Puppet(FIND, "")
        talk = model(puppet)
        await heard(talk, GOAL)
        puppet.life += 1
        await heard(talk, GOAL, Proposal(FOUND), outcome())
        assert [chat.follows for chat in puppet.chats] == [False, False]

    async def test_nor_is_an_answer_gone_on_from_that_was_cut(self) -> None:
        puppet = Puppet((FIND, "limit"), "")
        talk = model(puppet)
        await heard(talk, GOAL)
        await heard(talk, GOAL, Proposal(FOUND), outcome())
        assert not puppet.chats[1].follows

    async def test_nor_with_other_tools_or_another_goal(self) -> None:
        puppet = Puppet(FIND, "", "")
        talk = model(puppet)
        await heard(talk, GOAL)
        await heard(talk, GOAL, Proposal(FOUND), outcome(), tools=TOOLS[:-1])
        await heard(talk, GOAL, Proposal(FOUND), outcome(), Goal("and Bo"))
        assert not any(chat.follows for chat in puppet.chats)


class TestSpace:
    async def test_a_result_that_is_too_long_is_shortened_and_said_to_be(self) -> None:
        puppet = Puppet(FIND, "")
        talk = model(puppet)
        await heard(talk, GOAL)
        long = Result("1", Outcome(True, "It says:", content="word " * 8000))
        (notice,) = await heard(talk, GOAL, Proposal(FOUND), long)
        assert isinstance(notice, Remark)
        told = str(puppet.chats[1].messages[-1]["content"])
        assert told.splitlines()[-1].startswith("(The rest is left out: ")
        words = 8010 - int(told.splitlines()[-1].split()[5])
        assert notice.text == (
            "What was read is longer than the model can take in:"
            f" it is told the first {words:,} of 8,010 words."
        )
        assert puppet.chats[1].follows, "what the model said stands"
        assert await heard(talk, GOAL, Proposal(FOUND), long) == [], "it is said once"

    async def test_of_a_long_conversation_the_oldest_goals_are_told_in_short_and_that_is_said(self) -> None:
        puppet = Puppet()
        talk, turns, notices = model(puppet), list[Turn](), list[str]()
        for number in range(40):
            turns.append(Goal(f"find contact {number} " + "and so on " * 40))
            notices += [piece.text for piece in await heard(talk, *turns) if isinstance(piece, Remark)]
            turns.append(Reply("I do not know any contact of that name. " * 5))
        assert 1 < len(notices) < 12
        assert "in this conversation only in short" in notices[-1]
        system, first, *_ = puppet.chats[-1].messages
        assert str(first["content"]).startswith("(Earlier, in short:\n- and ")
        assert system["role"] == "system"
        lengths = [len(chat.messages) for chat in puppet.chats]
        assert max(lengths) < 40

    async def test_thoughts_that_leave_no_room_for_the_next_answer_are_given_up(self) -> None:
        for words, follows in ((100, True), (7000, False)):
            puppet = Puppet("hm " * words + "</think>\n\n" + FIND, "", tail="<think>\n")
            talk = model(puppet, thinking=True)
            await heard(talk, GOAL)
            await heard(talk, GOAL, Proposal(FOUND), outcome())
            assert puppet.chats[1].follows is follows
            assert "One contact." in str(puppet.chats[1].messages)

    async def test_a_new_conversation_is_told_in_full_again(self) -> None:
        puppet = Puppet()
        talk = model(puppet)
        for _ in range(2):
            goals = [Goal(f"find {number} " + "and so on " * 200) for number in range(12)]
            notices = [piece for piece in await heard(talk, *goals) if isinstance(piece, Remark)]
            assert len(notices) == 1

    async def test_a_goal_that_does_not_fit_is_said_not_to(self) -> None:
        puppet = Puppet(context=4096)
        few = [tool for tool in TOOLS if tool.name.startswith("settings.")]
        pieces = await heard(model(puppet), Goal("word " * 9000), tools=few)
        assert pieces == [Cut("This is longer than Puppet can read at once.")]
        assert puppet.asked == []

    async def test_a_prompt_that_was_measured_too_short_is_made_shorter(self) -> None:
        class Wrong(Puppet):
            async def count(self, prompts: Sequence[str | Chat]) -> tuple[int, ...]:
                return tuple(max(tokens // 8, 1) for tokens in await super().count(prompts))

        puppet = Wrong("Yes.", context=8192)
        long = Result("1", Outcome(True, "It says:", content="word " * 9000))
        pieces = await heard(model(puppet), GOAL, Proposal(FOUND), long)
        assert len(puppet.asked) == 2
        assert isinstance(pieces[-1], Cut | Text)


class TestAhead:
    async def test_what_is_read_ahead_is_what_the_next_request_begins_with(self) -> None:
        puppet = Puppet("")
        talk = model(puppet)
        await talk.warm_up(TOOLS)
        await heard(talk, GOAL)
        over = (GOAL, Proposal(FOUND), outcome("Done."))
        await talk.read_ahead(over, TOOLS)
        await heard(talk, *over, Goal("and Bo"))
        warm, ahead = puppet.ahead
        for chat in (*puppet.chats, ahead):
            assert chat.tools == warm.tools
            assert chat.messages[:1] == warm.messages
        assert puppet.chats[1].messages[:-1] == ahead.messages
        assert "and Bo" in str(puppet.chats[1].messages[-1])

    async def test_nobody_waits_for_a_model_that_does_not_answer(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Stuck(Puppet):
            async def count(self, prompts: Sequence[str | Chat]) -> tuple[int, ...]:
                await asyncio.Event().wait()
                return ()

        monkeypatch.setattr("assistant.model.local._PATIENCE", 0.01)
        puppet = Stuck()
        await model(puppet).warm_up(TOOLS)
        assert puppet.ahead == []

    async def test_reading_ahead_says_nothing_of_when_goals_were_given_that_nobody_gave(self) -> None:
        puppet = Puppet("")
        talk = model(puppet)
        old = Goal("yesterday's")
        await talk.read_ahead((old, Reply("Done.")), TOOLS)
        await heard(talk, old, Reply("Done."), GOAL)
        assert puppet.ahead[0].messages == puppet.chats[0].messages[:-1]
        assert puppet.ahead[0].messages[1]["content"] == "yesterday's"


class TestThinking:
    async def test_how_long_it_may_think_is_always_said(self) -> None:
        puppet = Puppet("hm</think>\n\nYes.", tail="<think>\n")
        pieces = await heard(model(puppet, thinking=True), GOAL)
        assert pieces == [Thought("hm"), Text("Yes.")]
        assert puppet.asked[0].thoughts == MOST_THOUGHTS
        assert puppet.chats[0].thinking is True
        plain = Puppet("Yes.")
        await heard(model(plain), GOAL)
        assert 0 < plain.asked[0].thoughts < 32, "a template may open the reasoning whatever it is told"
        assert plain.chats[0].thinking is False

    async def test_that_reasoning_was_cut_short_is_said(self) -> None:
        for why, words in (("long", "too long"), ("circle", "round in a circle")):
            events = [*spoken("hm hm"), Closed(1, why), *spoken("\n</think>\n\nYes."), Ended(1, "stop", 9)]
            pieces = await heard(model(Puppet(events, tail="<think>\n"), thinking=True), GOAL)
            assert pieces[0] == Thought("hm hm")
            assert isinstance(pieces[1], Remark)
            assert words in pieces[1].text
            assert pieces[2] == Text("Yes.")

    async def test_that_it_reasoned_although_it_was_not_to_is_said(self) -> None:
        events = [*spoken("<think>hm"), Closed(1, "long"), *spoken("</think>Yes."), Ended(1, "stop", 9)]
        pieces = await heard(model(Puppet(events)), GOAL)
        notice = Remark("The model began to reason although it was told not to, and was stopped.")
        assert pieces == [Thought("hm"), notice, Text("Yes.")]

    async def test_nothing_in_thoughts_is_a_call_even_when_they_were_closed(self) -> None:
        events = [Said(1, f"hm {FIND}"), Closed(1, "long"), *spoken(FIND), Ended(1, "stop", 9)]
        pieces = await heard(model(Puppet(events, tail="<think>\n"), thinking=True), GOAL)
        assert [piece for piece in pieces if isinstance(piece, Wish)] == [
            Wish("messaging.find_contact", {"name": "Ana"})
        ]

    async def test_which_service_is_needed_is_said_without_thinking(self) -> None:
        puppet = Puppet(choose("messaging"), FIND)
        await heard(model(puppet, thinking=True), GOAL, tools=MANY)
        assert [chat.thinking for chat in puppet.chats] == [False, True]
        first, second = puppet.asked
        assert first.thoughts < 32
        assert first.most_tokens < second.most_tokens

    @pytest.mark.parametrize(
        ("thinking", "tail", "heeded"),
        [
            (True, "assistant\n<think>\n", True),
            (False, "<think>\n\n</think>\n\n", True),
            (True, "assistant\n", True),  # such a model opens its reasoning itself
            (False, "assistant\n<think>\n", False),
            (True, "<think>\n\n</think>\n\n", False),
        ],
    )
    async def test_a_template_that_does_not_heed_it_is_noted(
        self, thinking: bool, tail: str, heeded: bool, caplog: pytest.LogCaptureFixture
    ) -> None:
        pieces = await heard(model(Puppet("hm", tail=tail), thinking=thinking), GOAL)
        assert isinstance(pieces[0], Thought) == tail.endswith("<think>\n")
        assert ("does not heed" not in caplog.text) is heeded


class Nothing(ToolArguments):
    pass


OTHERS = [
    Tool(f"service{number}.do_{verb}", f"do {verb}", Nothing, Effect.WRITE)
    for number in range(5)
    for verb in "abcdefghij"
]
MANY = (*TOOLS, *OTHERS)


def choose(name: str) -> str:
    return f'<tool_call>\n{{"name": "choose_service", "arguments": {{"service": "{name}"}}}}\n</tool_call>'


def names(chat: Chat) -> list[str]:
    return [str(tool["function"]["name"]) for tool in chat.tools]


class TestChoosing:
    async def test_first_the_service_is_chosen_then_its_tools_are_told_of(self) -> None:
        puppet = Puppet(choose("messaging"), FIND)
        pieces = await heard(model(puppet), GOAL, tools=MANY)
        assert pieces == [Loading(CHOOSING), Wish("messaging.find_contact", {"name": "Ana"})]
        first, second = puppet.chats
        assert names(first) == ["choose_service", "ask_user"]
        assert {name.partition(".")[0] for name in names(second)} == {
            "messaging",
            "choose_service",
            "ask_user",
        }
        assert len([name for name in names(second) if name.startswith("messaging.")]) == 8

    async def test_a_wrong_service_can_be_left_once(self) -> None:
        puppet = Puppet(choose("files"), choose("messaging"), FIND)
        pieces = await heard(model(puppet), GOAL, tools=MANY)
        assert pieces[-1] == Wish("messaging.find_contact", {"name": "Ana"})
        assert "choose_service" not in names(puppet.chats[2])

    async def test_a_model_that_only_ever_chooses_comes_to_an_end(self) -> None:
        puppet = Puppet(*[choose("files"), choose("messaging")] * 9)
        pieces = await heard(model(puppet), GOAL, tools=MANY)
        assert len(puppet.asked) == 3
        assert not any(isinstance(piece, Wish) for piece in pieces)

    async def test_within_a_goal_the_service_stays_chosen_and_its_words_stand(self) -> None:
        puppet = Puppet(choose("messaging"), FIND, "")
        talk = model(puppet)
        await heard(talk, GOAL, tools=MANY)
        await heard(talk, GOAL, Proposal(FOUND), outcome(), tools=MANY)
        assert len(puppet.asked) == 3
        assert puppet.chats[2].tools == puppet.chats[1].tools
        assert puppet.chats[2].follows

    async def test_the_next_goal_chooses_anew(self) -> None:
        puppet = Puppet(choose("messaging"), FIND, choose("files"), "")
        talk = model(puppet)
        await heard(talk, GOAL, tools=MANY)
        await heard(talk, GOAL, Reply("x"), Goal("read my notes"), tools=MANY)
        assert names(puppet.chats[2]) == ["choose_service", "ask_user"]

    async def test_what_it_says_instead_of_choosing_is_said(self) -> None:
        pieces = await heard(model(Puppet("None of these can do that.")), GOAL, tools=MANY)
        assert pieces == [Loading(CHOOSING), Text("None of these can do that.")]

    async def test_the_choice_is_read_ahead(self) -> None:
        puppet = Puppet(choose("messaging"), FIND)
        talk = model(puppet)
        await talk.warm_up(MANY)
        await heard(talk, GOAL, tools=MANY)
        assert puppet.ahead[0].tools == puppet.chats[0].tools


async def test_the_beginning_is_the_same_bytes_whatever_the_goal_the_clock_and_the_order() -> None:
    puppet = Puppet("", "", "")
    one, other = model(puppet), model(puppet)
    await heard(one, GOAL)
    await heard(other, Goal("x"), tools=TOOLS[::-1])
    await heard(one, GOAL, Reply("Done."), Goal("y"), tools=sorted(TOOLS, key=lambda tool: tool.summary))
    beginnings = {repr((chat.tools, chat.messages[0])) for chat in puppet.chats}
    assert len(beginnings) == 1
    assert "2026" not in beginnings.pop()
    assert replace(GOAL).text in str(puppet.chats[0].messages)
