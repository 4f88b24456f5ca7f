"""Runs the app on a house that plays a story, to look at: `python -m tests.tui.play [first]`."""

import asyncio
import sys

from assistant.events import (
    CallAllowed,
    CallDenied,
    CallFinished,
    Ending,
    GoalTaken,
    ModelProgressed,
    PlanChanged,
    Step,
    StepState,
    TextStreamed,
    ThoughtStreamed,
    TurnEnded,
)
from assistant.frontend import Frontend
from connectors.base import Call, Item, Notice, Option, Outcome, Question
from permissions.words import Reply
from tests.tui.fake_house import FakeHouse, change_event, entry, send_message
from tui.app import AskfirstApp
from tui.model_state import Progress

FIND = Call("c1", "calendar.list_events", {"search": "dentist"})


async def story(goal: str, front: Frontend) -> None:
    await front.show(GoalTaken(goal))
    for part in range(5):
        await front.show(ModelProgressed("reading", part / 5))
        await asyncio.sleep(0.1)
    await front.show(ThoughtStreamed("The user wants to move the dentist and to tell Ana about it."))
    await front.show(TextStreamed("I will find the event, "))
    await front.show(TextStreamed("change it and message Ana."))
    steps = [
        Step("c1", "find the event: dentist"),
        Step("c2", "move, rename or change an event: my dentist appointment, Friday at 4"),
        Step("c3", "send a message: Ana"),
    ]

    async def mark(number: int, state: StepState) -> None:
        steps[number] = Step(steps[number].call_id, steps[number].words, state)
        await front.show(PlanChanged(tuple(steps)))

    await front.show(PlanChanged(tuple(steps)))
    await front.show(CallAllowed(FIND, "Find events with dentist", "your permission for this session"))
    await front.show(
        CallFinished(
            FIND,
            "Find events",
            Outcome(
                True,
                "2 events found.",
                items=(
                    Item("event:1", "Dentist", "Thu 3 Dec 2026 15:00-15:30 (Home)"),
                    Item("event:2", "Dentist", "Thu 10 Dec 2026 15:00-15:30 (Home)"),
                ),
            ),
        )
    )
    await mark(0, StepState.DONE)
    answer = await front.choose(
        Question(
            "Which event do you mean?",
            (
                Option("Dentist", {"event": "event:1"}, "Thu 3 Dec 2026 15:00"),
                Option("Dentist", {"event": "event:2"}, "Thu 10 Dec 2026 15:00"),
            ),
            "event",
        )
    )
    await front.show(TextStreamed(f"{answer}"))
    await mark(1, StepState.DOING)
    [decision] = await front.ask((change_event(),))
    if decision.reply is Reply.STOP:
        await front.show(TurnEnded(Ending.STOPPED, "✓ 2 events found.\n– not done: change it\nStopped."))
        return
    if decision.reply is Reply.YES:
        await front.show(
            CallFinished(
                change_event().call, "Change", Outcome(True, "Dentist is now on Fri 4 Dec 2026 16:00.")
            )
        )
        await mark(1, StepState.DONE)
    else:
        await front.show(CallDenied(change_event().call, "Change the event Dentist", f"{decision}"))
        await mark(1, StepState.DENIED)
    await mark(2, StepState.DOING)
    letter = "Hi Ana,\n\n" + "my dentist moved to Friday at 4. " * 40 + "\n\nSee you,\nBo"
    [decision] = await front.ask((send_message(letter),))
    await front.show(TextStreamed(f"{decision}"))
    await mark(2, StepState.DONE)
    await front.show(TurnEnded(Ending.DONE, "✓ 2 events found.\n✓ Dentist is now on Fri 4 Dec 2026 16:00."))


async def prepare(progress: Progress) -> None:
    for part in range(20):
        progress("fetching the starter model", part / 20)
        await asyncio.sleep(0.1)


if __name__ == "__main__":
    rows = [
        entry("e3", "Send a message to Ana Ruiz", "messaging.send", outcome="Sent."),
        entry(
            "e2",
            "Change the event Dentist",
            "calendar.change_event",
            outcome="Dentist is now on Fri 4 Dec 2026 16:00.",
            undo=FIND,
        ),
        entry(
            "e1",
            "Look at [today]",
            "calendar.list_events",
            goal_id="g0",
            goal="What is [on] today?",
            rule="this session",
            answer="",
            outcome="2 events.",
        ),
    ]
    house = FakeHouse(
        story,
        rows,
        first_run="first" in sys.argv,
        ready=False,
        prepare=prepare,
        told=(Notice("calendar", "One file cannot be read.", ("broken.ics: line 3",)),),
    )
    print(AskfirstApp(house).run())  # noqa: T201
