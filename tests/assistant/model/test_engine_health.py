"""A model's process that hangs is noticed and replaced; one that only works long is left alone."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assistant.model.base import ModelLost
from assistant.model.host.engine import Engine
from assistant.model.host.process import Patience
from assistant.model.wire import Generate, Said
from tests.assistant.model.chats import ask, chat, spec

SHORT = Patience(silence=1.5, work=60)
# Lives and hears, but never comes to a result.
BUSY = """
import sys
for line in sys.stdin:
    if '"load"' in line:
        print('{"kind":"ready","context":512,"hybrid":false,"vocabulary":9,"marks":[]}', flush=True)
    elif '"ping"' in line:
        print('{"kind":"alive"}', flush=True)
"""
# Dies at the first answer as long as there are states on disk.
POISONED = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["kind"] == "load":
        states = request["states"]
        print('{"kind":"ready","context":512,"hybrid":false,"vocabulary":9,"marks":[]}', flush=True)
    elif request["kind"] == "generate":
        if states:
            sys.exit(3)
        for rest in ('"opened","tail":"","tokens":1,"reused":0', '"ended","reason":"stop","tokens":0'):
            print('{"id":%d,"kind":%s}' % (request["id"], rest), flush=True)
"""


@pytest.fixture
async def engine(toy_qwen: Path) -> AsyncIterator[Engine]:
    engine = Engine(spec(toy_qwen), patience=SHORT)
    yield engine
    await engine.close()


def stop(engine: Engine) -> int:
    """Let the process stand still, as a hung one does."""
    assert engine.pid
    os.kill(engine.pid, signal.SIGSTOP)
    return engine.pid


async def test_hung_while_idle_it_is_replaced_and_the_answer_comes(engine: Engine) -> None:
    first = await ask(engine, chat("lunch"))
    hung = stop(engine)
    second = await ask(engine, chat("lunch"))
    assert engine.pid != hung
    assert second.text == first.text


async def test_killed_while_idle_a_count_starts_it_again(engine: Engine) -> None:
    first = await engine.count(["lunch"])
    assert engine.pid
    os.kill(engine.pid, signal.SIGKILL)
    assert await engine.count(["lunch"]) == first


async def test_what_it_says_of_a_cancel_is_not_taken_for_its_last_words(engine: Engine) -> None:
    answer = engine.generate(Generate(0, "the cat sat on the mat and " * 140, 10))
    await anext(answer)
    await answer.aclose()
    await ask(engine, chat("lunch"))

    async def hear_it_die() -> None:
        async for event in engine.generate(Generate(0, chat("lunch"), 100_000)):
            if isinstance(event, Said) and engine.pid:
                os.kill(engine.pid, signal.SIGKILL)

    with pytest.raises(ModelLost, match=r"it was ended by SIGKILL\.$"):
        await hear_it_die()


async def test_hung_in_the_middle_of_an_answer_it_says_so_and_the_next_request_works(engine: Engine) -> None:
    async def hear_it_hang() -> None:
        async for event in engine.generate(Generate(0, chat("lunch"), 100_000)):
            if isinstance(event, Said):
                stop(engine)

    with pytest.raises(ModelLost, match="Toy does not answer and was ended"):
        await hear_it_hang()
    assert engine.pid is None
    assert (await ask(engine, chat("lunch"))).text


async def test_hung_when_it_is_cancelled_it_is_replaced(engine: Engine) -> None:
    answer = engine.generate(Generate(0, chat("lunch"), 100_000))
    async for event in answer:
        if isinstance(event, Said):
            hung = stop(engine)
            break
    await answer.aclose()
    assert (await ask(engine, chat("lunch"))).text
    assert engine.pid != hung


async def test_hung_while_reading_ahead_it_is_replaced(engine: Engine) -> None:
    await engine.load()
    hung = stop(engine)
    await engine.prepare(chat("lunch", "Done."))
    assert (await ask(engine, chat("lunch", "Done.", "dinner"))).text
    assert engine.pid != hung


async def test_one_that_lives_but_comes_to_no_result_is_given_up(toy_qwen: Path) -> None:
    patience = Patience(silence=0.2, work=1)
    engine = Engine(spec(toy_qwen), patience=patience, command=("python3", "-c", BUSY))
    with pytest.raises(ModelLost, match="Toy comes to no result and was ended"):
        await ask(engine, chat("lunch"))
    await engine.close()


async def test_one_that_is_slower_than_its_silence_is_left_alone(toy_qwen: Path) -> None:
    engine = Engine(spec(toy_qwen), patience=Patience(silence=0.5, work=60))
    await engine.load()
    pid = engine.pid
    await asyncio.gather(*(ask(engine, chat("please " * 400), 60) for _ in range(2)))
    assert engine.pid == pid
    await engine.close()


async def test_one_that_dies_of_what_is_kept_on_disk_is_started_without_it(
    toy_qwen: Path, tmp_path: Path
) -> None:
    engine = Engine(spec(toy_qwen), states=tmp_path, command=("python3", "-c", POISONED))
    answer = await ask(engine, chat("lunch"))
    assert answer.ended.reason == "stop"
    await engine.close()


async def test_killed_before_every_answer_it_gives_up_in_the_end(toy_qwen: Path) -> None:
    starts = 'print(\'{"kind":"ready","context":512,"hybrid":false,"vocabulary":9,"marks":[]}\')'
    dies = (
        f"import sys; sys.stdin.readline(); {starts}; sys.stdout.flush(); sys.stdin.readline(); sys.exit(3)"
    )
    engine = Engine(spec(toy_qwen), command=("python3", "-c", dies))
    with pytest.raises(ModelLost, match="it ended with code 3"):
        await ask(engine, chat("lunch"))
    await engine.close()
