"""The model's process with toy models: loads, answers, is cancelled, dies, comes back."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from assistant.model.base import ModelLost, ModelUnusable
from assistant.model.host.engine import Engine, spare_threads
from assistant.model.spec import DialectName, ModelSpec
from assistant.model.wire import Ended, Generate, Opened, Read, Said, Sampling

LONG = "the cat sat on the mat and " * 300


def spec(path: Path, context: int = 4096) -> ModelSpec:
    return ModelSpec("toy", "Toy", path, DialectName.QWEN, context=context)


@pytest.fixture
async def engine(toy_llama: Path) -> AsyncIterator[Engine]:
    engine = Engine(spec(toy_llama))
    yield engine
    await engine.close()


@pytest.fixture
async def hybrid(toy_qwen: Path) -> AsyncIterator[Engine]:
    engine = Engine(spec(toy_qwen))
    yield engine
    await engine.close()


async def answer(engine: Engine, prompt: str, most: int = 20) -> tuple[str, Opened, Ended]:
    text, opened, ended = "", None, None
    async for event in engine.generate(Generate(0, prompt, most)):
        match event:
            case Opened():
                opened = event
            case Said():
                text += event.text
            case Ended():
                ended = event
    assert opened
    assert ended
    return text, opened, ended


async def until(engine: Engine, request: Generate, stop: Callable[[object], bool]) -> None:
    """Begin an answer and leave it at the first event that is wanted."""
    async with aclosing(engine.generate(request)) as events:
        async for event in events:
            if stop(event):
                return
    pytest.fail("the event did not come")


async def test_an_answer_streams_and_ends_at_its_limit(engine: Engine) -> None:
    text, opened, ended = await answer(engine, "hello there")
    assert ended.reason == "limit"
    assert ended.tokens == 20
    assert text
    assert opened.tokens == len("hello there") - 2  # "he" is one token, all else are bytes
    assert opened.tail == "hello there"


async def test_the_same_prompt_gives_the_same_answer_whatever_was_asked_between(engine: Engine) -> None:
    first, *_ = await answer(engine, LONG[:200])
    await answer(engine, LONG[:180] + "something else")
    again, opened, _ = await answer(engine, LONG[:200])
    assert opened.reused > 100
    assert again == first


async def test_a_hybrid_model_reuses_what_is_extended_and_reads_all_else_anew(hybrid: Engine) -> None:
    text, *_ = await answer(hybrid, LONG[:200], most=1)
    _, longer, _ = await answer(hybrid, LONG[:400])
    _, other, _ = await answer(hybrid, LONG[:100] + "something else")
    assert text is not None
    assert longer.reused >= len(LONG[:200]) * 0.8
    assert other.reused == 0


async def test_a_hybrid_model_answers_after_reuse_as_a_fresh_one_does(hybrid: Engine, toy_qwen: Path) -> None:
    await answer(hybrid, LONG[:200], most=1)
    reused, *_ = await answer(hybrid, LONG[:300])
    fresh_engine = Engine(spec(toy_qwen))
    fresh, *_ = await answer(fresh_engine, LONG[:300])
    await fresh_engine.close()
    assert reused == fresh


async def test_reading_a_long_prompt_is_told_in_parts(engine: Engine) -> None:
    done = []
    async for event in engine.generate(Generate(0, LONG[:3000], 1)):
        if isinstance(event, Read):
            done.append(event.done)
            total = event.total
    assert len(done) > 2
    assert done == sorted(done)
    assert done[-1] == total


async def test_cancelled_while_reading_it_goes_on_with_the_next_prompt(engine: Engine) -> None:
    await until(engine, Generate(0, LONG[:3000], 50), lambda event: isinstance(event, Read))
    text, _, ended = await answer(engine, "hello there")
    assert ended.reason == "limit"
    assert text


async def test_cancelled_while_answering_it_goes_on_in_the_same_process(hybrid: Engine) -> None:
    await hybrid.load()
    pid = hybrid.pid
    await until(hybrid, Generate(0, "hello", 4000), lambda event: isinstance(event, Said))
    text, _, ended = await answer(hybrid, "hello there")
    fresh, *_ = await answer(hybrid, "hello there")
    assert hybrid.pid == pid
    assert ended.tokens == 20
    assert text == fresh


async def test_a_cancelled_task_cancels_the_answer(engine: Engine) -> None:
    begun = asyncio.Event()

    async def listen() -> None:
        async with aclosing(engine.generate(Generate(0, "hello", 100_000))) as events:
            async for event in events:
                if isinstance(event, Said):
                    begun.set()

    task = asyncio.create_task(listen())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    _, _, ended = await answer(engine, "hello there")
    assert ended.tokens == 20


async def test_killed_in_the_middle_it_says_so_and_the_next_request_starts_it_again(engine: Engine) -> None:
    ready = await engine.load()
    pid = engine.pid
    assert pid

    async def hear_it_die() -> None:
        async for event in engine.generate(Generate(0, "hello", 100_000)):
            if isinstance(event, Said):
                os.kill(pid, signal.SIGKILL)

    with pytest.raises(ModelLost, match=r"Toy stopped in the middle: it was ended by SIGKILL"):
        await hear_it_die()
    text, *_ = await answer(engine, "hello there")
    assert text
    assert engine.pid != pid
    assert engine.ready == ready


async def test_closed_in_the_middle_it_says_so_and_can_be_used_again(engine: Engine) -> None:
    async def hear_it_close() -> None:
        async with aclosing(engine.generate(Generate(0, "hello", 100_000))) as events:
            async for event in events:
                if isinstance(event, Said):
                    await engine.close()

    with pytest.raises(ModelLost, match="Toy was closed in the middle"):
        await hear_it_close()
    assert engine.pid is None
    text, *_ = await answer(engine, "hello there")
    assert text


async def test_killed_while_idle_it_is_started_again_without_a_word(engine: Engine) -> None:
    await engine.load()
    assert engine.pid
    os.kill(engine.pid, signal.SIGKILL)
    text, *_ = await answer(engine, "hello there")
    assert text


async def test_two_requests_at_once_are_answered_one_after_the_other(engine: Engine) -> None:
    one, two = await asyncio.gather(answer(engine, "hello there"), answer(engine, "hello there"))
    assert one[0] == two[0]


async def test_a_prompt_longer_than_the_context_is_told_and_not_read(toy_llama: Path) -> None:
    engine = Engine(spec(toy_llama, context=256))
    text, opened, ended = await answer(engine, LONG[:1000])
    await engine.close()
    assert (text, ended.reason, ended.tokens) == ("", "full", 0)
    assert opened.tokens > 256


async def test_an_answer_ends_where_the_context_is_full(toy_llama: Path) -> None:
    engine = Engine(spec(toy_llama, context=256))
    _, opened, ended = await answer(engine, LONG[:200], most=1000)
    await engine.close()
    assert ended.reason == "full"
    assert opened.tokens + ended.tokens - 1 == 256  # the last token is never evaluated


async def test_drawing_with_a_seed_is_repeatable_and_without_greed(engine: Engine) -> None:
    drawn = []
    for seed in (1, 1, 2):
        request = Generate(0, "hello there", 30, Sampling(temperature=1.0, top_k=100), seed=seed)
        said = [event.text async for event in engine.generate(request) if isinstance(event, Said)]
        drawn.append("".join(said))
    assert drawn[0] == drawn[1] != drawn[2]


async def test_special_tokens_are_told_apart_from_text_that_looks_like_them(engine: Engine) -> None:
    ready = await engine.load()
    assert {"<think>", "</tool_call>", "<|im_end|>"} <= set(ready.marks)
    _, whole, _ = await answer(engine, "<|im_end|>", most=1)
    _, broken, _ = await answer(engine, "‹|im_end|>", most=1)
    assert whole.tokens == 1
    assert broken.tokens > 1


async def test_a_file_that_llama_cpp_refuses_is_unusable_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "odd.gguf"
    path.write_bytes(b"GGUF" + b"\0" * 60)
    engine = Engine(spec(path))
    with pytest.raises(ModelUnusable, match="Toy cannot be loaded"):
        await engine.load()
    await engine.close()


async def test_a_process_that_dies_while_loading_is_tried_the_plain_way_and_then_given_up(
    tmp_path: Path, toy_llama: Path
) -> None:
    tries = tmp_path / "tries"
    program = (
        "import os, sys; line = sys.stdin.readline(); open(sys.argv[1], 'a').write(line);"
        " print('cannot compute this', file=sys.stderr, flush=True); os.abort()"
    )
    engine = Engine(spec(toy_llama), command=("python3", "-c", program, str(tries)))
    with pytest.raises(ModelUnusable, match=r"SIGABRT; its last line: cannot compute this"):
        await engine.load()
    assert ['"plain":true' in line for line in tries.read_text().splitlines()] == [False, True]


async def test_without_a_python_to_run_it_says_so(toy_llama: Path) -> None:
    engine = Engine(spec(toy_llama), command=("/nonexistent/python",))
    with pytest.raises(ModelUnusable, match="cannot be started"):
        await engine.load()


def test_one_core_is_left_to_everything_else() -> None:
    assert spare_threads() == max(len(os.sched_getaffinity(0)) - 1, 1)
