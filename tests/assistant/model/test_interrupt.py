"""Stopped in the middle of a computation, the memory stands at a good place, and the next answer is right."""

from collections.abc import Callable
from pathlib import Path

import llama_cpp
import numpy as np
import numpy.typing as npt
import pytest

from assistant.model.child.interrupt import Interrupt, Interrupted
from assistant.model.child.loading import Log, load
from assistant.model.child.memory import Memory
from assistant.model.child.prompts import Prompt
from assistant.model.wire import Load

TOKENS = [5 + number * 7 % 200 for number in range(60)]
MORE = [9 + number * 11 % 200 for number in range(40)]
# Other parts are added up in another order, so the numbers differ in the last places.
CLOSE = 0.05
LOG = Log()


class Bench:
    """A toy model in this process, with its memory."""

    def __init__(self, path: Path) -> None:
        self.model = load(Load(str(path), None, 1024, 1), LOG)
        self.interrupt = Interrupt()
        self.interrupt.watch(self.model)
        self.memory = Memory(self.model, self.interrupt, None)

    def read(self, tokens: list[int], lasting: int = 0, cancelled: Callable[[], bool] = bool) -> bool:
        prompt = Prompt("", tokens, lasting=lasting)
        return self.memory.read(prompt, self.memory.reuse(prompt), cancelled, lambda _done: None)

    def logits(self) -> npt.NDArray[np.single]:
        found = llama_cpp.llama_get_logits_ith(self.model.ctx, -1)
        return np.ctypeslib.as_array(found, shape=(self.model.n_vocab(),)).copy()


@pytest.fixture(params=["toy_qwen", "toy_llama"])
def bench(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.getfixturevalue(request.param))


def test_a_lifted_interrupt_stops_a_computation_until_it_is_lowered(bench: Bench) -> None:
    bench.interrupt.lift()
    assert bench.interrupt.raised
    assert not bench.read(TOKENS)
    bench.interrupt.lower()
    assert bench.read(TOKENS)


def test_after_it_the_model_goes_on_from_the_last_good_place_as_a_fresh_one(bench: Bench) -> None:
    bench.read([*TOKENS, *MORE])
    expected = bench.logits()
    bench.memory.forget()
    bench.read(TOKENS, lasting=len(TOKENS))
    bench.interrupt.lift()
    with pytest.raises(Interrupted):
        bench.memory.extend(MORE)
    bench.interrupt.lower()
    prompt = Prompt("", [*TOKENS, *MORE])
    assert bench.memory.reuse(prompt) == len(TOKENS)
    bench.memory.extend(MORE)
    assert np.abs(bench.logits() - expected).max() < CLOSE


def test_cut_back_it_goes_on_as_if_the_rest_had_not_been(bench: Bench) -> None:
    bench.read([*TOKENS, *MORE[:10], 77])
    expected = bench.logits()
    bench.memory.forget()
    bench.read(TOKENS, lasting=len(TOKENS))
    bench.memory.extend(MORE)
    bench.memory.cut(len(TOKENS) + 10)
    assert bench.memory.held() == (*TOKENS, *MORE[:10])
    bench.memory.extend([77])
    assert np.abs(bench.logits() - expected).max() < CLOSE


def test_with_no_good_place_before_it_nothing_of_a_torn_memory_is_used(toy_qwen: Path) -> None:
    bench = Bench(toy_qwen)
    bench.memory.extend(TOKENS)
    bench.interrupt.lift()
    with pytest.raises(Interrupted):
        bench.memory.extend(MORE)
    bench.interrupt.lower()
    assert not bench.memory.reaches(Prompt("", TOKENS))
    assert bench.memory.reuse(Prompt("", [*TOKENS, *MORE])) == 0


def test_a_failure_that_nobody_asked_for_is_an_error_and_all_is_forgotten(bench: Bench) -> None:
    bench.read(TOKENS)
    with pytest.raises(RuntimeError):
        bench.memory.extend([10_000_000])
    assert bench.memory.length == 0
    assert bench.read(TOKENS)


def test_stopped_between_two_parts_what_was_read_is_kept(bench: Bench) -> None:
    stops = iter([False, True])
    assert not bench.read(TOKENS * 3, cancelled=lambda: next(stops))
    assert bench.memory.length == 64
    assert bench.memory.reuse(Prompt("", TOKENS * 3)) == 64
