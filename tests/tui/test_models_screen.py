"""The models are seen, fetched, used, taken in and removed by keyboard alone, in 80x24."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from assistant.model.shelf.catalogue import installed
from tests.assistant.model.hub_server import Fault, HubServer, serving
from tests.assistant.model.toy import build_qwen
from tests.tui.fake_house import change_event
from tests.tui.stage import Asking, Stage, playing
from tui.library import Library
from tui.places import Places, below
from tui.screens.models import ModelsScreen

NAME = "botpsy-0.8b-q8_0.gguf"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_qwen(tmp_path_factory.mktemp("toy") / "toy.gguf")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    here = below(tmp_path / "home")
    here.make()
    return here


@pytest.fixture
def hub(toy: Path) -> Iterator[HubServer]:
    with serving(HubServer({NAME: toy.read_bytes()})) as server:
        yield server


@asynccontextmanager
async def opened(places: Places, endpoint: str = "http://127.0.0.1:1") -> AsyncIterator[Stage]:
    async with playing(library=Library(places, {"HF_ENDPOINT": endpoint})) as stage:
        await stage.press("f5")
        await stage.until(lambda: isinstance(stage.app.screen, ModelsScreen))
        yield stage


async def mark(stage: Stage, key: str) -> None:
    """Move to the model with this key."""
    await stage.press("home")
    for _ in range(12):
        if any(line.startswith(f"  {key}  ") for line in stage.lines[-6:]):
            return
        await stage.press("down")
    raise AssertionError(stage.text)


async def ended(stage: Stage) -> str:
    """Wait until nothing is under way any more, and give what was said."""
    await stage.until(lambda: not stage.app.model_work.busy)
    await stage.settle()
    return stage.app.model_work.said


async def test_the_list_says_what_is_here_how_large_it_is_and_what_it_needs(places: Places) -> None:
    async with opened(places) as stage:
        assert all(len(line) <= 80 for line in stage.lines)
        assert "   · BotPsy 0.8B (Q8_0)        not here           810 MB  ~1.4 GB  Apache-2.0" in stage.lines
        await mark(stage, "botpsy-q4")
        assert "botpsy-q4  the same, where memory is tight" in stage.text
        assert "from qvac/BotPsy-0.8B-GGUF" in stage.text


async def test_a_model_is_fetched_and_used(places: Places, hub: HubServer) -> None:
    async with opened(places, hub.address) as stage:
        await mark(stage, "botpsy-q8")
        await stage.press("f")
        assert (
            await ended(stage)
            == "BotPsy 0.8B (Q8_0) is here as “botpsy-q8”, whole (1 MB). To use it: u in the models (F5)."
        )
        assert "✓ BotPsy 0.8B (Q8_0)        here " in stage.text
        await stage.press("u")
        assert await ended(stage) == "From now on Askfirst uses botpsy-q8."
        assert stage.house.used == ["botpsy-q8"]


async def test_a_fetch_shows_how_far_it_is_and_can_be_stopped_and_taken_up(
    places: Places, hub: HubServer
) -> None:
    hub.faults = [Fault(cut=400_000, stall=True)]
    async with opened(places, hub.address) as stage:
        await mark(stage, "botpsy-q8")
        await stage.press("f")
        await stage.until(lambda: "50% ━━━━━━━━━━┄┄┄┄┄┄┄┄┄┄" in stage.text)
        assert "· BotPsy 0.8B (Q8_0)        50 % fetched" in stage.text
        await stage.press("c")
        assert await ended(stage) == "Stopped. 50% of it stays here; f goes on from there."
        assert "50 % fetched" in stage.text
        await stage.press("f")
        await ended(stage)
        assert hub.asked[-1].range == "bytes=400000-"
        assert "✓ BotPsy 0.8B (Q8_0)        here " in stage.text


async def test_a_fetch_goes_on_behind_the_conversation_and_ends_there_with_a_word(
    places: Places, hub: HubServer
) -> None:
    async with opened(places, hub.address) as stage:
        await mark(stage, "botpsy-q8")
        await stage.press("f", "escape")
        await ended(stage)
        await stage.until(lambda: "BotPsy 0.8B (Q8_0) is here as “botpsy-q8”" in stage.text)


async def test_leaving_askfirst_keeps_what_has_come(places: Places, hub: HubServer) -> None:
    hub.faults = [Fault(cut=400_000, stall=True)]
    async with opened(places, hub.address) as stage:
        await mark(stage, "botpsy-q8")
        await stage.press("f")
        await stage.until(lambda: "50%" in stage.text)
    assert next(row for row in Library(places).rows() if row.key == "botpsy-q8").state == "50 % fetched"


async def test_a_failure_is_said_in_full(places: Places, hub: HubServer) -> None:
    hub.repository = "another/one"
    async with opened(places, hub.address) as stage:
        await mark(stage, "botpsy-q8")
        await stage.press("f")
        assert "has no repository qvac/BotPsy-0.8B-GGUF" in await ended(stage)
        said = " ".join(stage.text.split())
        assert "askfirst models get botpsy-q8 --repository NAME --file FILE" in said


async def test_a_model_is_removed_only_after_a_capital_y(places: Places, hub: HubServer) -> None:
    async with opened(places, hub.address) as stage:
        await mark(stage, "botpsy-q8")
        await stage.press("f")
        await ended(stage)
        await stage.press("Y", "x", "y", "enter", "escape")
        assert len(installed(places.cache)) == 1
        await stage.press("x")
        said = " ".join(stage.text.split())
        assert "is deleted, which frees 1 MB. Y removes it; Esc leaves it." in said
        await stage.press("down", "Y", "up")
        assert len(installed(places.cache)) == 1
        await stage.press("x", "Y")
        assert installed(places.cache) == ()
        assert "botpsy-q8 is removed: 1 MB are free again." in stage.text


async def test_a_file_is_taken_in_by_its_path(places: Places, toy: Path) -> None:
    async with opened(places) as stage:
        await stage.press("i")
        await stage.type(str(toy))
        await stage.press("enter")
        assert await ended(stage) == "Toy Qwen is here as “toy”. To use it: u in the models (F5)."
        assert "✓ Toy Qwen" in stage.text


async def test_a_file_that_is_no_model_is_refused(places: Places, tmp_path: Path) -> None:
    page = tmp_path / "page.gguf"
    page.write_text("<html>")
    async with opened(places) as stage:
        await stage.press("i")
        await stage.type(str(page))
        await stage.press("enter")
        assert await ended(stage) == "page.gguf is not a GGUF model file."


async def test_a_file_is_used_where_it_lies(places: Places, toy: Path) -> None:
    async with opened(places) as stage:
        await stage.press("o")
        await stage.type(str(toy))
        await stage.press("enter")
        await ended(stage)
        assert stage.house.used == [str(toy)]


async def test_a_path_is_left_with_escape_and_the_screen_stays(places: Places) -> None:
    async with opened(places) as stage:
        await stage.press("i", "x", "escape")
        assert isinstance(stage.app.screen, ModelsScreen)
        await stage.press("escape")
        assert stage.app.screen is stage.app.conversation


async def test_the_model_is_not_exchanged_while_a_goal_is_at_work(places: Places, toy: Path) -> None:
    script = Asking(change_event())
    async with playing(script, library=Library(places, {})) as stage:
        await stage.say()
        await stage.asked()
        stage.app.action_models()
        await stage.until(lambda: isinstance(stage.app.screen, ModelsScreen))
        await stage.press("o")
        await stage.type(str(toy))
        await stage.press("enter")
        assert "Wait until this goal has ended" in stage.text
        assert stage.house.used == []


async def test_settings_that_are_wrong_are_said_and_nothing_else_breaks(places: Places) -> None:
    (places.config / "config.toml").write_text("[models.botpsy-q8]\nfil = 1\n")
    async with opened(places) as stage:
        assert "config.toml, line 2: 'models.botpsy-q8.fil' is not a setting here" in stage.text
        await stage.press("f", "u", "x", "Y", "down", "escape")
        assert stage.app.screen is stage.app.conversation


async def test_the_command_opens_it_too(places: Places) -> None:
    async with playing(library=Library(places, {})) as stage:
        await stage.say(":models")
        await stage.until(lambda: isinstance(stage.app.screen, ModelsScreen))
