"""What is said after a model was measured."""

from dataclasses import replace

import pytest

from assistant.model.capacity.advice import advice, warm_seconds
from assistant.model.capacity.measure import Asked, Measured, Speed

MB, GB = 1_000_000, 1_000_000_000

FINE = Measured(
    title="BotPsy 0.8B (Q8_0)",
    key="botpsy-q8",
    size=810 * MB,
    file_type=7,
    cores=4,
    context=8192,
    trained_context=262_144,
    load=1.2,
    speeds=(Speed(3, 90.0, 20.0), Speed(4, 95.0, 19.0)),
    cold=Asked(33.0, 36.0, 3000, 3000),
    warm=(Asked(1.0, 3.0, 40, 3010), Asked(1.0, 5.0, 40, 3010)),
    thinking=False,
    otherwise=None,
    memory=1100 * MB,
    needed=1300 * MB,
    available=6 * GB,
    busy=0.1,
)


def test_where_all_is_well_it_is_only_said_that_the_threads_are_right() -> None:
    assert advice(FINE) == ["Threads: 3 are right for this machine."]


def test_another_number_of_threads_is_proposed_if_it_is_clearly_faster() -> None:
    (said,) = advice(replace(FINE, speeds=(Speed(3, 90, 20), Speed(1, 40, 8), Speed(4, 150, 30))))
    assert said.startswith("Threads: 4 are 1.5 times as fast as 3 here. Set threads = 4 in config.toml")


def test_threads_with_which_nothing_came_are_not_proposed() -> None:
    assert advice(replace(FINE, speeds=(Speed(3, 90, 20), Speed(4, 0, 0)))) == advice(FINE)


@pytest.mark.parametrize(("kind", "name"), [(0, "F32"), (1, "F16"), (32, "BF16")])
def test_an_uncompressed_file_is_better_replaced_by_q8(kind: int, name: str) -> None:
    said = advice(replace(FINE, file_type=kind))
    assert f"File: a Q8_0 file answers as well as {name}, in much less memory and time." in said


def test_q4_is_proposed_where_q8_is_slow_or_memory_is_tight_and_nowhere_else() -> None:
    slow, tight = replace(FINE, speeds=(Speed(3, 40, 5),)), replace(FINE, available=1400 * MB)
    assert any("Q4_K_M" in line for line in advice(slow))
    assert any("Q4_K_M" in line for line in advice(tight))
    assert not any("Q4_K_M" in line for line in advice(replace(slow, file_type=15)))


def test_a_context_that_may_take_nearly_all_that_is_free_is_told() -> None:
    (said,) = (line for line in advice(replace(FINE, available=1400 * MB)) if "Context" in line)
    assert said == (
        "Context: with 8,192 tokens it may take 1.3 GB of the 1.4 GB that are free. Set a smaller context"
        " under [models.botpsy-q8] in config.toml."
    )


def test_a_context_that_the_tools_nearly_fill_is_told() -> None:
    said = advice(replace(FINE, context=4096))
    assert "Context: the tools and one goal fill 3,000 of 4,096 tokens." in "\n".join(said)


@pytest.mark.parametrize(("thinking", "other", "word"), [(False, 18.0, "off"), (True, 1.0, "on")])
def test_what_thinking_costs_is_told(thinking: bool, other: float, word: str) -> None:
    one = replace(FINE, thinking=thinking, otherwise=Asked(0.5, other, 0, 3010))
    with_it, without = (4, 1) if thinking else (18, 4)
    assert f"Thinking is {word}: with it a goal takes {with_it} s, without it {without} s." in "\n".join(
        advice(one)
    )


def test_thinking_that_costs_nothing_is_not_spoken_of() -> None:
    assert advice(replace(FINE, otherwise=Asked(0.5, 4.2, 0, 3010))) == advice(FINE)


def test_a_long_wait_names_the_starter_but_not_to_the_starter() -> None:
    slow = replace(FINE, warm=(Asked(2, 30, 40, 3010),))
    assert advice(slow)[-1].startswith("Waiting: a goal takes 30 s here. The starter answers sooner")
    assert advice(replace(slow, key="starter")) == advice(FINE)


def test_a_busy_machine_comes_first_because_it_spoils_all_figures() -> None:
    assert advice(replace(FINE, busy=2.5))[0].startswith("Busy: other programs were computing (load 2.5")


def test_the_usual_wait_is_to_the_first_word_where_no_call_came() -> None:
    assert warm_seconds(FINE) == 4.0
    assert warm_seconds(replace(FINE, warm=(Asked(2, None, 40, 3010), Asked(None, None, 0, 0)))) == 2.0
    assert warm_seconds(replace(FINE, warm=(Asked(None, None, 0, 0),))) is None
