"""Tokens are drawn as llama.cpp and the models' cards say: each number does what it is for."""

from collections import Counter
from collections.abc import Sequence
from ctypes import pointer

import llama_cpp
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.model.child.sampling import Sampler, likeliest
from assistant.model.wire import Sampling

Logits = npt.NDArray[np.single]

QWEN_FREE = Sampling(temperature=1.0, top_k=20, top_p=0.95, min_p=0.0, presence=1.5)
QWEN_PRECISE = Sampling(temperature=0.6, top_k=20, top_p=0.95, min_p=0.0)
QWEN_PLAIN = Sampling(temperature=0.7, top_k=20, top_p=0.8, min_p=0.0)
HERMES = Sampling(temperature=0.2, top_k=40, top_p=0.95, min_p=0.05)
ODD = Sampling(temperature=1.3, top_k=7, top_p=0.9, min_p=0.1, presence=-0.5, repetition=1.3, window=3)


def some_logits(seed: int, size: int = 1000) -> Logits:
    return np.random.default_rng(seed).normal(0, 3, size).astype(np.single)


def by_llama(logits: Logits, sampling: Sampling, said: Sequence[int]) -> dict[int, float]:
    """How likely llama.cpp's own samplers, in their usual order, make each token."""
    chain = llama_cpp.llama_sampler_chain_init(llama_cpp.llama_sampler_chain_default_params())
    for sampler in (
        llama_cpp.llama_sampler_init_penalties(
            len(logits), sampling.window, sampling.repetition, 0.0, sampling.presence
        ),
        llama_cpp.llama_sampler_init_top_k(sampling.top_k),
        llama_cpp.llama_sampler_init_top_p(sampling.top_p, 1),
        llama_cpp.llama_sampler_init_min_p(sampling.min_p, 1),
        llama_cpp.llama_sampler_init_temp(sampling.temperature),
        llama_cpp.llama_sampler_init_dist(1),
    ):
        llama_cpp.llama_sampler_chain_add(chain, sampler)
    for token in said:
        llama_cpp.llama_sampler_accept(chain, token)
    data = (llama_cpp.llama_token_data * len(logits))()
    for id_, logit in enumerate(logits):
        data[id_] = llama_cpp.llama_token_data(id_, logit, 0.0)
    array = llama_cpp.llama_token_data_array(data, len(logits), -1, False)
    llama_cpp.llama_sampler_apply(chain, pointer(array))
    found = {array.data[at].id: array.data[at].p for at in range(array.size)}
    llama_cpp.llama_sampler_free(chain)
    return found


def by_us(logits: Logits, sampling: Sampling, said: Sequence[int]) -> dict[int, float]:
    sampler = Sampler(sampling, 1)
    for token in said:
        sampler.took(token)
    ids, chances = sampler.chances(logits)
    return dict(zip(ids.tolist(), (chances / chances.sum()).tolist(), strict=True))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("sampling", [QWEN_FREE, QWEN_PRECISE, QWEN_PLAIN, HERMES, ODD])
def test_every_token_is_as_likely_as_in_llama_cpp(sampling: Sampling, seed: int) -> None:
    logits = some_logits(seed)
    said = [int(id_) for id_ in np.argsort(-logits)[:6:2]]
    ours, theirs = by_us(logits, sampling, said), by_llama(logits, sampling, said)
    assert ours.keys() == theirs.keys()
    assert [ours[id_] for id_ in ours] == pytest.approx([theirs[id_] for id_ in ours], rel=1e-4)


def test_tokens_are_drawn_as_often_as_they_are_likely() -> None:
    logits = some_logits(3, 50)
    likely = by_us(logits, QWEN_FREE, [])
    sampler = Sampler(QWEN_FREE, 7)
    drawn = Counter(next(iter(sampler.draws(logits))) for _ in range(20_000))
    assert drawn.keys() <= likely.keys()
    for id_, chance in likely.items():
        assert drawn[id_] / 20_000 == pytest.approx(chance, abs=0.015)


