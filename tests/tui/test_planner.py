"""The model in use is exchanged without a restart, and the one before comes back where that fails."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from assistant.model.base import Goal, Loading, ModelUnusable, Piece
from assistant.model.shelf.importing import import_model
from tests.assistant.model.toy import build_llama, build_qwen
from tui.model_sources import tuning_of
from tui.planner import Planner
from tui.settings import Settings

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Europe/Copenhagen"))


def ignore(stage: str, fraction: float | None) -> None:
    pass


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with two toy models, `one` and `two`, and a file that llama.cpp cannot load."""
    folder = tmp_path_factory.mktemp("models")
    cache = folder / "cache"
    import_model(build_llama(folder / "one.gguf"), cache)
    import_model(build_qwen(folder / "two.gguf"), cache)
    strange = folder / "strange.gguf"
    strange.write_bytes((folder / "one.gguf").read_bytes().replace(b"llama", b"lxxma"))
    import_model(strange, cache)
    return cache


@pytest.fixture
async def planner(cache: Path) -> AsyncIterator[Planner]:
    planner = Planner(Settings(model="one"), cache, lambda: NOW)
    await planner.prepare(ignore)
    yield planner
    await planner.close()


async def first_piece(planner: Planner) -> Piece:
    """The first thing that the model in use says to a goal."""
    answer = planner.respond([Goal("hello")], [])
    try:
        async for piece in answer:
            if not isinstance(piece, Loading):
                return piece
    finally:
        await answer.aclose()
    raise AssertionError("it said nothing")


async def test_another_model_is_in_use_at_once(planner: Planner) -> None:
    assert (planner.name, planner.state.ready) == ("Toy Llama", True)
    stages: list[str] = []
    await planner.exchange(Settings(model="two"), lambda stage, fraction: stages.append(stage))
    assert (planner.key, planner.name) == ("two", "Toy Qwen")
    assert (planner.state.ready, planner.state.text) == (True, "ready")
    assert stages == ["loading the model", "reading of the tools", "ready"]
    assert await first_piece(planner)


async def test_a_model_that_cannot_be_loaded_leaves_the_one_before_in_use(planner: Planner) -> None:
    with pytest.raises(ModelUnusable, match="unknown model architecture: 'lxxma'"):
        await planner.exchange(Settings(model="strange"), ignore)
    assert (planner.key, planner.name, planner.state.ready) == ("one", "Toy Llama", True)
    assert await first_piece(planner)


async def test_a_model_that_is_not_here_is_refused_before_anything_is_unloaded(planner: Planner) -> None:
    with pytest.raises(ModelUnusable, match="There is no model named three here"):
        await planner.exchange(Settings(model="three"), ignore)
    assert (planner.key, planner.state.ready) == ("one", True)


async def test_stopped_in_the_middle_the_one_before_is_loaded_at_the_next_goal(planner: Planner) -> None:
    loading = asyncio.Event()

    def stage(text: str, fraction: float | None) -> None:
        loading.set()

    exchange = asyncio.create_task(planner.exchange(Settings(model="two"), stage))
    await loading.wait()
    exchange.cancel()
    with pytest.raises(asyncio.CancelledError):
        await exchange
    assert (planner.key, planner.state.ready) == ("one", False)
    assert await first_piece(planner)
    assert (planner.name, planner.state.ready) == ("Toy Llama", True)


async def test_a_goal_that_comes_meanwhile_waits_for_the_new_model(planner: Planner) -> None:
    exchange = asyncio.create_task(planner.exchange(Settings(model="two"), ignore))
    await asyncio.sleep(0)
    assert await first_piece(planner)
    await exchange
    assert planner.name == "Toy Qwen"


async def test_an_answer_under_way_is_not_cut_off(planner: Planner) -> None:
    answer = planner.respond([Goal("hello")], [])
    await anext(answer)
    with pytest.raises(ModelUnusable, match="The model is answering"):
        await planner.exchange(Settings(model="two"), ignore)
    await answer.aclose()
    await planner.exchange(Settings(model="two"), ignore)


def test_the_settings_of_a_model_are_found_by_its_key_and_a_file_s_by_its_name() -> None:
    settings = Settings.model_validate(
        {"models": {"botpsy-q8": {"thinking": False}, "mine": {"context": 2048, "top_k": 5}}}
    )
    assert tuning_of(settings, "botpsy").thinking is False
    assert tuning_of(settings, "/somewhere/mine.gguf") == replace(
        tuning_of(settings, "none"), context=2048, top_k=5
    )
