"""A turn from the composer to its end: shown, stopped in two ways, broken, followed by the next."""

import asyncio

import pytest

from assistant.events import (
    CallAllowed,
    CallDenied,
    CallFinished,
    Ending,
    GoalTaken,
    ModelNoted,
    ModelProgressed,
    PlanChanged,
    RepairOffered,
    Step,
    StepState,
    TextStreamed,
    ThoughtStreamed,
    TurnEnded,
)
from assistant.frontend import Frontend
from connectors.base import Call, Item, Needs, Outcome, failed
from permissions.words import Decision, Reply
from tests.tui.fake_house import change_event
from tests.tui.stage import playing
from tui.model_state import Progress
from tui.plan import STATES

CALL = Call("c1", "calendar.list_events", {})


async def whole_story(goal: str, front: Frontend) -> None:
    await front.show(GoalTaken(goal))
    await front.show(ThoughtStreamed("Look for the "))
    await front.show(ThoughtStreamed("dentist first."))
    await front.show(ModelNoted("The reasoning was cut short."))
    await front.show(TextStreamed("I will look"))
    await front.show(TextStreamed(" and tell you."))
    await front.show(CallAllowed(CALL, "Look at Friday", "for this session"))
    items = (Item("event:1", "Dentist", "Thu 3 Dec 2026 15:00"),)
    await front.show(CallFinished(CALL, "Look at Friday", Outcome(True, "1 event found.", items=items)))
    await front.show(CallFinished(CALL, "Read a mail", Outcome(True, "Read.", content="Dear Bo,\nhello")))
    await front.show(CallFinished(CALL, "Send it", failed(Needs.OFFLINE, "Wi-Fi is off.")))
    await front.show(RepairOffered("Turning Wi-Fi on would help."))
    await front.show(CallDenied(CALL, "Turn Wi-Fi on", "not now"))
    await front.show(TurnEnded(Ending.DONE, "✓ 1 event found.\n✗ not done: Send it"))


async def held_up(goal: str, front: Frontend) -> None:
    await front.show(GoalTaken(goal))
    await front.show(PlanChanged((Step("c1", "find it", StepState.DOING), Step("c2", "change it"))))
    await asyncio.Event().wait()


async def test_everything_that_happens_is_seen_in_order() -> None:
    async with playing(whole_story, (80, 40)) as stage:
        await stage.say("When is the dentist?")
        await stage.until(lambda: "Done" in stage.text)
        said = [
            "You   When is the dentist?",
            "thought, 5 words",
            "•   The reasoning was cut short.",
            "Says  I will look and tell you.",
            "▸   Look at Friday (allowed by for this session)",
            "✓   1 event found.",
            "– Dentist  Thu 3 Dec 2026 15:00",
            "┃ Dear Bo,",
            "┃ hello",
            "✗   Send it: Wi-Fi is off.",
            "•   Turning Wi-Fi on would help.",
            "✗   Not done, you said no: Turn Wi-Fi on (not now)",
            "Done",
        ]
        places = [stage.text.find(line) for line in said]
        assert -1 not in places, said[places.index(-1)]
        assert places == sorted(places)


async def test_the_ending_says_only_what_was_not_said_before() -> None:
    async with playing(whole_story, (80, 40)) as stage:
        await stage.say()
        await stage.until(lambda: "Done" in stage.text)
        assert stage.text.count("1 event found.") == 1
        assert "Done  ✗ not done: Send it" in stage.text


async def test_thoughts_are_folded_until_they_are_asked_for() -> None:
    async with playing(whole_story, (80, 40)) as stage:
        await stage.say()
        await stage.until(lambda: "Done" in stage.text)
        assert "dentist first" not in stage.text
        await stage.press("ctrl+t")
        assert "Look for the dentist first." in stage.text
        await stage.press("ctrl+t")
        assert "dentist first" not in stage.text


