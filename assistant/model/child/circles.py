"""Sees when a text goes round in a circle; lists, tables and names that come again are no circle."""

from collections import deque

import numpy as np

_LONGEST_ROUND = 512
_GRAM = 6


class Circle:
    """Looks for one thing said over and over, exactly.

    It is a circle when the last tokens, at least `least` of them, repeat what stood some way before them,
    and that is at least `rounds` times as long as the way. With `stale`, it is one too when for so many
    tokens nothing came that had not been said in the same words.
    """

    def __init__(self, least: int, rounds: float, stale: int | None = None) -> None:
        self._least = least
        self._rounds = rounds
        self._stale = stale
        # For each length of a round, how many tokens in a row are what they were one round before.
        self._same = np.zeros(_LONGEST_ROUND, np.int64)
        self._needed = np.maximum(least, np.ceil(rounds * np.arange(1, _LONGEST_ROUND + 1)))
        # The last tokens, the very last one first; twice as long as needed so that it is seldom moved.
        self._tokens = np.full(4 * _LONGEST_ROUND, -1, np.int64)
        self._front = len(self._tokens)
        self._gram: deque[int] = deque(maxlen=_GRAM)
        self._said: set[tuple[int, ...]] = set()
        self._nothing_new = 0

    def push(self, token: int) -> bool:
        """Take one more token; True if with it the text goes round in a circle."""
        return self._goes_round(token) or (self._stale is not None and self._is_stale(token, self._stale))

    def _goes_round(self, token: int) -> bool:
        if self._front == 0:
            self._front = len(self._tokens) - _LONGEST_ROUND
            self._tokens[self._front :] = self._tokens[:_LONGEST_ROUND]
        before = self._tokens[self._front : self._front + _LONGEST_ROUND]
        same = self._same[: len(before)]
        same += 1
        same *= before == token
        self._front -= 1
        self._tokens[self._front] = token
        return bool((self._same >= self._needed).any())

    def _is_stale(self, token: int, most: int) -> bool:
        self._gram.append(token)
        gram = tuple(self._gram)
        self._nothing_new = self._nothing_new + 1 if gram in self._said else 0
        self._said.add(gram)
        return self._nothing_new >= most


def in_reasoning() -> Circle:
    """For reasoning, which may be cut short at little loss."""
    return Circle(least=64, rounds=2, stale=256)


def in_answer() -> Circle:
    """For an answer, which may well repeat itself."""
    return Circle(least=160, rounds=3)
