"""Endings are told from outcomes: nothing is said to be done that was not done."""

import pytest

from assistant.events import Ending, StepState
from assistant.wording import call_words, closing, nothing_fits
from connectors.base import Call
from connectors.calendar.tools import TOOLS


def test_a_call_is_told_by_what_it_does_and_the_words_it_was_given() -> None:
    call = Call(
        "1",
        "calendar.create_event",
        {"title": "lunch", "when": "noon", "invite": ["Sam", "Ana"], "place": None},
    )
    assert call_words(call, TOOLS[2]) == "create event: lunch, noon, Sam and Ana"


def test_every_call_has_its_line_and_a_denial_says_so() -> None:
    told = [
        (StepState.DONE, "Turned Wi-Fi off."),
        (StepState.DENIED, "Send a message to Ana Ruiz (you said no)"),
    ]
    assert closing(Ending.DONE, told).splitlines() == [
        "✓ Turned Wi-Fi off.",
        "✗ not done: Send a message to Ana Ruiz (you said no)",
    ]


def test_a_turn_without_calls_says_that_nothing_was_done() -> None:
    assert closing(Ending.DONE, []) == "Nothing was done."


def test_a_stop_and_a_limit_say_why() -> None:
    assert closing(Ending.STOPPED, [], "you stopped it") == "Stopped: you stopped it."
    assert closing(Ending.LIMIT, [], "the same request came 3 times").endswith(
        "because the same request came 3 times."
    )


def test_when_nothing_fits_it_says_what_can_be_done_instead() -> None:
    text = nothing_fits(TOOLS)
    assert "nothing was done" in text
    assert "calendar: list events, find free time, create event, change event, delete event" in text


def test_what_is_held_is_not_said_to_be_done() -> None:
    text = "Held; goes out at 10:00:30 unless you undo it."
    assert closing(Ending.DONE, [(StepState.HELD, text)]) == f"◷ {text}"


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        ("The answer reached its limit.", "Ended because the answer reached its limit."),
        ("BotPsy stopped in the middle: it ended.", "Ended because BotPsy stopped in the middle: it ended."),
        ("one goal may make 12 calls at most", "Ended because one goal may make 12 calls at most."),
    ],
)
def test_a_reason_stands_within_its_sentence(reason: str, line: str) -> None:
    assert closing(Ending.FAILED, [], reason) == line
