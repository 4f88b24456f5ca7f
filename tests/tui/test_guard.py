"""When a key counts: after a moment of quiet, by the time it was pressed."""

import time

import pytest
from textual import events

from tests.tui.stage import TurnedClock
from tui.keys import DEAD_TIME, Guard, key_name


def key() -> events.Key:
    return events.Key("y", "y")


def guard_and_clock() -> tuple[Guard, TurnedClock]:
    clock = TurnedClock()
    return Guard(clock), clock


def test_nothing_counts_before_the_question_is_in_view() -> None:
    guard, clock = guard_and_clock()
    clock.now += 100
    assert not guard.lets_pass(key())
    assert not guard.awake


def test_keys_count_after_the_dead_time() -> None:
    guard, clock = guard_and_clock()
    guard.appeared()
    clock.now += DEAD_TIME + 0.3
    assert guard.awake
    assert guard.lets_pass(key())


def test_a_key_that_comes_too_early_starts_the_time_anew() -> None:
    guard, clock = guard_and_clock()
    guard.appeared()
    clock.now += 0.3
    assert not guard.lets_pass(key())
    clock.now += 0.3
    assert not guard.lets_pass(key())


def test_a_key_pressed_before_the_question_but_heard_late_does_not_count() -> None:
    guard, clock = guard_and_clock()
    early = key()
    early.time = time.monotonic() - 5
    guard.appeared()
    clock.now += 1
    assert not guard.lets_pass(early)


def test_nothing_counts_while_the_question_is_hidden() -> None:
    guard, clock = guard_and_clock()
    guard.appeared()
    clock.now += 1
    guard.hidden()
    assert not guard.lets_pass(key())


@pytest.mark.parametrize(
    ("display", "name"),
    [("^q", "Ctrl+Q"), ("f2", "F2"), ("esc", "Esc"), ("⏎", "Enter"), ("y", "y"), ("Y", "Y"), ("^", "^")],
)
def test_keys_are_named_as_they_stand_on_the_keyboard(display: str, name: str) -> None:
    assert key_name(display) == name
