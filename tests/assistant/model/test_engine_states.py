"""What was read of the system text and the tools outlives the process, and nothing else does."""

import asyncio
import hashlib
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.model.host.engine import Engine
from assistant.model.spec import ModelSpec
from tests.assistant.model.chats import ask, ask_afresh, chat, spec
from tests.assistant.model.toy import QWEN_TEMPLATE, build_llama
from tests.assistant.model.words import few_words

SECRET = "the password of the bank is swordfish"


@pytest.fixture(params=["toy_qwen", "toy_llama"])
def toy(request: pytest.FixtureRequest) -> Path:
    path = request.getfixturevalue(request.param)
    assert isinstance(path, Path)
    return path


@asynccontextmanager
async def running(toy: Path | ModelSpec, states: Path) -> AsyncIterator[Engine]:
    engine = Engine(toy if isinstance(toy, ModelSpec) else spec(toy), states=states)
    yield engine
    await engine.close()


async def kept(folder: Path) -> Path:
    """The one state, once it is written."""
    (path,) = await asyncio.to_thread(_kept, folder, 1, time.monotonic() + 20)
    return path


def _kept(folder: Path, number: int, until: float) -> list[Path]:
    while len(found := list(folder.glob("*.state"))) < number and time.monotonic() < until:
        time.sleep(0.02)
    return found


async def run_once(toy: Path, states: Path, *said: str) -> Path:
    async with running(toy, states) as engine:
        await ask(engine, chat(*said))
        return await kept(states)


async def test_after_a_restart_the_tools_are_not_read_again(toy: Path, tmp_path: Path) -> None:
    await run_once(toy, tmp_path, "mail Ana that I am late")
    async with running(toy, tmp_path) as engine:
        first = await ask(engine, chat("book a table"))
        second = await ask(engine, chat("book a table", "It is done.", "and tomorrow?"))
    afresh = await ask_afresh(toy, chat("book a table"))
    assert first.opened.reused > 500
    assert first.evaluated < 60
    assert first.text == afresh.text
    assert second.evaluated < 100


async def test_the_state_holds_the_system_text_and_the_tools_and_no_conversation(
    toy: Path, tmp_path: Path
) -> None:
    path = await run_once(toy, tmp_path, SECRET, "I will not tell.", "and " + SECRET)
    _, line, _ = path.read_bytes().split(b"\n", 2)
    words = few_words().tokens
    text = "".join(words[token] for token in json.loads(line)["tokens"]).replace("Ġ", " ").replace("Ċ", "\n")
    assert text.startswith("<|im_start|>system\n# Tools")
    assert text.endswith("Be brief.<|im_end|>\n")
    async with running(toy, tmp_path) as engine:
        other = await ask(engine, chat("lunch"))
        (length,) = await engine.count([text])
    assert other.opened.reused == length


async def test_a_torn_state_is_removed_and_the_tools_are_read(toy: Path, tmp_path: Path) -> None:
    path = await run_once(toy, tmp_path, "lunch")
    path.write_bytes(path.read_bytes()[:-1])
    async with running(toy, tmp_path) as engine:
        answer = await ask(engine, chat("lunch"))
        assert answer.opened.reused == 0
        assert (await kept(tmp_path)).read_bytes()[-1:]
    assert answer.text == (await ask_afresh(toy, chat("lunch"))).text


async def test_a_state_that_llama_cpp_refuses_is_removed_and_the_tools_are_read(
    toy: Path, tmp_path: Path
) -> None:
    path = await run_once(toy, tmp_path, "lunch")
    async with running(toy, tmp_path) as engine:
        answer = await ask(engine, chat("lunch"))
    assert answer.opened.reused > 500
    _make_it_whole(path, b"\xff" * 64)
    async with running(toy, tmp_path) as engine:
        answer = await ask(engine, chat("lunch"))
        assert answer.opened.reused == 0
    assert answer.text == (await ask_afresh(toy, chat("lunch"))).text


def _make_it_whole(path: Path, payload: bytes) -> None:
    """Put other bytes in the place of a state, with a header that fits them."""
    magic, line, _ = path.read_bytes().split(b"\n", 2)
    said = json.loads(line)
    said |= {"length": len(payload), "sha256": hashlib.sha256(payload).hexdigest()}
    path.write_bytes(b"\n".join([magic, json.dumps(said).encode(), payload]))


async def test_a_state_of_a_file_that_was_changed_is_not_used(tmp_path: Path) -> None:
    toy = build_llama(tmp_path / "toy.gguf")
    states = tmp_path / "states"
    await run_once(toy, states, "lunch")
    build_llama(toy, seed=2)
    os.utime(toy, (1, 1))
    async with running(toy, states) as engine:
        answer = await ask(engine, chat("lunch"))
    assert answer.opened.reused == 0
    assert answer.text == (await ask_afresh(toy, chat("lunch"))).text


async def test_other_tools_have_a_state_of_their_own(toy: Path, tmp_path: Path) -> None:
    await run_once(toy, tmp_path, "lunch")
    other = build_llama(tmp_path / "other.gguf", template=QWEN_TEMPLATE.replace("# Tools", "# My tools"))
    async with running(other, tmp_path) as engine:
        assert (await ask(engine, chat("lunch"))).opened.reused == 0


async def test_of_two_sets_of_tools_in_turn_neither_is_read_again(toy: Path, tmp_path: Path) -> None:
    one = chat("lunch")
    other = replace(one, tools=tuple(reversed(one.tools)))
    async with running(toy, tmp_path) as engine:
        first = await ask(engine, one)
        await ask(engine, other)
        await asyncio.to_thread(_kept, tmp_path, 2, time.monotonic() + 20)
        for prompt in (one, other, one):
            again = await ask(engine, prompt)
            assert again.opened.reused > 500
    assert again.text == first.text


async def test_a_folder_that_cannot_be_made_fails_no_answer(toy: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file")
    async with running(toy, blocked / "states") as engine:
        first = await ask(engine, chat("lunch"))
        second = await ask(engine, chat("lunch"))
    assert first.text == second.text
    assert second.evaluated < 60


async def test_a_state_is_written_once(toy: Path, tmp_path: Path) -> None:
    path = await run_once(toy, tmp_path, "lunch")
    inode = path.stat().st_ino
    async with running(toy, tmp_path) as engine:
        for goal in ("lunch", "dinner"):
            await ask(engine, chat(goal))
    assert path.stat().st_ino == inode
