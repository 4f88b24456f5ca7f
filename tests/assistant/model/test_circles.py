"""A circle is seen soon; what merely looks alike, as lists and tables do, is left alone."""

import itertools
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.model.child.circles import Circle, in_answer, in_reasoning
from assistant.model.child.watching import Watch

BOTH = pytest.mark.parametrize("circle", [in_reasoning, in_answer])
NAMES = (
    "Ana Ruiz",
    "Bo Lind",
    "Priya Nair",
    "Sam Holt",
    "Mette Friis",
    "Jonas Berg",
    "Li Wei",
    "Omar Haddad",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def tokens(text: str) -> list[int]:
    """Words, blanks and signs, as a vocabulary would part a text; the same piece is the same number."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(piece, len(numbers)) for piece in re.findall(r" ?\w{1,6}|\s+|[^\w\s]+", text)]


def stops_at(circle: Circle, text: list[int]) -> int | None:
    return next((at for at, token in enumerate(text, 1) if circle.push(token)), None)


LEGITIMATE = {
    "a list of names that come again": "\n".join(
        f"{n}. {NAMES[n * 7 % 8]} - {'here' if n % 3 else 'away'}" for n in range(1, 80)
    ),
    "the same name in every line": "\n".join(
        f"- {day} {hour}:00 with Ana Ruiz" for day in DAYS for hour in range(8, 18)
    ),
    "a table": "| Day | Time | Who | State |\n|-----|------|-----|-------|\n"
    + "".join(f"| {day} | {hour}:00 | {NAMES[hour % 8]} | free |\n" for day in DAYS for hour in range(8, 18)),
    "a table with a wide rule": "|" + "-" * 200 + "|\n| a | b |\n|" + "=" * 200 + "|",
    "JSON with the same keys": json.dumps(
        [
            {"id": n, "calendar": "Work", "zone": "Europe/Copenhagen", "who": NAMES[n % 8], "free": False}
            for n in range(60)
        ],
        indent=2,
    ),
    "code": "".join(f"    if x == {n}:\n        return names[{n * n}]\n" for n in range(60)),
    "a song": "".join(
        "And we will sing it once again, and sing it to the sea.\n" * 2 + f"Now comes verse {n}.\n"
        for n in range(9)
    ),
    "a plan that says the same of each thing": "".join(
        f"Next, {NAMES[n % 8]}. I need to look up the address of {NAMES[n % 8]} and then invite them for"
        f" {DAYS[n % 7]}. I have not done that yet, so step {n} is to call the tool for it.\n"
        for n in range(30)
    ),
    "empty rows": "| | | | |\n" * 5 + "Total: 0\n",
    "a quotation given twice": 2 * " ".join(f"word{n}" for n in range(150)),
    "digits": " ".join(str(n) for n in range(400)),
    "a hundred kisses less": "x" * 60,
}


@BOTH
@pytest.mark.parametrize("text", LEGITIMATE.values(), ids=LEGITIMATE.keys())
def test_what_only_looks_alike_is_no_circle(circle: type[Circle], text: str) -> None:
    assert stops_at(circle(), tokens(text)) is None


CIRCLES = {
    "one word": "wait " * 500,
    "one sentence": "I should check the calendar again. " * 100,
    "two sentences in turn": "Wait, maybe Friday is meant. But then noon is taken. " * 60,
    "a paragraph": (" ".join(f"thought{n}" for n in range(120)) + "\n\n") * 8,
    "a list of the same": "- Ana Ruiz\n" * 300,
    "an object of JSON": '{"name": "Ana", "mail": "ana@example.org"},\n' * 60,
}


@BOTH
@pytest.mark.parametrize("text", CIRCLES.values(), ids=CIRCLES.keys())
def test_the_same_over_and_over_is_a_circle(circle: type[Circle], text: str) -> None:
    found = stops_at(circle(), tokens("First I read what was asked of me and by whom.\n" + text))
    assert found is not None


def test_reasoning_is_stopped_after_three_rounds_or_sixty_tokens() -> None:
    one = stops_at(in_reasoning(), tokens("wait " * 500))
    assert one is not None
    assert one < 80 * 2
    long = [*range(100)] * 8
    assert stops_at(in_reasoning(), long) == 300
    assert stops_at(in_answer(), long) == 400


def test_reasoning_that_says_nothing_new_is_stopped_though_it_never_repeats_a_round() -> None:
    said = [list(range(n * 20, n * 20 + 20)) for n in range(4)]
    turns = itertools.chain.from_iterable(
        itertools.permutations(said[start:] + said[:start], 3) for start in range(4)
    )
    text = [token for turn in turns for sentence in turn for token in sentence]
    reasoning = stops_at(in_reasoning(), text * 3)
    assert reasoning is not None
    assert stops_at(in_answer(), text) is None


@given(st.integers(1, 500), st.integers(0, 700))
def test_a_round_of_any_length_is_seen_wherever_it_begins(length: int, before: int) -> None:
    lead = [-token - 5 for token in range(before)]
    found = stops_at(in_answer(), lead + [*range(length)] * (5 + 400 // length))
    needed = max(160, 3 * length)
    assert found == before + length + needed


@given(st.lists(st.integers(0, 3), max_size=300))
def test_it_stops_exactly_where_the_text_repeats_what_stood_a_round_before(text: list[int]) -> None:
    circle = Circle(least=6, rounds=2)
    found = stops_at(circle, text)
    expected = next((end for end in range(len(text) + 1) if _repeats(text[:end], 6, 2)), None)
    assert found == expected


def _repeats(text: list[int], least: int, rounds: int) -> bool:
    for length in range(1, len(text)):
        same = 0
        while same + length < len(text) and text[-1 - same] == text[-1 - same - length]:
            same += 1
        if same >= max(least, rounds * length):
            return True
    return False


def test_reasoning_is_watched_for_its_length() -> None:
    watch = Watch(10, circles=True)
    assert watch.see([1] * 4, thinking=True) is None
    assert watch.see([2] * 5, thinking=True) is None
    assert watch.see([3], thinking=True) == "long"
    assert watch.see([4] * 100, thinking=False) is None


def test_without_a_limit_reasoning_may_be_long() -> None:
    watch = Watch(0, circles=True)
    assert all(watch.see([token], thinking=True) is None for token in range(5000))


def test_the_answer_may_say_what_the_reasoning_said() -> None:
    watch = Watch(0, circles=True)
    draft = list(range(300))
    for token in (*draft, *draft[:50]):
        assert watch.see([token], thinking=True) is None
    for token in draft:
        assert watch.see([token], thinking=False) is None


def test_circles_are_seen_in_reasoning_sooner_than_in_the_answer() -> None:
    reasons = {}
    for thinking in (True, False):
        watch = Watch(0, circles=True)
        reasons[thinking] = next(n for n in range(500) if watch.see([7], thinking=thinking) == "circle")
    assert reasons[True] < reasons[False]
    assert all(Watch(0, circles=False).see([7], thinking=False) is None for _ in range(500))
