"""What a conversation costs: only what is new in it is read, and the answers stay those of a fresh model."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assistant.model.child.template import Template
from assistant.model.host.engine import Engine
from tests.assistant.model.chats import ask, ask_afresh, ask_to_the_end, chat, spec
from tests.assistant.model.toy import QWEN_TEMPLATE

GOALS = ("mail Ana that I am late", "book a table", "what is on today", "undo that", "thanks, and tomorrow?")


@pytest.fixture(params=["toy_qwen", "toy_llama"])
def toy(request: pytest.FixtureRequest) -> Path:
    """Each rule holds for hybrid memories and for plain ones."""
    path = request.getfixturevalue(request.param)
    assert isinstance(path, Path)
    return path


@pytest.fixture
async def engine(toy: Path) -> AsyncIterator[Engine]:
    engine = Engine(spec(toy))
    yield engine
    await engine.close()


async def length(engine: Engine, text: str) -> int:
    (tokens,) = await engine.count([text])
    return tokens


def turn(goal: str) -> str:
    """What a new goal adds to a prompt."""
    return f"<|im_start|>user\n{goal}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"


async def test_of_a_second_conversation_only_the_goal_is_read(engine: Engine, toy: Path) -> None:
    await ask(engine, chat(GOALS[0]))
    second = await ask(engine, chat(GOALS[1]))
    assert second.opened.tokens > 500
    assert second.evaluated <= await length(engine, turn(GOALS[1]))
    assert second.text == (await ask_afresh(toy, chat(GOALS[1]))).text


async def test_of_a_later_turn_the_last_answer_and_the_goal_are_read(engine: Engine, toy: Path) -> None:
    said: list[str] = []
    for goal in GOALS:
        answer = await ask(engine, chat(*said, goal))
        said += [goal, "It is done."]
    new = await length(engine, f"<|im_start|>assistant\nIt is done.<|im_end|>\n{turn(GOALS[4])}")
    assert answer.evaluated <= new
    assert answer.text == (await ask_afresh(toy, chat(*said[:-1]))).text


async def test_of_the_fifth_turn_only_the_goal_is_read_if_it_was_read_ahead(
    engine: Engine, toy: Path
) -> None:
    said: list[str] = []
    for goal in GOALS:
        await engine.prepare(chat(*said))
        await engine.prepared()
        answer = await ask(engine, chat(*said, goal))
        said += [goal, "It is done."]
    assert answer.evaluated <= await length(engine, turn(GOALS[4]))
    assert answer.text == (await ask_afresh(toy, chat(*said[:-1]))).text


async def test_an_answer_stands_token_for_token_for_the_step_that_follows(engine: Engine, toy: Path) -> None:
    first = await ask_to_the_end(engine, chat(GOALS[0]))
    told = chat(GOALS[0], "what the dialect makes of it", "=All went well.", follows=True)
    second = await ask(engine, told)
    result = "<|im_end|>\n" + turn("<tool_response>\n=All went well.\n</tool_response>")
    assert second.evaluated == await length(engine, result)
    prompt = Template(QWEN_TEMPLATE, "", "").render(chat(GOALS[0])) + first.text + result
    afresh = await ask_afresh(toy, prompt)
    assert afresh.opened.tokens == second.opened.tokens
    assert afresh.text == second.text


async def test_another_answer_than_the_last_is_not_followed(engine: Engine, toy: Path) -> None:
    await ask_to_the_end(engine, chat(GOALS[0]))
    told = chat(GOALS[1], "Another.", "=All went well.", follows=True)
    answer = await ask(engine, told)
    afresh = await ask_afresh(toy, told)
    assert (answer.text, answer.opened.tokens) == (afresh.text, afresh.opened.tokens)


async def test_an_answer_that_was_cut_off_is_not_followed(engine: Engine, toy: Path) -> None:
    await ask(engine, chat(GOALS[0]), 5)
    told = chat(GOALS[0], "As it was cut.", "=All went well.", follows=True)
    answer = await ask(engine, told)
    afresh = await ask_afresh(toy, told)
    assert (answer.text, answer.opened.tokens) == (afresh.text, afresh.opened.tokens)


async def test_an_answer_stands_only_until_something_else_is_asked(engine: Engine, toy: Path) -> None:
    await ask_to_the_end(engine, chat(GOALS[0]))
    await ask(engine, chat(GOALS[1]))
    told = chat(GOALS[0], "As the dialect says.", "=All went well.", follows=True)
    answer = await ask(engine, told)
    afresh = await ask_afresh(toy, told)
    assert (answer.text, answer.opened.tokens) == (afresh.text, afresh.opened.tokens)


async def test_an_answer_stands_whatever_was_read_ahead_meanwhile(engine: Engine, toy: Path) -> None:
    first = await ask_to_the_end(engine, chat(GOALS[0]))
    await engine.prepare(chat(GOALS[1], "It is done."))
    await engine.prepared()
    answer = await ask(engine, chat(GOALS[0], "As the dialect says.", "=All went well.", follows=True))
    result = "<|im_end|>\n" + turn("<tool_response>\n=All went well.\n</tool_response>")
    prompt = Template(QWEN_TEMPLATE, "", "").render(chat(GOALS[0])) + first.text + result
    afresh = await ask_afresh(toy, prompt)
    assert (answer.text, answer.opened.tokens) == (afresh.text, afresh.opened.tokens)


async def test_what_is_read_already_is_not_read_ahead_again(engine: Engine) -> None:
    await ask(engine, chat(GOALS[0]))
    for ahead in (chat(), chat(GOALS[0]), chat()):
        await engine.prepare(ahead)
        await engine.prepared()
    second = await ask(engine, chat(GOALS[0], "It is done.", GOALS[1]))
    between = f"<|im_start|>assistant\nIt is done.<|im_end|>\n{turn(GOALS[1])}"
    assert second.evaluated <= await length(engine, between)


async def test_reading_ahead_gives_way_to_a_request_and_what_was_read_is_kept(
    engine: Engine, toy: Path
) -> None:
    told = ["please " * 300, "It is done."]
    await engine.load()
    await engine.prepare(chat(*told))
    answer = await ask(engine, chat(*told, GOALS[1]))
    again = await ask(engine, chat(*told, GOALS[1]))
    assert answer.evaluated > 500, "it waited for all that was read ahead"
    assert again.evaluated <= await length(engine, turn(GOALS[1]))
    assert answer.text == again.text == (await ask_afresh(toy, chat(*told, GOALS[1]))).text


async def test_before_any_goal_the_tools_are_read_ahead(engine: Engine) -> None:
    await engine.load()
    await engine.prepare(chat())
    await engine.prepared()
    first = await ask(engine, chat(GOALS[0]))
    assert first.opened.tokens > 500
    assert first.evaluated <= await length(engine, turn(GOALS[0]))
