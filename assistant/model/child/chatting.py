"""How the tokens of a chat's answer are picked: by chance, with its calls held to the tools."""

from collections.abc import Callable, Iterator
from itertools import chain

import numpy as np

from assistant.model.child.sampling import Logits, Sampler, likeliest
from assistant.model.child.vocabulary import Pieces
from assistant.model.held.spoken import Spoken, is_tag

# How many of the likeliest tokens are tried, when none that was drawn can come, before all the others are.
_MANY = 512


class Chatting:
    """Draws tokens freely and tests only what is drawn; where it cannot come, the next one is drawn.

    A grammar of llama.cpp looks at the whole vocabulary for each token, which takes 14 to 22 ms at 248,320
    tokens; this takes 0.02 ms.
    """

    def __init__(
        self,
        pieces: Pieces,
        tokenise: Callable[[str], list[int]],
        logits: Callable[[], Logits],
        sampler: Sampler,
        spoken: Spoken,
    ) -> None:
        self._pieces = pieces
        self._tokenise = tokenise
        self._logits = logits
        self._sampler = sampler
        self._spoken = spoken

    @property
    def thinking(self) -> bool:
        return self._spoken.thinking

    def pick(self) -> list[int]:
        token = self._next(self._logits())
        if self._pieces.ends(token):
            return [token]
        self._take(token)
        return [token, *self._forced()]

    def close_thought(self) -> list[int]:
        """Close the reasoning for the model; the tokens that do it."""
        tokens = self._tokenise("\n</think>\n\n")
        for token in tokens:
            self._take(token)
        return tokens

    def _next(self, logits: Logits) -> int:
        drawn = self._sampler.draws(logits, penal=not self._spoken.calling)
        for token in chain(drawn, self._beginnings(logits), _in_order(logits)):
            if self._accepts(token):
                return token
        raise RuntimeError("no token can go on from here")

    def _beginnings(self, logits: Logits) -> Iterator[int]:
        """The tokens that the ways on begin with, likeliest first."""
        texts = (way.decode("utf-8", "ignore") for way in self._spoken.ways())
        tokens = {tokens[0] for text in texts if (tokens := self._tokenise(text))}
        return iter(sorted(tokens, key=lambda token: -logits[token]))

    def _accepts(self, token: int) -> bool:
        if self._pieces.ends(token):
            return self._spoken.may_end
        return self._spoken.accepts(self._pieces.data(token), self._is_mark(token))

    def _take(self, token: int) -> None:
        self._spoken.push(self._pieces.data(token), self._is_mark(token))
        self._sampler.took(token)

    def _is_mark(self, token: int) -> bool:
        """True for control tokens and the tags of chats; to some vocabularies line ends are special too."""
        pieces = self._pieces
        return pieces.is_mark(token) and (pieces.is_control(token) or is_tag(pieces.data(token)))

    def _forced(self) -> list[int]:
        """What must follow, to be evaluated at one go, which costs less than token by token.

        The last token is left to the model: it may grow together with what comes after.
        """
        forced = self._spoken.forced()
        taken: list[int] = []
        for token in self._tokenise(forced)[:-1] if forced else ():
            # A vocabulary may write a text otherwise than it was given, say with a blank before it.
            if self._pieces.ends(token) or not self._accepts(token):
                break
            self._take(token)
            taken.append(token)
        return taken


def _in_order(logits: Logits) -> Iterator[int]:
    """All tokens, likeliest first; the likeliest of them are found without sorting the others."""
    yield from (int(id_) for id_ in likeliest(logits, _MANY))
    yield from (int(id_) for id_ in np.argsort(-logits))
