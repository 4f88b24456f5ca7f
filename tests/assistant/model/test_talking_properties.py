"""Whatever a model answers and services give: what is told fits, begins alike, goes on only from itself."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.model.base import Goal, Piece, Proposal, Remark, Reply, Result, Text, Turn, Wish
from assistant.model.dialects.chat import QWEN_PLAIN, ChatDialect
from assistant.model.local import LocalModel
from assistant.model.wire import Chat, Reason
from connectors.base import Call, Needs, Outcome, failed
from tests.assistant.model.puppet import SPEC, Puppet, text_of
from tests.assistant.model.tools import TOOLS

NOW = datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Europe/Copenhagen"))
CONTEXT = 6000
CALLS = (
    '<tool_call>\n{"name": "messaging.read", "arguments": {"message": "keys"}}\n</tool_call>',
    '<tool_call>\n{"name": "files.read", "arguments": {"file": "?"}}\n</tool_call>',
    "<tool_call>\n<function=settings.get>\n</function>\n</tool_call>",
    "<tool_call>{broken</tool_call>",
    "hm hm </think> Well. ",
    "A word to you. ",
    "",
)
answers = st.tuples(
    st.lists(st.sampled_from(CALLS), max_size=3).map("\n".join),
    st.sampled_from(["stop", "stop", "stop", "limit", "circle"]),
)
contents = st.sampled_from([None, "short", "words and words " * 60, "a whole book " * 3000])
goals = st.lists(
    st.tuples(st.integers(1, 200), st.lists(st.tuples(answers, contents), min_size=1, max_size=4)),
    min_size=1,
    max_size=7,
)


def turns_of(pieces: Sequence[Piece], number: int, content: str | None) -> list[Turn]:
    """What a session would make of an answer whose calls are carried out, but for those that wait."""
    text = "".join(piece.text for piece in pieces if isinstance(piece, Text))
    turns: list[Turn] = [Reply(text)] if text else []
    for at, wish in enumerate(piece for piece in pieces if isinstance(piece, Wish)):
        if "?" not in wish.arguments.values():
            call = Call(f"{number}.{at}", wish.tool, dict(wish.arguments))
            turns += [Proposal(call, answer=number), Result(call.id, Outcome(True, "Done.", content=content))]
    return turns


def over(turns: Sequence[Turn]) -> list[Turn]:
    """The turns as they are told when their goals are over."""
    return [
        Result(turn.call_id, Outcome(True, "Done.")) if isinstance(turn, Result) else turn for turn in turns
    ]


async def talk(plan: list[tuple[int, list[tuple[tuple[str, Reason], str | None]]]]) -> Puppet:
    puppet = Puppet(*[answer for _, steps in plan for answer, _ in steps], context=CONTEXT)
    model = LocalModel(SPEC, puppet, ChatDialect(lambda: NOW, QWEN_PLAIN, thinking=False))
    turns: list[Turn] = []
    number = 0
    for length, steps in plan:
        turns = [*over(turns), Goal("do it " * length)]
        for _, content in steps:
            number += 1
            pieces = [piece async for piece in model.respond(turns, TOOLS)]
            before = len(puppet.asked)
            said = [piece.text for piece in pieces if isinstance(piece, Remark)]
            told = puppet.chats[-1]
            assert before, pieces
            if "(Earlier" in str(told.messages) or "(The rest is left out" in str(told.messages):
                puppet.said.update(said)
                assert puppet.said, "nothing is left out without a word"
            new = turns_of(pieces, number, content)
            turns += new or [Result("", failed(Needs.INVALID, "What?"))]
        await model.read_ahead(over(turns), TOOLS)
    return puppet


@settings(max_examples=60, deadline=None)
@given(goals)
def test_it_holds_for_any_conversation(
    plan: list[tuple[int, list[tuple[tuple[str, Reason], str | None]]]],
) -> None:
    puppet = asyncio.run(talk(plan))
    chats = puppet.chats
    assert len(chats) == sum(len(steps) for _, steps in plan), "each was asked once"
    for chat in chats:
        assert len(text_of(chat)) // 4 <= CONTEXT
        assert (chat.tools, chat.messages[0]) == (chats[0].tools, chats[0].messages[0])
        well_formed(chat)
    for before, after in pairwise(chats):
        if after.follows:
            assert after.messages[: len(before.messages)] == before.messages
            answer, *results = after.messages[len(before.messages) :]
            assert answer["role"] == "assistant"
            calls = answer.get("tool_calls", [])
            assert isinstance(calls, list)
            assert [message["role"] for message in results] == ["tool"] * len(calls)
    number = -1
    for ahead, (_, steps) in zip(puppet.ahead, plan, strict=True):
        number += len(steps)
        if number + 1 < len(chats):
            following = chats[number + 1].messages
            kept = ahead.messages[: len(following) - 1]
            assert following[: len(kept)] == kept or "do it " * 100 in str(following[-1]["content"])


def well_formed(chat: Chat) -> None:
    """One system text, first; a goal before anything else; no two goals told as one."""
    roles = [message["role"] for message in chat.messages]
    assert roles[:2] == ["system", "user"]
    assert roles.count("system") == 1
