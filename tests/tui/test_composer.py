"""The composer: sending, history, commands, growing, and text that was pasted."""

import pytest
from textual import events

from assistant.events import Ending, GoalTaken, TurnEnded
from assistant.frontend import Frontend
from connectors.base import Call
from tests.tui.fake_house import entry
from tests.tui.stage import Stage, playing
from tui.colon import COMMANDS
from tui.composer import History
from tui.screens.activity import ActivityScreen
from tui.screens.connectors import ConnectorsScreen
from tui.screens.help import HelpScreen


async def at_once(goal: str, front: Frontend) -> None:
    await front.show(GoalTaken(goal))
    await front.show(TurnEnded(Ending.DONE, ""))


async def test_enter_sends_what_is_written_and_empties_the_line() -> None:
    async with playing(at_once) as stage:
        await stage.type("what is on today?")
        await stage.press("enter")
        await stage.until(lambda: stage.house.goals == ["what is on today?"])
        assert stage.app.conversation.dock.composer.text == ""


async def test_an_empty_line_is_not_sent() -> None:
    async with playing(at_once) as stage:
        await stage.press("enter", "space", "enter")
        assert stage.house.goals == []


async def test_up_and_down_step_through_the_goals_that_were_sent() -> None:
    async with playing(at_once) as stage:
        composer = stage.app.conversation.dock.composer
        for goal in ("one", "two"):
            await stage.say(goal)
            await stage.until(lambda: not stage.app.turns.busy)
        await stage.type("draft")
        await stage.press("up")
        assert composer.text == "two"
        await stage.press("up", "up")
        assert composer.text == "one"
        await stage.press("down", "down")
        assert composer.text == "draft"


def test_the_same_goal_sent_twice_is_kept_once() -> None:
    history = History()
    history.add("one")
    history.add("one")
    assert history.step(-1, "") == "one"
    assert history.step(-1, "one") is None


async def test_the_line_grows_with_its_text_and_takes_new_lines() -> None:
    async with playing(at_once) as stage:
        composer = stage.app.conversation.dock.composer
        before = composer.outer_size.height
        await stage.press("a", "ctrl+j", "b")
        await stage.settle()
        assert composer.text == "a\nb"
        assert composer.outer_size.height == before + 1


async def test_pasted_text_is_cleaned_and_not_sent() -> None:
    async with playing(at_once) as stage:
        composer = stage.app.conversation.dock.composer
        composer.post_message(events.Paste("two\nlines \x1b]0;title\x07\u202e"))
        await stage.settle()
        assert composer.text == "two\nlines ⟨U+001B⟩]0;title⟨U+0007⟩⟨U+202E⟩"
        assert stage.house.goals == []


@pytest.mark.parametrize(
    ("command", "screen"),
    [
        (":activity", ActivityScreen),
        (":connectors", ConnectorsScreen),
        (":help", HelpScreen),
        (":ac", ActivityScreen),
    ],
)
async def test_a_command_opens_its_screen(command: str, screen: type) -> None:
    async with playing() as stage:
        await stage.say(command)
        await stage.until(lambda: isinstance(stage.app.screen, screen))
        assert stage.house.goals == []


async def test_undo_takes_back_the_last_deed_that_can_be() -> None:
    rows = [
        entry("e3", "Send it", "messaging.send"),
        entry("e2", "Change it", "calendar.change_event", undo=Call("u", "calendar.undo", {}), undone=True),
        entry("e1", "Add it", "calendar.create_event", undo=Call("u", "calendar.undo", {})),
    ]
    async with playing(at_once, rows=rows) as stage:
        await stage.say(":undo")
        await stage.until(lambda: stage.house.undone == ["e1"])


async def test_undo_with_nothing_to_undo_says_so() -> None:
    async with playing() as stage:
        await stage.say(":undo")
        await stage.until(lambda: "There is nothing that can be undone." in stage.text)


async def test_quit_ends_the_app() -> None:
    async with playing() as stage:
        await stage.say(":quit")
        await stage.until(lambda: stage.app._exit)


@pytest.mark.parametrize("command", [":", ":nonsense", ":[b]"])
async def test_an_unknown_command_is_answered_with_those_there_are(command: str) -> None:
    async with playing() as stage:
        await stage.say(command)
        await stage.until(lambda: f"There is no command {command}." in stage.text)
        assert ", ".join(f":{name}" for name in COMMANDS) in flat(stage)


async def test_a_question_mark_in_an_empty_line_opens_the_help() -> None:
    async with playing() as stage:
        await stage.press("question_mark")
        await stage.until(lambda: isinstance(stage.app.screen, HelpScreen))


async def test_a_question_mark_in_a_text_is_a_question_mark() -> None:
    async with playing() as stage:
        await stage.press("a", "question_mark")
        assert stage.app.conversation.dock.composer.text == "a?"


async def test_the_composer_has_the_focus_from_the_start_and_after_every_screen() -> None:
    async with playing() as stage:
        composer = stage.app.conversation.dock.composer
        assert composer.has_focus
        for key in ("f1", "f2", "f4"):
            await stage.press(key, "escape")
            await stage.until(lambda: stage.app.focused is composer)


def flat(stage: Stage) -> str:
    return " ".join(stage.text.split())