@pytest.mark.parametrize("states", [list(StepState)[:4], list(StepState)[4:]])
async def test_the_plan_is_shown_with_states_in_words_until_the_turn_ends(states: list[StepState]) -> None:
    async def planning(goal: str, front: Frontend) -> None:
        await front.show(GoalTaken(goal))
        await front.show(
            PlanChanged(tuple(Step(f"c{n}", f"step {n}", s, n == 2) for n, s in enumerate(states)))
        )
        await front.ask((change_event(),))
        await front.show(TurnEnded(Ending.DONE, ""))

    async with playing(planning, (80, 40)) as stage:
        await stage.say()
        prompt = await stage.asked()
        for number, state in enumerate(states):
            sign, words, _ = STATES[state]
            added = " (added)" if number == 2 else ""
            assert f"{sign} {number + 1}  step {number}{added}  {words}" in stage.text
        prompt.answer(Decision(Reply.NO))
        await stage.until(lambda: "step 1" not in stage.text)


async def test_beside_a_request_the_plan_is_one_line_with_the_words_of_the_step_now() -> None:
    async def planning(goal: str, front: Frontend) -> None:
        await front.show(GoalTaken(goal))
        steps = (
            Step("c1", "find it", StepState.DONE),
            Step("c2", "change it " * 9, StepState.DOING),
            Step("c3", "tell Ana"),
        )
        await front.show(PlanChanged(steps))
        await front.ask((change_event(),))

    async with playing(planning) as stage:
        await stage.say()
        await stage.asked()
        line = next(line for line in stage.lines if line.startswith(" Plan"))
        assert line.startswith(" Plan  ✓ 1 done  ▸ 2 now: change it change it")
        assert line.endswith("…  · 3 to do")
        await stage.press("n")


async def test_what_the_model_is_at_is_shown_with_how_far_it_is() -> None:
    async def reading(goal: str, front: Frontend) -> None:
        await front.show(GoalTaken(goal))
        await front.show(ModelProgressed("reading", 0.42))
        await asyncio.Event().wait()

    async with playing(reading) as stage:
        await stage.say()
        await stage.until(lambda: "reading 42%" in stage.text)
        await stage.press("ctrl+c")


async def test_escape_stops_before_the_next_call_and_the_turn_goes_on_to_its_end() -> None:
    async with playing(held_up) as stage:
        await stage.say()
        await stage.until(lambda: "find it" in stage.text)
        await stage.press("escape")
        assert stage.house.soft_stops == 1
        assert stage.app.turns.busy
        assert "stopping before the next call" in stage.text
        await stage.press("ctrl+c")


async def test_ctrl_c_stops_at_once_and_says_so() -> None:
    async with playing(held_up) as stage:
        await stage.say()
        await stage.until(lambda: "find it" in stage.text)
        await stage.press("ctrl+c")
        await stage.until(lambda: not stage.app.turns.busy)
        await stage.until(lambda: "Stopped at once." in stage.text)
        assert "find it" not in stage.text


async def test_ctrl_c_takes_an_open_request_away_without_a_yes() -> None:
    answers: list[object] = []

    async def asks(goal: str, front: Frontend) -> None:
        answers.extend(await front.ask((change_event(),)))

    async with playing(asks) as stage:
        await stage.say()
        await stage.asked()
        await stage.press("ctrl+c")
        await stage.until(lambda: stage.app.conversation.dock.asking is None)
        assert answers == []
        assert stage.app.conversation.dock.composer.has_focus


async def test_a_turn_that_shows_its_own_ending_when_cancelled_has_only_that_one() -> None:
    async def ends_itself(goal: str, front: Frontend) -> None:
        await front.show(GoalTaken(goal))
        try:
            await asyncio.Event().wait()
        finally:
            await front.show(TurnEnded(Ending.STOPPED, "– not done: change it\nStopped: at once."))

    async with playing(ends_itself) as stage:
        await stage.say()
        await stage.press("ctrl+c")
        await stage.until(lambda: not stage.app.turns.busy)
        assert "Stop  – not done: change it" in stage.text
        assert "Stopped at once." not in stage.text


