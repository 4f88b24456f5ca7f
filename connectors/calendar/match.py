"""How well a person's words fit an event or task."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from connectors.calendar.expand import Occurrence
from connectors.calendar.index import Entry
from connectors.calendar.scan import fold

_WORD = re.compile(r"\w+")
_SMALL = frozenset(
    _WORD.findall(
        "a an the my our your this that all any next last upcoming with at on for to of in from about and is"
    )
)
_GENERIC = frozenset(
    _WORD.findall(
        "event events appointment appointments meeting meetings entry reminder reminders task tasks todo "
        "calendar thing plan plans session series"
    )
)
_SHORTEST_STEM = 4

Thing = TypeVar("Thing")


class Words:
    """Words that name something. False where they say nothing in particular ("my next appointment")."""

    def __init__(self, said: str) -> None:
        self.said = said
        self._phrase = " ".join(_WORD.findall(fold(said)))
        self._named = [word for word in self._phrase.split() if word not in _SMALL]
        self._telling = [word for word in self._named if word not in _GENERIC]

    def __bool__(self) -> bool:
        return bool(self._telling)

    def may_be_in(self, entry: Entry) -> bool:
        """False only if a file surely holds nothing that the words fit."""
        return not entry.skim.sound or all(_stem(word) in entry.skim.words for word in self._telling)

    def best(self, occurrences: Sequence[Occurrence]) -> list[Occurrence]:
        """The occurrences that fit best: by the whole title, by words of it, by any text, by beginnings."""
        return best_of(self, occurrences, lambda each: each.title, _everything)

    def rank(self, title: str, everything: str) -> int | None:
        """How well a title and all texts fit; smaller is better, None is not at all."""
        own, anywhere = _WORD.findall(fold(title)), _WORD.findall(fold(everything))
        if self._phrase and " ".join(own) == self._phrase:
            return 0
        for rank, (wanted, words) in enumerate(
            ((self._named, own), (self._telling, own), (self._named, anywhere), (self._telling, anywhere)), 1
        ):
            if wanted and set(wanted) <= set(words):
                return rank
        if self._telling and all(_begins_like(word, own) for word in self._telling):
            return 5
        return None if self._telling else 6


def best_of(
    words: Words, things: Iterable[Thing], title: Callable[[Thing], str], everything: Callable[[Thing], str]
) -> list[Thing]:
    """The things that fit words best, all of the same rank."""
    ranked = [
        (rank, each) for each in things if (rank := words.rank(title(each), everything(each))) is not None
    ]
    first = min((rank for rank, _ in ranked), default=None)
    return [each for rank, each in ranked if rank == first]


def _everything(occurrence: Occurrence) -> str:
    return " ".join((occurrence.title, occurrence.where, occurrence.notes, *occurrence.people))


def _stem(word: str) -> str:
    stem = word.removesuffix("s")
    return stem if len(stem) >= _SHORTEST_STEM else word


def _begins_like(word: str, words: list[str]) -> bool:
    stem = _stem(word)
    return any(
        other.startswith(stem) or (len(other) >= _SHORTEST_STEM and word.startswith(other)) for other in words
    )
