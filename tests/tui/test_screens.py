"""The other screens: help, connectors, the first run."""

import asyncio
import re
from pathlib import Path

import pytest
from textual.binding import Binding

from assistant.frontend import Frontend
from connectors.base import Notice
from tests.tui.fake_house import change_event
from tests.tui.stage import asking, playing
from tui import app
from tui.app import AskfirstApp
from tui.composer import Composer
from tui.prompt.bindings import BINDINGS as PROMPT
from tui.prompt.edit import EditForm
from tui.prompt.rows import Row
from tui.prompt.widget import PermissionPrompt
from tui.question import QuestionPicker
from tui.screens.activity import ActivityScreen, EntryList
from tui.screens.conversation import ConversationScreen
from tui.screens.first_run import FirstRunScreen
from tui.screens.help import HelpPage
from tui.screens.models import ModelsScreen
from tui.screens.overlay import Overlay, Page

OURS = [
    AskfirstApp,
    Composer,
    EditForm,
    PermissionPrompt,
    QuestionPicker,
    Row,
    ActivityScreen,
    EntryList,
    Overlay,
    Page,
]


@pytest.mark.parametrize("place", [*OURS, FirstRunScreen, ConversationScreen])
def test_every_binding_has_an_id_and_says_what_it_does(place) -> None:
    for binding in place.__dict__.get("BINDINGS", []):
        assert isinstance(binding, Binding)
        assert binding.id
        assert binding.tooltip


def test_no_two_bindings_share_an_id() -> None:
    ids = [binding.id for place in (*OURS, FirstRunScreen) for binding in place.__dict__.get("BINDINGS", [])]
    assert len(ids) == len(set(ids))


async def test_the_help_names_every_key_of_the_prompt_the_question_and_the_app() -> None:
    async with playing() as stage:
        await stage.press("f1")
        lines = stage.app.screen.query_one(HelpPage).lines(76)
        text = " ".join(" ".join(line.plain for line in lines).split())
        for binding in (*PROMPT, *QuestionPicker.BINDINGS, *AskfirstApp.BINDINGS):
            assert isinstance(binding, Binding)
            assert binding.tooltip in text
        assert ":activity" in text


async def test_the_connectors_screen_shows_states_and_what_they_want_known() -> None:
    told = (Notice("calendar", "One file cannot be read.", ("broken[1].ics: line 3",)),)
    async with playing(told=told) as stage:
        assert "▲ 1 F4" in stage.lines[0]
        assert "calendar: One file cannot be read." in stage.text
        await stage.press("f4")
        assert "✓ calendar  ready  a folder of .ics files" in stage.text
        assert "✗ settings  unavailable  no D-Bus here" in stage.text
        assert "broken[1].ics: line 3" in stage.text


@pytest.mark.parametrize("key", ["f1", "f2", "f4"])
async def test_the_screens_replace_each_other_and_are_left_with_escape(key: str) -> None:
    async with playing() as stage:
        await stage.press("f2", key)
        await stage.press("escape")
        await stage.until(lambda: stage.app.screen is stage.app.conversation)


async def test_a_screen_over_an_open_request_does_not_answer_it() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("f2", "y", "escape")
        await stage.until(lambda: stage.app.screen is stage.app.conversation)
        assert script.answers == []
        assert isinstance(stage.app.focused, PermissionPrompt)


async def test_a_screen_that_lies_over_the_conversation_says_when_something_is_asked() -> None:
    going = asyncio.Event()

    async def asks_later(goal: str, front: Frontend) -> None:
        await going.wait()
        await front.ask((change_event(),))

    async with playing(asks_later) as stage:
        await stage.say()
        await stage.press("f2")
        assert "asks you something" not in stage.text
        going.set()
        await stage.until(lambda: "Askfirst asks you something: Esc goes back to it" in stage.text)
        assert "Dentist" not in stage.text
        await stage.press("escape")
        await stage.asked()


@pytest.mark.parametrize(
    ("keys", "result"),
    [(["d"], "demo"), (["enter"], "demo"), (["q"], None), (["down", "down", "down", "enter"], None)],
)
async def test_the_first_run_may_lead_to_the_demo_or_end(keys: list[str], result: str | None) -> None:
    async with playing(first_run=True) as stage:
        assert "Try the demo" in stage.text
        await stage.press(*keys)
        await stage.until(lambda: stage.app._exit)
        assert stage.app.return_value == result


async def test_the_first_run_may_fetch_botpsy_beside_the_starter_with_what_it_needs_said_before() -> None:
    async with playing(first_run=True, ready=False) as stage:
        said = " ".join(stage.text.replace("│", " ").split())
        assert "m Begin, and fetch BotPsy recommended" in said
        assert "810 MB to fetch, about 1.4 GB of memory" in said
        await stage.press("m")
        await stage.until(lambda: stage.house.ready)
        await stage.until(lambda: isinstance(stage.app.screen, ModelsScreen))
        assert stage.app.model_work.busy or stage.app.model_work.said


async def test_the_first_run_may_lead_to_the_conversation_and_only_then_the_model_is_fetched() -> None:
    async with playing(first_run=True, ready=False) as stage:
        assert not stage.house.ready
        await stage.press("b")
        await stage.until(lambda: stage.house.ready)
        assert stage.app.screen is stage.app.conversation
        assert stage.app.conversation.dock.composer.has_focus


def test_the_stylesheet_is_short_and_takes_its_colours_from_the_theme() -> None:
    css = (Path(app.__file__).parent / "app.tcss").read_text("utf-8")
    assert len(css.splitlines()) < 200
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|\brgb|\bansi_", css)


@pytest.mark.parametrize("key", ["f1", "f4"])
async def test_a_page_is_scrolled_by_the_keys_at_once(key: str) -> None:
    told = tuple(Notice("calendar", f"File {n} cannot be read.") for n in range(40))
    async with playing(told=told) as stage:
        await stage.press(key, "pagedown")
        page = stage.app.screen.query_one(Page)
        await stage.until(lambda: page.scroll_y > 0)
        await stage.press("G")
        await stage.until(lambda: page.scroll_y == page.max_scroll_y)


async def test_the_help_tells_nine_keys_that_do_the_like_in_one_line() -> None:
    async with playing() as stage:
        await stage.press("f1")
        lines = [line.plain for line in stage.app.screen.query_one(HelpPage).lines(76)]
        assert sum("Pick that number of a list" in line for line in lines) == 1
        assert any("1 … 9" in line for line in lines)


async def test_a_screen_opened_over_a_question_says_that_one_waits() -> None:
    async with asking(change_event()) as (stage, _):
        await stage.asked()
        await stage.press("f2")
        assert "Askfirst asks you something: Esc goes back to it" in stage.text
        await stage.press("escape")
        await stage.look()
        await stage.press("n")
        await stage.until(lambda: not stage.app.turns.busy)
        await stage.press("f2")
        assert "Askfirst asks you something" not in stage.text


async def test_on_a_narrow_screen_the_header_keeps_what_does_not_work_and_what_wants_to_be_known() -> None:
    told = (Notice("calendar", "One file cannot be read."),)
    async with playing(told=told, size=(60, 24)) as stage:
        assert "settings ✗ · ▲ 1 F4" in stage.lines[0]
        assert "messaging" not in stage.lines[0]