async def test_an_error_in_a_turn_is_said_and_the_next_goal_can_be_given() -> None:
    async def breaks(goal: str, front: Frontend) -> None:
        await front.show(GoalTaken(goal))
        raise RuntimeError("The disk is full [really].")

    async with playing(breaks) as stage:
        await stage.say()
        await stage.until(lambda: "The disk is full [really]." in stage.text)
        await stage.until(lambda: not stage.app.turns.busy)
        await stage.say("again")
        await stage.until(lambda: len(stage.house.goals) == 2)


async def test_a_goal_given_while_one_is_going_on_waits_for_its_turn() -> None:
    going = asyncio.Event()

    async def waits(goal: str, front: Frontend) -> None:
        await front.show(GoalTaken(goal))
        await going.wait()
        await front.show(TurnEnded(Ending.DONE, ""))

    async with playing(waits) as stage:
        await stage.say("first")
        await stage.say("second")
        assert stage.house.goals == ["first"]
        assert "next, when this goal has ended" in stage.text
        going.set()
        await stage.until(lambda: stage.house.goals == ["first", "second"])


async def test_editing_a_waiting_goal_takes_it_back_into_the_composer() -> None:
    async with playing(held_up) as stage:
        await stage.say("first")
        await stage.say("second")
        await stage.press("x")
        await stage.settle()
        assert not stage.app.conversation.dock.composer.held
        await stage.press("ctrl+c")


@pytest.mark.parametrize("key", ["ctrl+c"])
async def test_a_waiting_goal_is_not_begun_after_a_stop(key: str) -> None:
    async with playing(held_up) as stage:
        await stage.say("first")
        await stage.say("second")
        await stage.press(key)
        await stage.until(lambda: not stage.app.turns.busy)
        await stage.settle()
        assert stage.house.goals == ["first"]
        assert stage.app.conversation.dock.composer.text == "second"


async def test_a_goal_given_before_the_model_is_ready_waits_for_it() -> None:
    ready = asyncio.Event()

    async def prepare(progress: Progress) -> None:
        progress("fetching the model", 0.5)
        await ready.wait()

    async with playing(whole_story, ready=False, prepare=prepare) as stage:
        await stage.until(lambda: "fetching the model 50%" in stage.text)
        await stage.say("When is it?")
        assert "You   When is it?" in stage.text
        assert stage.house.goals == []
        ready.set()
        await stage.until(lambda: stage.house.goals == ["When is it?"])


async def test_a_model_that_cannot_be_had_is_said_and_tried_again_with_the_next_goal() -> None:
    tries: list[int] = []

    async def prepare(progress: Progress) -> None:
        tries.append(1)
        raise OSError("There is no network.")

    async with playing(ready=False, prepare=prepare) as stage:
        await stage.until(lambda: "There is no network." in stage.text)
        await stage.say()
        await stage.until(lambda: "Stop  There is no network." in stage.text)
        assert len(tries) == 2
        assert stage.house.goals == []


async def test_escape_while_the_model_is_being_made_ready_ends_the_turn() -> None:
    async def prepare(progress: Progress) -> None:
        await asyncio.Event().wait()

    async with playing(ready=False, prepare=prepare) as stage:
        await stage.say()
        await stage.press("escape")
        await stage.until(lambda: not stage.app.turns.busy)
        assert stage.house.goals == []


async def test_quitting_stops_the_turn_and_closes_the_house_once() -> None:
    async with playing(held_up) as stage:
        await stage.say()
        await stage.press("ctrl+q")
    assert not stage.app.turns.busy
    assert stage.house.closed == 1


async def test_stop_is_offered_only_while_there_is_something_to_stop() -> None:
    async with playing(held_up) as stage:
        assert "Esc stop" not in stage.lines[-1]
        await stage.say()
        await stage.until(lambda: "Esc stop" in stage.lines[-1])
        await stage.press("ctrl+c")
        await stage.until(lambda: "Esc stop" not in stage.lines[-1])
