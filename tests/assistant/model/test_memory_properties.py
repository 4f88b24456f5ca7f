"""Whatever was read, stopped and gone back to before, the model computes what one that is fresh does."""

import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

import llama_cpp
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from assistant.model.child.interrupt import Interrupt, Interrupted
from assistant.model.child.loading import Log, forget, load
from assistant.model.child.memory import Memory
from assistant.model.child.prompts import Prompt
from assistant.model.child.states import Beginnings
from assistant.model.wire import Load

LOG = Log()
# Two sets of tools, each with conversations that part at several places.
TOOLS = [[5 + number * step % 200 for number in range(120)] for step in (7, 11)]
TALK = [9 + number * 13 % 200 for number in range(100)]
# Parts of other sizes are added up in another order, so the numbers differ in the last places.
CLOSE = 0.05


@dataclass(frozen=True)
class Reading:
    """One prompt that is read: whole, given up after some parts, or stopped in the middle of one."""

    tools: int
    shared: int
    own: int
    kind: str
    stop: int

    @property
    def prompt(self) -> Prompt:
        tokens = [*TOOLS[self.tools], *TALK[: self.shared], *([self.own] * (4 * self.own + 1))]
        return Prompt("", tokens, fixed=len(TOOLS[self.tools]), lasting=len(TOOLS[0]) + self.shared)


READINGS = st.builds(
    Reading,
    st.integers(0, 1),
    st.integers(0, 100),
    st.integers(0, 30),
    st.sampled_from(["whole", "whole", "whole", "given up", "stopped", "answered", "ahead"]),
    st.integers(0, 4),
)


# Parts from one with more in common before the place where that one was remembered, and is longer than it.
LONGER = [Reading(0, 10, 30, "whole", 0), Reading(0, 10, 29, "whole", 0), Reading(0, 10, 30, "whole", 0)]


class Model:
    """A toy in this process."""

    def __init__(self, path: Path) -> None:
        self.model = load(Load(str(path), None, 512, 1), LOG)
        self.interrupt = Interrupt()
        self.interrupt.watch(self.model)

    def logits(self) -> npt.NDArray[np.single]:
        found = llama_cpp.llama_get_logits_ith(self.model.ctx, -1)
        return np.ctypeslib.as_array(found, shape=(self.model.n_vocab(),)).copy()

    def afresh(self, tokens: list[int]) -> npt.NDArray[np.single]:
        forget(self.model)
        self.model.eval(tokens)
        return self.logits()

    def read(self, memory: Memory, reading: Reading) -> bool:
        """Read as told; True if an answer could begin."""
        prompt, parts = reading.prompt, iter(range(1000))
        self.interrupt.lower()
        if reading.kind == "ahead":
            ahead = Prompt("", prompt.tokens[: prompt.lasting], prompt.fixed, prompt.lasting)
            if not memory.reaches(ahead):
                memory.read(ahead, memory.reuse(ahead, leave=0), bool, lambda _done: None)
            return False

        def cancelled() -> bool:
            if next(parts) < reading.stop or reading.kind in ("whole", "answered"):
                return False
            if reading.kind == "stopped":
                self.interrupt.lift()
            return reading.kind == "given up"

        whole = memory.read(prompt, memory.reuse(prompt), cancelled, lambda _done: None)
        self.interrupt.lower()
        return whole


@pytest.fixture(scope="module")
def pairs(toy_qwen: Path, toy_llama: Path) -> list[tuple[Model, Model]]:
    return [(Model(path), Model(path)) for path in (toy_qwen, toy_llama)]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@example(hybrid=True, on_disk=False, readings=[Reading(0, 50, 5, "whole", 0), *LONGER])
@given(hybrid=st.booleans(), on_disk=st.booleans(), readings=st.lists(READINGS, min_size=1, max_size=8))
def test_what_a_model_has_read_never_changes_what_it_says(
    pairs: list[tuple[Model, Model]], *, hybrid: bool, on_disk: bool, readings: list[Reading]
) -> None:
    used, fresh = pairs[0 if hybrid else 1]
    with tempfile.TemporaryDirectory() as folder:
        memory = Memory(used.model, used.interrupt, Beginnings(Path(folder), "toy") if on_disk else None)
        memory.forget()
        for reading in readings:
            whole = used.read(memory, reading)
            if whole:
                assert memory.held() == tuple(reading.prompt.tokens)
                assert np.abs(used.logits() - fresh.afresh(list(reading.prompt.tokens))).max() < CLOSE
            if whole and reading.kind == "answered":
                _answer(used, memory, reading.stop)
            memory.keep_beginning()
            for thread in threading.enumerate():
                if thread.name == "states":
                    thread.join()


def _answer(used: Model, memory: Memory, tokens: int) -> None:
    """Give an answer of some tokens, the last of which is stopped in the middle if they are many."""
    for number in range(tokens):
        if number == 3:
            used.interrupt.lift()
            with pytest.raises(Interrupted):
                memory.extend([number])
        else:
            memory.extend([number])
    used.interrupt.lower()
