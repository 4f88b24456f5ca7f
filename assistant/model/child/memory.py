"""What the model has read: which tokens, how much of it a prompt can use again, and reading the rest."""

import time
from collections.abc import Callable, Sequence

import llama_cpp
import numpy as np

from assistant.model.child.loading import forget

# A part of the prompt should take about this long, so that a cancel is heard in time.
_PART_SECONDS = 0.4
_FIRST_PART = 64
# Less is not worth it: read anew, a short prompt gives the same answer whatever was asked before.
_LEAST_REUSE = 32


class Memory:
    """The tokens that the model has evaluated, in order."""

    def __init__(self, model: llama_cpp.Llama) -> None:
        self._model = model
        # Such memories cannot be cut back to a common beginning.
        self.hybrid = bool(
            llama_cpp.llama_model_is_hybrid(model.model)
            or llama_cpp.llama_model_is_recurrent(model.model)
            or llama_cpp.llama_model_n_swa(model.model) > 0
        )

    @property
    def length(self) -> int:
        return self._model.n_tokens

    @property
    def room(self) -> int:
        """How many tokens more the context can hold."""
        return self._model.n_ctx() - self._model.n_tokens

    def reuse(self, tokens: Sequence[int]) -> int:
        """Cut the memory back to what it shares with a prompt, and return how many tokens that is."""
        held = self._model.input_ids[: self._model.n_tokens]
        shortest = min(len(held), len(tokens))
        differs = np.flatnonzero(held[:shortest] != np.array(tokens[:shortest], dtype=held.dtype))
        same = int(differs[0]) if len(differs) else shortest
        keep = min(same, len(tokens) - 1)
        if keep < _LEAST_REUSE or (self.hybrid and keep < self._model.n_tokens):
            forget(self._model)
            return 0
        self._model.n_tokens = keep
        return keep

    def read(
        self,
        tokens: Sequence[int],
        done: int,
        cancelled: Callable[[], bool],
        progress: Callable[[int], None],
    ) -> bool:
        """Evaluate a prompt of which `done` tokens are read, in parts; False if it was cancelled."""
        size = _FIRST_PART
        while done < len(tokens):
            if cancelled():
                return False
            began = time.monotonic()
            self.extend(tokens[done : done + size])
            done = min(done + size, len(tokens))
            progress(done)
            size = _next_size(size, time.monotonic() - began, self._model.n_batch)
        return True

    def extend(self, tokens: Sequence[int]) -> None:
        """Evaluate more tokens. Raises RuntimeError."""
        self._model.eval(tokens)

    def cut(self, length: int) -> None:
        """Go on from the first `length` tokens; only where the memory is not hybrid."""
        self._model.n_tokens = length


def _next_size(size: int, seconds: float, most: int) -> int:
    fitting = int(size * _PART_SECONDS / max(seconds, 0.001))
    return max(16, min(fitting, 4 * size, most))