def test_only_the_last_tokens_of_the_window_are_punished() -> None:
    logits = np.zeros(10, np.single)
    window = Sampling(temperature=1.0, presence=100.0, window=2)
    assert set(by_us(logits, window, [1, 2, 3])) >= {0, 1, 4}
    chances = by_us(logits, window, [1, 2, 3])
    assert chances[1] == chances[0] > 0.1
    assert chances[2] == chances[3] < 1e-9
    whole = by_us(logits, Sampling(temperature=1.0, presence=100.0, window=0), [*range(1, 10)] * 20)
    assert whole[0] == pytest.approx(1.0)


def test_presence_counts_a_token_once_however_often_it_was_said() -> None:
    logits = some_logits(1)
    assert by_us(logits, QWEN_FREE, [5, 5, 5]) == by_us(logits, QWEN_FREE, [5])


def test_repetition_lowers_what_was_likely_and_what_was_not() -> None:
    logits = np.array([2.0, -2.0, 0.5], np.single)
    chances = by_us(logits, Sampling(temperature=1.0, repetition=2.0), [0, 1])
    weights = np.exp([1.0, -4.0, 0.5])
    assert [chances[id_] for id_ in range(3)] == pytest.approx(list(weights / weights.sum()))


def test_within_a_call_nothing_is_punished() -> None:
    logits = np.array([5.0, 4.9, 0.0], np.single)
    greedy = Sampler(Sampling(presence=3.0), None)
    greedy.took(0)
    assert next(iter(greedy.draws(logits))) == 1
    assert next(iter(greedy.draws(logits, penal=False))) == 0


def test_without_heat_the_likeliest_comes_first_and_then_the_next() -> None:
    logits = some_logits(2)
    drawn = list(Sampler(Sampling(temperature=0.0, top_k=5), None).draws(logits))
    assert drawn == np.argsort(-logits)[:5].tolist()


@pytest.mark.parametrize("sampling", [QWEN_FREE, ODD, Sampling(presence=2.0)])
def test_drawing_leaves_the_logits_as_they_are(sampling: Sampling) -> None:
    logits = some_logits(4)
    before = logits.copy()
    sampler = Sampler(sampling, 1)
    for token in likeliest(logits, 4):
        sampler.took(int(token))
    draws = sampler.draws(logits)
    for _ in range(3):
        next(draws)
        assert (logits == before).all()


def test_what_is_refused_is_not_drawn_again_and_the_rest_keep_their_chances() -> None:
    logits = np.log(np.array([0.5, 0.3, 0.2], np.single))
    sampler = Sampler(Sampling(temperature=1.0), 3)
    seconds = Counter()
    for _ in range(8000):
        first, second, third = sampler.draws(logits)
        assert sorted((first, second, third)) == [0, 1, 2]
        if first == 0:
            seconds[second] += 1
    assert seconds[1] / seconds.total() == pytest.approx(0.6, abs=0.03)


def test_a_seed_gives_the_same_draws() -> None:
    logits = some_logits(5)

    def drawn(seed: int) -> list[int]:
        sampler = Sampler(QWEN_FREE, seed)
        return [next(iter(sampler.draws(logits))) for _ in range(20)]

    assert drawn(1) == drawn(1) != drawn(2)


@given(st.integers(0, 2**32), st.integers(1, 9000), st.integers(0, 60), st.booleans())
def test_the_likeliest_are_found_in_any_vocabulary(seed: int, size: int, count: int, ties: bool) -> None:
    logits = some_logits(seed, size)
    if ties:
        logits = np.round(logits)
    found = likeliest(logits, count)
    expected = min(count or size, size)
    assert len(set(found.tolist())) == expected
    assert logits[found].tolist() == np.sort(logits)[::-1][:expected].tolist()
