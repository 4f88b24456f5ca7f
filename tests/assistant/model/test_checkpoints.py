"""Which places in a text the model can go back to, and which give way when there are too many."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assistant.model.child.checkpoints import Checkpoint, Checkpoints

STATE = np.zeros(10, np.uint8)


def kept(*lengths: int, most: int = 4, most_bytes: int = 1000) -> Checkpoints:
    checkpoints = Checkpoints(most, most_bytes)
    for length in lengths:
        checkpoints.add(Checkpoint(length, STATE))
    return checkpoints


def test_the_nearest_is_the_longest_that_is_not_too_long() -> None:
    checkpoints = kept(100, 300)
    found = [checkpoints.nearest(most) for most in (99, 100, 299, 300, 5000)]
    assert [each.length if each else None for each in found] == [None, 100, 100, 300, 300]


def test_those_of_a_text_that_becomes_another_are_forgotten() -> None:
    checkpoints = kept(100, 200, 300)
    checkpoints.drop_after(200)
    assert checkpoints.lengths == [100, 200]


def test_the_first_and_the_latest_stay_longest() -> None:
    assert kept(100, 200, 300, 400, 500, 600).lengths == [100, 400, 500, 600]


def test_they_are_bounded_in_bytes_but_for_the_last() -> None:
    assert kept(100, 200, 300, most_bytes=20).lengths == [100, 300]
    assert kept(100, 200, 300, most_bytes=5).lengths == [300]


def test_a_passing_one_gives_way_to_any_other() -> None:
    checkpoints = kept(100)
    for length in (150, 200):
        checkpoints.add(Checkpoint(length, STATE, passing=True))
        assert checkpoints.lengths == [100, length]
    checkpoints.add(Checkpoint(300, STATE))
    assert checkpoints.lengths == [100, 300]


def test_a_place_is_kept_once() -> None:
    assert kept(100, 100, 200, 200).lengths == [100, 200]


@given(st.lists(st.tuples(st.integers(1, 50), st.booleans(), st.integers(1, 50))))
def test_whatever_comes_they_are_few_in_order_and_of_the_text_that_is_held(
    steps: list[tuple[int, bool, int]],
) -> None:
    checkpoints = Checkpoints(3, 50)
    for length, passing, cut in steps:
        checkpoints.add(Checkpoint(length, STATE, passing))
        assert length in checkpoints.lengths
        checkpoints.drop_after(cut)
        lengths = checkpoints.lengths
        assert len(lengths) <= 3
        assert lengths == sorted(set(lengths))
        assert all(each <= cut for each in lengths)
