"""What the model has read: which tokens, how much of it a prompt can use again, and reading the rest."""

import time
from collections.abc import Callable, Sequence

import llama_cpp
import numpy as np

from assistant.model.child.checkpoints import Checkpoint, Checkpoints
from assistant.model.child.interrupt import Interrupt, Interrupted
from assistant.model.child.loading import forget
from assistant.model.child.prompts import Prompt, common
from assistant.model.child.state import FULL, PARTIAL, put_back, take
from assistant.model.child.states import Beginnings

# A part of the prompt should take about this long: progress is seen, and shorter ones cost up to half more.
PART_SECONDS = 1.5
_FIRST_PART = 64
# Less is not worth it: read anew, a short prompt gives the same answer whatever was asked before.
_LEAST_REUSE = 32
# A shorter beginning is read about as fast as its state is found on disk.
_LEAST_KEPT = 100
# A checkpoint so near to another one saves nothing.
_LEAST_APART = 16
# How much of the time of reading may go into checkpoints on the way.
_SHARE_OF_TIME = 0.02


class Memory:
    """The tokens that the model has evaluated, in order.

    Of hybrid memories the older part cannot be looked up again, so checkpoints are taken while reading, at
    the places a later prompt can be expected to part from this one. Other memories are just cut back.
    """

    def __init__(self, model: llama_cpp.Llama, interrupt: Interrupt, beginnings: Beginnings | None) -> None:
        self._model = model
        self._interrupt = interrupt
        self._beginnings = beginnings
        self._checkpoints = Checkpoints()
        self._noted, self._cost = time.monotonic(), 0.0
        # Stopped in the middle, the state of a hybrid memory is of no use, whatever the library's count says.
        self._torn = False
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

    def held(self) -> tuple[int, ...]:
        """The tokens."""
        return tuple(self._model.input_ids[: self._model.n_tokens].tolist())

    def reaches(self, prompt: Prompt) -> bool:
        """True if a prompt that begins with this one need not read it again, as the memory stands."""
        same = common(self._model.input_ids[: self._model.n_tokens], prompt.tokens)
        if same < len(prompt.tokens):
            return False
        checkpoint = self._checkpoints.nearest(same)
        whole = same == self._model.n_tokens and not self._torn
        return not self.hybrid or whole or (checkpoint is not None and checkpoint.length == same)

    def reuse(self, prompt: Prompt, *, leave: int = 1) -> int:
        """Go back to what the memory shares with a prompt, and return how many tokens that is.

        The beginning of the prompt is taken from the disk where more of it is there than here. At least
        `leave` tokens are left to be read: an answer needs the last one read anew.
        """
        same = common(self._model.input_ids[: self._model.n_tokens], prompt.tokens)
        most = len(prompt.tokens) - leave
        keep = self._go_back(min(same, most))
        if not self._beginnings or not keep + _LEAST_REUSE <= prompt.fixed <= most:
            return keep
        beginning = prompt.tokens[: prompt.fixed]
        state = self._beginnings.find(beginning)
        if state is None:
            return keep
        self.forget()
        if not put_back(self._model, state, prompt.fixed, FULL):
            self._beginnings.discard(beginning)
            self.forget()
            return 0
        self._stand_at(beginning)
        self._note(prompt.fixed)
        return prompt.fixed

    def read(
        self,
        prompt: Prompt,
        done: int,
        cancelled: Callable[[], bool],
        progress: Callable[[int], None],
        seconds: float = PART_SECONDS,
    ) -> bool:
        """Evaluate a prompt of which `done` tokens are read, in parts; False if it was cancelled."""
        size, total = _FIRST_PART, len(prompt.tokens)
        self._noted = time.monotonic()
        while done < total:
            if cancelled():
                return False
            end = min(done + size, *(stop for stop in (prompt.fixed, prompt.lasting, total) if stop > done))
            began = time.monotonic()
            try:
                self.extend(prompt.tokens[done:end])
            except Interrupted:
                return False
            if end == done + size:
                size = _next_size(size, time.monotonic() - began, seconds, self._model.n_batch)
            done = end
            self._remember(prompt, done)
            progress(done)
        return True

    def extend(self, tokens: Sequence[int]) -> None:
        """Evaluate more tokens. Raises Interrupted, and RuntimeError where llama.cpp fails."""
        if self._torn:
            raise Interrupted
        try:
            self._model.eval(tokens)
        except RuntimeError:
            if not self._interrupt.raised:
                self.forget()
                raise
            self._torn = self.hybrid
            raise Interrupted from None

    def cut(self, length: int) -> None:
        """Go on from the first `length` tokens; a hybrid memory reads those after a checkpoint again."""
        if not self.hybrid:
            self._model.n_tokens = length
            return
        tokens = self.held()[:length]
        if rest := tokens[self._go_back(length) :]:
            self.extend(rest)

    def forget(self) -> None:
        """Go on from nothing."""
        self._checkpoints.drop_after(0)
        self._torn = False
        forget(self._model)

    def keep_beginning(self) -> None:
        """Write to disk what was found worth it while reading, without waiting for the disk."""
        if self._beginnings:
            self._beginnings.write()

    def _go_back(self, length: int) -> int:
        """Go back to at most `length` tokens, and return how many it is."""
        self._checkpoints.drop_after(length)
        at_hand = not self.hybrid or (length == self._model.n_tokens and not self._torn)
        if length >= _LEAST_REUSE and at_hand:
            self._model.n_tokens = length
            return length
        checkpoint = self._checkpoints.nearest(length) if self.hybrid else None
        if (
            checkpoint is None
            or checkpoint.length < _LEAST_REUSE
            or not put_back(self._model, checkpoint.state, checkpoint.length, PARTIAL)
        ):
            self.forget()
            return 0
        self._model.n_tokens = checkpoint.length
        self._torn = False
        return checkpoint.length

    def _stand_at(self, tokens: Sequence[int]) -> None:
        self._model.input_ids[: len(tokens)] = np.asarray(tokens, self._model.input_ids.dtype)
        self._model.n_tokens = len(tokens)

    def _remember(self, prompt: Prompt, done: int) -> None:
        kept = self._beginnings if done == prompt.fixed >= _LEAST_KEPT else None
        if kept and not kept.known(prompt.tokens[:done]):
            kept.keep(prompt.tokens[:done], take(self._model, FULL))
        if not self.hybrid:
            return
        if done in (prompt.fixed, prompt.lasting):
            self._note(done)
        elif time.monotonic() - self._noted > self._cost / _SHARE_OF_TIME:
            self._note(done, passing=True)

    def _note(self, length: int, *, passing: bool = False) -> None:
        """Take a checkpoint of the first `length` tokens, which is all that is read."""
        nearest = self._checkpoints.nearest(length)
        if not self.hybrid or (nearest and not nearest.passing and length - nearest.length < _LEAST_APART):
            return
        began = time.monotonic()
        if len(state := take(self._model, PARTIAL)):
            self._checkpoints.add(Checkpoint(length, state, passing))
        self._noted = time.monotonic()
        self._cost = self._noted - began


def _next_size(size: int, taken: float, seconds: float, most: int) -> int:
    fitting = int(size * seconds / max(taken, 0.001))
    return max(16, min(fitting, 4 * size, most))
