"""Finding a goal that was given before."""

from assistant.events import Ending, GoalTaken, TurnEnded
from assistant.frontend import Frontend
from permissions.words import Asker
from tests.tui.fake_house import entry
from tests.tui.stage import Stage, playing
from tui.screens.goals import GoalsScreen, having, past_goals

ROWS = [
    entry("a", "Take it back", "calendar.change_event", goal="Undo: Move it", asker=Asker.UNDO),
    entry("b", "Look", "calendar.list_events", goal="what is on tomorrow"),
    entry("c", "Look", "calendar.list_events", goal="what is on tomorrow"),
    entry("d", "Send", "messaging.send", goal="tell Ana that I am late"),
]


async def at_once(goal: str, front: Frontend) -> None:
    await front.show(GoalTaken(goal))
    await front.show(TurnEnded(Ending.DONE, ""))


def test_every_goal_is_there_once_the_latest_first_and_what_took_back_a_deed_is_none() -> None:
    assert past_goals(["first", "second", "tell Ana that I am late"], ROWS) == [
        "tell Ana that I am late",
        "second",
        "first",
        "what is on tomorrow",
    ]


def test_a_goal_is_found_by_beginnings_of_its_words_in_any_order() -> None:
    assert having(["tell Ana that I am late", "what is on"], "LAT ana") == ["tell Ana that I am late"]
    assert having(["a", "b"], "") == ["a", "b"]


def composed(stage: Stage) -> str:
    return stage.app.conversation.dock.composer.text


async def test_what_is_typed_finds_a_goal_and_enter_writes_it_without_sending() -> None:
    async with playing(at_once, rows=ROWS) as stage:
        await stage.press("ctrl+r")
        assert isinstance(stage.app.screen, GoalsScreen)
        await stage.type("late")
        assert "what is on tomorrow" not in stage.text
        await stage.press("enter")
        await stage.until(lambda: not isinstance(stage.app.screen, GoalsScreen))
        assert composed(stage) == "tell Ana that I am late"
        assert stage.house.goals == []


async def test_the_arrows_mark_another_goal_and_escape_writes_none() -> None:
    async with playing(at_once, rows=ROWS) as stage:
        await stage.press("ctrl+r", "down", "enter")
        await stage.until(lambda: composed(stage) == "tell Ana that I am late")
        await stage.press("ctrl+u", "ctrl+r", "escape")
        await stage.until(lambda: not isinstance(stage.app.screen, GoalsScreen))
        assert composed(stage) == ""


async def test_nothing_is_written_where_no_goal_has_the_words() -> None:
    async with playing(at_once, rows=ROWS) as stage:
        await stage.press("ctrl+r")
        await stage.type("zebra")
        await stage.press("enter")
        await stage.until(lambda: not isinstance(stage.app.screen, GoalsScreen))
        assert composed(stage) == ""


async def test_a_goal_of_an_earlier_session_counts_as_pasted_and_one_of_this_session_as_it_was_typed() -> (
    None
):
    async with playing(at_once, rows=ROWS) as stage:
        await stage.type("mine")
        await stage.press("enter")
        await stage.until(lambda: not stage.app.turns.busy)
        composer = stage.app.conversation.dock.composer
        await stage.press("ctrl+r", "enter")
        await stage.until(lambda: composer.text == "mine")
        assert not composer.has_class("pasted")
        await stage.press("ctrl+u", "ctrl+r")
        await stage.type("late")
        await stage.press("enter")
        await stage.until(lambda: composer.text == "tell Ana that I am late")
        assert composer.has_class("pasted")
