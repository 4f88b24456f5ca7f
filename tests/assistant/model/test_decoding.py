"""Answers to chats, decoded by toy models: reasoning is closed, circles end, calls are whole."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.model.base import Cut, Garbled, Piece, Text, Thought, Wish
from assistant.model.dialects.reading import CallReader
from assistant.model.dialects.schema import tool_schemas
from assistant.model.host.engine import Engine
from assistant.model.shapes import call_shapes
from assistant.model.spec import DialectName, ModelSpec
from assistant.model.wire import Chat, Closed, Ended, Event, Form, Generate, Said, Sampling
from connectors.settings.tools import TOOLS as SETTINGS

# As toys are as likely to say one thing as another, so is every place of an answer reached.
CHANCE = Sampling(temperature=3.0, top_k=300)
GET = tuple(tool for tool in SETTINGS if tool.name == "settings.get")
HELLO = {"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello there"}


@pytest.fixture
async def engine(toy_qwen: Path) -> AsyncIterator[Engine]:
    engine = Engine(ModelSpec("toy", "Toy", toy_qwen, DialectName.QWEN, context=4096))
    yield engine
    await engine.close()


def chat(*, thinking: bool) -> Chat:
    return Chat(HELLO, tool_schemas(GET)[:1], thinking)


async def events(engine: Engine, request: Generate) -> list[Event]:
    return [event async for event in engine.generate(request)]


def said(heard: list[Event]) -> str:
    return "".join(event.text for event in heard if isinstance(event, Said))


def end(heard: list[Event]) -> Ended:
    assert isinstance(heard[-1], Ended)
    return heard[-1]


async def test_long_reasoning_is_closed_and_the_answer_goes_on(engine: Engine) -> None:
    request = Generate(0, chat(thinking=True), 40, CHANCE, seed=3, thoughts=10)
    heard = await events(engine, request)
    closed = heard.index(Closed(end(heard).id, "long"))
    marks = [event.text for event in heard[closed:] if isinstance(event, Said) and event.mark]
    assert marks[0] == "</think>"
    assert said(heard[closed:]).startswith("\n</think>\n\n")
    assert len(said(heard[closed:])) > len("\n</think>\n\n")
    assert end(heard) == Ended(end(heard).id, "limit", 40)


async def test_reasoning_is_closed_after_just_so_many_tokens(engine: Engine) -> None:
    counts = []
    for thoughts in (1, 10, 25):
        short = Generate(0, chat(thinking=True), thoughts, CHANCE, seed=3, thoughts=thoughts)
        longer = replace(short, most_tokens=thoughts + 1)
        counts.append([sum(isinstance(e, Closed) for e in await events(engine, r)) for r in (short, longer)])
    assert counts == [[0, 1]] * 3


async def test_what_comes_after_closed_reasoning_is_as_if_the_model_had_closed_it(engine: Engine) -> None:
    prompt = "a <think>\n"  # one of those at which the toy does not just repeat one sign
    heard = await events(engine, Generate(0, prompt, 17, thoughts=3))
    closed = next(at for at, event in enumerate(heard) if isinstance(event, Closed))
    thought = said(heard[:closed])
    assert thought.isascii()
    again = await events(engine, Generate(0, f"{prompt}{thought}\n</think>\n\n", 10))
    assert len(set(said(again))) > 3
    assert said(heard[closed:]) == "\n</think>\n\n" + said(again)


async def test_an_answer_that_goes_round_in_a_circle_is_ended(engine: Engine) -> None:
    heard = await events(engine, Generate(0, chat(thinking=False), 3000, Sampling()))
    assert end(heard).reason == "circle"
    assert 160 < end(heard).tokens < 3000


async def test_reasoning_that_goes_round_in_a_circle_is_closed(engine: Engine) -> None:
    heard = await events(engine, Generate(0, chat(thinking=True), 3000, Sampling()))
    assert [event.why for event in heard if isinstance(event, Closed)] == ["circle"]
    assert end(heard).reason in ("circle", "stop")


async def test_a_bare_prompt_is_gone_on_with_even_in_circles(engine: Engine) -> None:
    heard = await events(engine, Generate(0, "hello there", 700, Sampling()))
    assert end(heard) == Ended(end(heard).id, "limit", 700)


def pieces(heard: list[Event]) -> list[Piece]:
    reader = CallReader(SETTINGS, thinking=False)
    read = [p for event in heard if isinstance(event, Said) for p in reader.feed(event.text, event.mark)]
    return read + reader.end(end(heard).reason)


@pytest.mark.parametrize("form", ["xml", "json"])
async def test_whatever_a_toy_says_its_calls_are_whole(engine: Engine, form: Form) -> None:
    """A toy says anything; what it begins as a call is one, though it knows nothing of tools."""
    wishes: list[Piece] = []
    shapes = call_shapes(tool_schemas(SETTINGS)[:1])
    for seed in range(12):
        request = Generate(0, "go", 400, CHANCE, shapes, seed=seed, form=form)
        heard = await events(engine, request)
        calls = said(heard).count("<tool_call>") - (end(heard).reason != "stop")
        found = [piece for piece in pieces(heard) if not isinstance(piece, Text | Thought | Cut)]
        # It may also begin to reason and end in the middle of that.
        found = [piece for piece in found if not (isinstance(piece, Garbled) and not piece.raw)]
        assert len(found) >= calls
        wishes += found
    assert wishes
    assert all(isinstance(wish, Wish) and wish.tool == "settings.get" for wish in wishes)
    assert any(isinstance(wish, Wish) and wish.arguments for wish in wishes)


async def test_a_call_cut_by_a_limit_is_no_wish(engine: Engine) -> None:
    shapes = call_shapes(tool_schemas(SETTINGS)[:1])
    whole = 0
    for limit in range(5, 160, 9):
        heard = await events(engine, Generate(0, "go", limit, CHANCE, shapes, seed=2, form="xml"))
        read = pieces(heard)
        wishes = sum(isinstance(piece, Wish) for piece in read)
        assert wishes == said(heard).count("</tool_call>")
        assert (Cut in map(type, read)) == (end(heard).reason == "limit")
        whole += wishes
    assert whole


async def test_cancelled_in_the_middle_of_a_call_it_ends_at_once_and_can_go_on(engine: Engine) -> None:
    shapes = call_shapes(tool_schemas(SETTINGS))
    request = Generate(0, "go", 4000, CHANCE, shapes, seed=1, form="json")

    async def hear() -> None:
        async with aclosing(engine.generate(request)) as heard:
            async for event in heard:
                if isinstance(event, Said):
                    return

    await asyncio.wait_for(hear(), 20)
    again = await events(engine, replace(request, most_tokens=5))
    assert end(again).tokens <= 20
