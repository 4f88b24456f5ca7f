"""How the next token is picked from what the model says of all of them."""

from dataclasses import dataclass
from typing import Protocol

import llama_cpp
import numpy as np
import numpy.typing as npt

from assistant.model.child.vocabulary import Ids, Vocabulary
from assistant.model.held.constraint import Constraint

# All bytes that can begin text within a JSON string.
_ANY_TEXT = frozenset(range(0x20, 0x100))


# How many of the likeliest tokens are looked at for another way to go on.
_LIKELY = 12


@dataclass(frozen=True, slots=True)
class Branch:
    """A place after `at` tokens of an answer where it could have parted, and how likely was what it took.

    `other` is the likeliest token that leads elsewhere; None where none of the likely ones does.
    """

    at: int
    sure: float
    other: int | None


class Picker(Protocol):
    """Picks the next token after the last one evaluated, and any tokens that must follow it."""

    def pick(self) -> list[int]: ...


class Scores:
    """What the model says of all tokens as the next."""

    def __init__(self, model: llama_cpp.Llama, vocabulary: Vocabulary) -> None:
        self._model = model
        self._size = vocabulary.size

    def logits(self) -> npt.NDArray[np.single]:
        return np.ctypeslib.as_array(llama_cpp.llama_get_logits_ith(self._model.ctx, -1), shape=(self._size,))


class Held:
    """Takes the likeliest token that the constraint accepts, and notes how sure it was where ways part.

    `tokens` are what was picked; `sure` says of each finished line how likely it was.

    The likeliest of all is tried first and is nearly always right, so the constraint costs 0.04 ms a token;
    the same as a grammar of llama.cpp looks at the whole vocabulary each time, which takes 4 to 20 ms.
    """

    def __init__(self, model: llama_cpp.Llama, vocabulary: Vocabulary, constraint: Constraint) -> None:
        self._model = model
        self._scores = Scores(model, vocabulary)
        self._vocabulary = vocabulary
        self._constraint = constraint
        self._line = 1.0
        self.tokens: list[int] = []
        self.branches: list[Branch] = []
        self.sure: list[float] = []

    def pick(self) -> list[int]:
        logits = self._scores.logits()
        token = int(logits.argmax())
        if not self._accepts(token):
            token = self._search(logits)
        if self._parts(token):
            self._note(logits, token)
        return [token] if self._vocabulary.ends(token) else self.take(token)

    def take(self, token: int) -> list[int]:
        """Go on with an accepted token; it and what must follow it."""
        self._constraint.push(self._vocabulary.data(token))
        taken = [token, *self._forced()]
        self.tokens += taken
        return taken

    def follow(self, token: int) -> None:
        """Go on with a token that was taken before."""
        self._constraint.push(self._vocabulary.data(token))
        self.tokens.append(token)

    def text(self) -> str:
        """The answer so far."""
        return b"".join(map(self._vocabulary.data, self.tokens)).decode("utf-8", "replace")

    def _parts(self, token: int) -> bool:
        """True where an answer parts: at fixed words, at the end of a text, and at the end of a call."""
        ends = self._constraint.may_end or b'"' in self._vocabulary.data(token)
        return ends or bool(self._constraint.ways())

    def _note(self, logits: npt.NDArray[np.single], token: int) -> None:
        weights = np.exp(logits - logits.max())
        sure = float(weights[token] / weights.sum())
        likely = np.argpartition(-logits, _LIKELY)[:_LIKELY]
        others = (int(id_) for id_ in likely[np.argsort(-logits[likely])])
        other = next((id_ for id_ in others if self._elsewhere(id_, token) and self._accepts(id_)), None)
        self.branches.append(Branch(len(self.tokens), sure, other))
        self._line *= sure
        if self._vocabulary.ends(token) or b"\n" in self._vocabulary.data(token):
            self.sure.append(self._line)
            self._line = 1.0

    def _elsewhere(self, one: int, other: int) -> bool:
        if self._vocabulary.ends(one) or self._vocabulary.ends(other):
            return one != other
        first, second = self._vocabulary.data(one), self._vocabulary.data(other)
        return not (first.startswith(second) or second.startswith(first))

    def _forced(self) -> list[int]:
        """What must follow, to be evaluated at one go, which costs less than token by token.

        The last token is left to the model: it may grow together with what comes after.
        """
        forced = self._constraint.forced()
        tokens: list[int] = self._model.tokenize(forced.encode(), add_bos=False, special=False)[:-1]
        for token in tokens:
            self._constraint.push(self._vocabulary.data(token))
        return tokens

    def _accepts(self, token: int) -> bool:
        if self._vocabulary.ends(token):
            return self._constraint.may_end
        return not self._vocabulary.is_mark(token) and self._constraint.accepts(self._vocabulary.data(token))

    def _search(self, logits: npt.NDArray[np.single]) -> int:
        candidates = self._candidates()
        for index in np.argsort(-logits[candidates]):
            if self._accepts(token := int(candidates[index])):
                return token
        if self._constraint.free():
            return self._search(logits)
        raise RuntimeError("no token can go on from here")

    def _candidates(self) -> Ids:
        ways = self._constraint.ways()
        fixed = frozenset(way.encode()[0] for way in ways)
        ordinary = self._vocabulary.starting_with(fixed or _ANY_TEXT)
        if not self._constraint.may_end:
            return ordinary
        return np.concatenate([ordinary, np.array(self._vocabulary.ending_tokens(), dtype=np.int64)])
