"""One goal may attempt only so much, and a failed call is not run again unchanged."""

from assistant.budget import Budget, Limits
from connectors.base import Call, Effect


def call(number: int, tool: str = "files.read") -> Call:
    return Call(str(number), tool, {"file": f"{number}.txt"})


def test_a_goal_may_make_so_many_calls_and_no_more() -> None:
    budget = Budget(Limits(calls=3))
    assert [budget.attempt(call(n)) is None for n in range(4)] == [True, True, True, False]


def test_attempts_count_even_when_they_fail() -> None:
    budget = Budget(Limits(calls=2))
    for n in range(2):
        budget.attempt(call(n))
        budget.failed(call(n))
    assert budget.attempt(call(9)) == "one goal may make 2 calls at most"


def test_effects_and_sends_have_bounds_of_their_own() -> None:
    budget = Budget(Limits(effects=3, sends=1))
    assert budget.spend([Effect.READ]) is None
    assert budget.spend([Effect.SEND]) is None
    assert budget.spend([Effect.SEND]) == "one goal may send 1 messages at most"
    assert budget.spend([Effect.WRITE]) is None
    assert budget.spend([Effect.WRITE]) == "one goal may change 3 things at most"


def test_reading_costs_no_effect() -> None:
    budget = Budget(Limits(effects=1))
    assert all(budget.spend([Effect.READ, Effect.MARK]) is None for _ in range(9))


def test_a_failed_call_is_known_whatever_its_id() -> None:
    budget = Budget(Limits())
    budget.failed(Call("a", "files.read", {"file": "x", "n": 1}))
    assert budget.has_failed(Call("b", "files.read", {"n": 1, "file": "x"}))
    assert not budget.has_failed(Call("c", "files.read", {"file": "y", "n": 1}))


def test_a_mended_call_may_be_tried_again() -> None:
    budget = Budget(Limits(same=2))
    budget.attempt(call(1))
    budget.failed(call(1))
    budget.mended(call(1))
    assert not budget.has_failed(call(1))
    assert budget.attempt(call(1)) is None


def test_the_third_identical_call_ends_the_goal() -> None:
    budget = Budget(Limits())
    assert [budget.attempt(call(1)) for _ in range(3)] == [None, None, "the same request came 3 times"]


def test_three_denials_end_the_goal() -> None:
    budget = Budget(Limits())
    assert [budget.denied() is None for _ in range(3)] == [True, True, False]


def test_two_unreadable_answers_are_forgiven() -> None:
    budget = Budget(Limits())
    assert [budget.misread() is None for _ in range(3)] == [True, True, False]
