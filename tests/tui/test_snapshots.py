"""What the main pictures look like; look at a change before accepting it (`pytest --snapshot-update`)."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from assistant.events import CallFinished, Ending, GoalTaken, PlanChanged, Step, StepState, TurnEnded
from assistant.frontend import Frontend
from connectors.base import Call, Item, Outcome, Question
from permissions.words import Request
from tests.tui.fake_house import FakeHouse, change_event, send_message
from tests.tui.stage import GOAL, Stage, TurnedClock
from tests.tui.test_activity import ROWS
from tests.tui.test_question_picker import WHICH_OR_OTHER
from tui.app import AskfirstApp

FIND = Call("c1", "calendar.list_events", {"search": "dentist"})
FOUND = Outcome(
    True, "1 event found.", items=(Item("event:1", "Dentist", "Thu 3 Dec 2026 15:00-15:30 (Home)"),)
)
STEPS = (
    Step("c1", "show what is in the calendar: dentist", StepState.DONE),
    Step("c2", "move, rename or change an event: my dentist appointment, Friday at 4", StepState.DOING),
    Step("c3", "send a message: Ana"),
)
SnapCompare = Callable[..., bool]


def at(request: Request | Question) -> tuple[AskfirstApp, Callable[[Pilot[Any]], Awaitable[None]]]:
    """An app in the middle of a goal, where this is asked, and the way there."""

    async def script(goal: str, front: Frontend) -> None:
        await front.show(GoalTaken(goal))
        await front.show(PlanChanged(STEPS))
        await front.show(CallFinished(FIND, "Find the event", FOUND))
        await (front.choose(request) if isinstance(request, Question) else front.ask((request,)))
        await front.show(TurnEnded(Ending.DONE, ""))

    house, clock = FakeHouse(script), TurnedClock()
    app = AskfirstApp(house, clock)

    async def go(pilot: Pilot[Any]) -> None:
        stage = Stage(pilot, app, house, clock)
        await stage.say(GOAL)
        await (stage.questioned() if isinstance(request, Question) else stage.asked())

    return app, go


def test_a_change_of_the_calendar(snap_compare: SnapCompare) -> None:
    app, go = at(change_event())
    assert snap_compare(app, run_before=go, terminal_size=(80, 24))


def test_a_message_that_is_sent(snap_compare: SnapCompare) -> None:
    app, go = at(send_message())
    assert snap_compare(app, run_before=go, terminal_size=(80, 24))


def test_a_question_which_one(snap_compare: SnapCompare) -> None:
    app, go = at(WHICH_OR_OTHER)
    assert snap_compare(app, run_before=go, terminal_size=(80, 24))


def test_a_message_that_is_sent_without_colour(
    snap_compare: SnapCompare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app, go = at(send_message())
    assert snap_compare(app, run_before=go, terminal_size=(80, 24))


def test_the_activity(snap_compare: SnapCompare) -> None:
    app = AskfirstApp(FakeHouse(rows=ROWS))
    assert snap_compare(app, press=["f2", "down", "enter"], terminal_size=(80, 24))
