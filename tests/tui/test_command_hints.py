"""Commands that are begun: what they may become is shown, and Tab writes them to their end."""

import pytest

from tests.tui.fake_house import change_event
from tests.tui.stage import asking, playing
from tui import colon
from tui.screens.activity import ActivityScreen


async def test_a_colon_shows_what_may_follow_and_an_ordinary_goal_nothing() -> None:
    async with playing() as stage:
        await stage.press(":")
        assert ":activity       what was asked, allowed and done" in stage.text
        assert "more; Tab completes, ? tells all" in stage.text
        await stage.press("backspace", "a")
        assert "Tab completes" not in stage.text


async def test_what_is_typed_narrows_what_is_shown() -> None:
    async with playing() as stage:
        await stage.type(":mo")
        hints = stage.app.conversation.dock.hints
        assert hints.display
        assert ":models" in stage.text
        assert ":activity" not in stage.text
        await stage.type("x")
        assert not hints.display


async def test_tab_writes_a_command_to_its_end_and_enter_carries_it_out() -> None:
    async with playing() as stage:
        await stage.type(":ac")
        await stage.press("tab")
        assert stage.app.conversation.dock.composer.text == ":activity"
        await stage.press("enter")
        assert isinstance(stage.app.screen, ActivityScreen)


async def test_tab_does_nothing_to_a_goal() -> None:
    async with playing() as stage:
        await stage.type("ac")
        await stage.press("tab")
        composer = stage.app.conversation.dock.composer
        assert (composer.text, composer.has_focus) == ("ac", True)


@pytest.mark.parametrize(
    ("begun", "whole"),
    [
        (":", ":"),
        (":co", ":co"),
        (":con", ":connect"),
        (":connect ", ":connect "),
        (":connect ca", ":connect calendar"),
        (":ex", ":export "),
        (":PAN", ":panic"),
        (":wurst", ":wurst"),
        (":help me", ":help me"),
    ],
)
def test_a_command_is_completed_as_far_as_it_is_clear(begun: str, whole: str) -> None:
    assert colon.completed(begun) == whole


async def test_the_hints_give_way_to_a_question() -> None:
    async with asking(change_event()) as (stage, _):
        stage.app.conversation.dock.composer.text = ":"
        await stage.asked()
        assert not stage.app.conversation.dock.hints.display
        await stage.press("n")
        await stage.until(lambda: not stage.app.turns.busy)
        assert stage.app.conversation.dock.hints.display
