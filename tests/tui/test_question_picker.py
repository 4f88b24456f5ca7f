"""A question of a connector: a choice, a free answer, or none."""

import pytest

from assistant.frontend import Answer
from connectors.base import Option, Question
from tests.tui.stage import asking
from tui import question

WHICH = Question(
    "Which event do you mean?",
    (
        Option("Dentist", {"event": "event:1"}, "Thu 3 Dec 2026 15:00"),
        Option("Dentist", {"event": "event:2"}, "Thu 10 Dec 2026 15:00"),
        Option("Dentist party", {"event": "event:3"}),
    ),
)
WHICH_OR_OTHER = Question(WHICH.text, WHICH.options, argument="event")
WHEN = Question("When shall it be?", argument="when")
MANY = Question("Which file?", tuple(Option(f"file-{n}.txt", {"path": f"p{n}"}) for n in range(1, 23)))


async def test_a_number_gives_that_answer() -> None:
    async with asking(WHICH) as (stage, script):
        await stage.questioned()
        await stage.press("2")
        assert script.answer == Answer({"event": "event:2"})
        assert "Which event do you mean?  You chose: Dentist, Thu 10 Dec 2026 15:00" in stage.text


async def test_enter_gives_the_marked_answer() -> None:
    async with asking(WHICH) as (stage, script):
        await stage.questioned()
        await stage.press("down", "j", "k", "enter")
        assert script.answer == Answer({"event": "event:2"})


async def test_a_number_that_is_no_answer_does_nothing() -> None:
    async with asking(WHICH) as (stage, script):
        await stage.questioned()
        await stage.press("4", "0")
        assert script.answers == []


async def test_escape_is_no_answer() -> None:
    async with asking(WHICH) as (stage, script):
        await stage.questioned()
        await stage.press("escape")
        assert script.answer == Answer(None)
        assert "You gave no answer." in stage.text


async def test_keys_pressed_before_there_was_time_to_look_are_dropped() -> None:
    async with asking(WHICH) as (stage, script):
        await stage.appeared()
        await stage.press("1", "enter", "2")
        assert script.answers == []


async def test_the_mouse_chooses_nothing() -> None:
    async with asking(WHICH) as (stage, script):
        await stage.questioned()
        for y in range(24):
            await stage.pilot.click(offset=(5, y))
        assert script.answers == []


async def test_an_answer_of_ones_own_may_be_written() -> None:
    async with asking(WHICH_OR_OTHER) as (stage, script):
        await stage.questioned()
        assert "something else: write it" in stage.text
        await stage.press("0")
        await stage.type("the 2nd one")
        await stage.press("enter")
        assert script.answer == Answer({"event": "the 2nd one"})


async def test_the_arrow_keys_reach_the_line_too() -> None:
    async with asking(WHICH_OR_OTHER) as (stage, script):
        await stage.questioned()
        await stage.press("down", "down", "down", "enter")
        await stage.type("1")
        await stage.press("enter")
        assert script.answer == Answer({"event": "1"})


async def test_leaving_the_line_goes_back_to_the_answers() -> None:
    async with asking(WHICH_OR_OTHER) as (stage, script):
        await stage.questioned()
        await stage.press("0", "x", "escape")
        assert script.answers == []
        await stage.look()
        await stage.press("1")
        assert script.answer == Answer({"event": "event:1"})


async def test_a_question_without_options_takes_a_written_answer_at_once() -> None:
    async with asking(WHEN) as (stage, script):
        await stage.questioned()
        await stage.type("friday")
        await stage.press("enter")
        assert script.answer == Answer({"when": "friday"})
        assert "You wrote: friday" in stage.text


async def test_what_was_typed_before_the_line_came_is_no_answer() -> None:
    async with asking(WHEN) as (stage, script):
        await stage.appeared()
        await stage.press("o", "k", "enter")
        assert script.answers == []


async def test_an_empty_line_is_no_answer_yet() -> None:
    async with asking(WHEN) as (stage, script):
        await stage.questioned()
        await stage.press("enter", "space", "enter")
        assert script.answers == []


async def test_escape_in_the_only_line_is_no_answer() -> None:
    async with asking(WHEN) as (stage, script):
        await stage.questioned()
        await stage.press("escape")
        assert script.answer == Answer(None)


async def test_of_many_answers_the_marked_one_is_always_in_view() -> None:
    async with asking(MANY) as (stage, script):
        await stage.questioned()
        assert "more answers" in stage.text
        await stage.press(*["down"] * 21)
        assert "file-22.txt" in stage.text
        await stage.press("enter")
        assert script.answer == Answer({"path": "p22"})


async def test_a_question_that_cannot_be_drawn_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr(question, "choice_lines", broken)
    async with asking(WHICH) as (stage, script):
        await stage.until(lambda: script.answers)
        assert script.answer == Answer(None)


KEEP = Question(
    "Wi-Fi is off. Keep it so?", (Option("Set it back", {}), Option("Keep it", {"keep": True})), seconds=15
)


async def test_a_question_that_ends_counts_its_seconds_down() -> None:
    async with asking(KEEP) as (stage, _):
        await stage.questioned()
        assert "14 s ─┐" in stage.text
        stage.clock.now += 9.5
        stage.app.conversation.dock.redraw()
        await stage.settle()
        assert "5 s ─┐" in stage.text


async def test_enter_sets_back_and_only_a_chosen_answer_keeps() -> None:
    async with asking(KEEP) as (stage, script):
        await stage.questioned()
        await stage.press("enter")
        assert script.answer == Answer({})
