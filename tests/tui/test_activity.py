"""The activity: entries by goal, their details, a filter, and undo."""

import pytest

from assistant.events import Ending, GoalTaken, TurnEnded
from assistant.frontend import Frontend
from connectors.base import Call
from permissions.entry import Entry, State
from permissions.words import Decision, Key, Reply
from tests.tui.fake_house import change_event, entry
from tests.tui.stage import Stage, playing

UNDO = Call("u", "calendar.undo", {"record": "r1"})
ROWS = [
    entry("e4", "Send a message to Ana Ruiz", "messaging.send", state=State.DENIED, answer="no: not now"),
    entry(
        "e3", "Change the event Dentist", "calendar.change_event", undo=UNDO, outcome="Dentist is on Friday."
    ),
    entry(
        "e2",
        "Add the event Lunch",
        "calendar.create_event",
        goal_id="g0",
        goal="Lunch with Bo",
        undo=UNDO,
        undone=True,
    ),
    entry(
        "e1",
        "Look at [Friday]",
        "calendar.list_events",
        goal_id="g0",
        goal="Lunch with Bo",
        rule="this session",
    ),
]


async def opened(stage: Stage) -> None:
    await stage.press("f2")
    await stage.until(lambda: "Activity" in stage.lines[0])


async def test_calls_stand_under_their_goals_with_their_state() -> None:
    async with playing(rows=ROWS) as stage:
        await opened(stage)
        lines = [line.strip() for line in stage.lines if line.strip()]
        goal = lines.index("Move my dentist appointment to Friday at 4 and tell Ana  Mon 30 Nov 2026")
        assert lines[goal + 1] == "✗ 10:00 Send a message to Ana Ruiz  not allowed"
        assert lines[goal + 2] == "✓ 10:00 Change the event Dentist  done  u undoes it"
        assert lines[goal + 3] == "Lunch with Bo  Mon 30 Nov 2026"
        assert lines[goal + 4] == "✓ 10:00 Add the event Lunch  done; undone since"
        assert lines[goal + 5] == "✓ 10:00 Look at [Friday]  done"


async def test_enter_shows_everything_the_journal_has_of_a_call() -> None:
    async with playing(rows=ROWS) as stage:
        await opened(stage)
        await stage.press("down", "enter")
        for text in ("calendar.change_event", "asks by default: ask", "yes, once", "Dentist is on Friday."):
            assert text in stage.text
        await stage.press("escape")
        assert "asks by default: ask" not in stage.text
        assert "Activity" in stage.lines[0]


async def test_slash_shows_only_what_has_the_words() -> None:
    async with playing(rows=ROWS) as stage:
        await opened(stage)
        await stage.press("slash")
        await stage.type("lunch add")
        await stage.press("enter")
        assert "1 call with “lunch add”" in stage.text
        assert "Add the event Lunch" in stage.text
        assert "Dentist" not in stage.text
        await stage.press("escape")
        assert "Dentist" in stage.text


async def test_a_filter_that_is_left_shows_all_again() -> None:
    async with playing(rows=ROWS) as stage:
        await opened(stage)
        await stage.press("slash")
        await stage.type("lunch")
        await stage.press("escape")
        assert "Dentist" in stage.text


async def test_letters_that_do_something_here_are_letters_in_the_filter() -> None:
    async with playing(rows=ROWS) as stage:
        await opened(stage)
        await stage.press("slash")
        await stage.type("uq")
        assert stage.house.undone == []
        assert "Activity" in stage.lines[0]


async def test_u_asks_for_the_undo_through_the_prompt() -> None:
    answers: list[Decision] = []

    async def takes_back(goal: str, front: Frontend) -> None:
        await front.show(GoalTaken("Undo: Change the event Dentist"))
        answers.extend(await front.ask((change_event(),)))
        await front.show(TurnEnded(Ending.DONE, ""))

    async with playing(takes_back, rows=ROWS) as stage:
        await opened(stage)
        await stage.press("down", "u")
        await stage.asked()
        assert stage.house.undone == ["e3"]
        assert "You   Undo: Change the event Dentist" in stage.text
        await stage.press("y")
        await stage.until(lambda: answers == [Decision(Reply.YES, key=Key.SMALL)])


@pytest.mark.parametrize(("downs", "says"), [(0, "cannot be undone from here"), (2, "was undone already")])
async def test_what_cannot_be_undone_says_so(downs: int, says: str) -> None:
    async with playing(rows=ROWS) as stage:
        await opened(stage)
        await stage.press(*["down"] * downs, "u")
        assert says in stage.text
        assert stage.house.undone == []


async def test_an_empty_journal_says_so() -> None:
    async with playing() as stage:
        await opened(stage)
        assert "Nothing was asked yet." in stage.text
        await stage.press("enter", "u")
        assert stage.house.undone == []


async def test_a_journal_that_cannot_be_read_says_why() -> None:
    def broken(limit: int) -> list[Entry]:
        raise OSError("the file is not a database")

    async with playing() as stage:
        stage.house.activity = broken
        await opened(stage)
        assert "The journal cannot be read: the file is not a database" in stage.text


async def test_undo_waits_for_the_goal_that_is_going_on() -> None:
    async def asks(goal: str, front: Frontend) -> None:
        await front.ask((change_event(),))

    async with playing(asks, rows=ROWS) as stage:
        await stage.say()
        await stage.asked()
        await opened(stage)
        await stage.press("down", "u")
        await stage.until(lambda: "Wait until this goal has ended" in stage.text)
        assert stage.house.undone == []
