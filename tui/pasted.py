"""Which characters of a line were pasted: what was not typed may have been written by others."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby, takewhile

Span = tuple[int, int]


class Pasted:
    """Follows a text through its changes; what came in while `pasting` came from elsewhere.

    What was pasted once and comes back by undo or redo is pasted still.
    """

    def __init__(self) -> None:
        self._text = ""
        self._marks: list[bool] = []
        self._pieces: list[str] = []
        self._pasting = False

    @property
    def spans(self) -> tuple[Span, ...]:
        """The pieces that were pasted, in their order."""
        return tuple(_runs(self._marks))

    @contextmanager
    def pasting(self) -> Iterator[None]:
        """All that changes meanwhile is pasted."""
        self._pasting = True
        try:
            yield
        finally:
            self._pasting = False

    def follow(self, text: str) -> None:
        """The text is this now: what is new in it is marked by where it came from."""
        ahead = _shared(self._text, text)
        behind = min(_shared(self._text[::-1], text[::-1]), len(text) - ahead, len(self._text) - ahead)
        new = text[ahead : len(text) - behind]
        if self._pasting and new:
            self._pieces.append(new)
        foreign = self._pasting or self._came_back(new)
        rest = self._marks[len(self._marks) - behind :] if behind else []
        self._marks = [*self._marks[:ahead], *[foreign] * len(new), *rest]
        self._text = text

    def take_up(self, text: str, spans: Sequence[Span]) -> None:
        """The text is another one altogether, of which these pieces were pasted."""
        self._text = text
        self._marks = [any(start <= at < end for start, end in spans) for at in range(len(text))]
        self._pieces = [text[start:end] for start, end in spans]

    def own(self) -> bool:
        """The person says that what they pasted is their own word; False if nothing was pasted."""
        had = any(self._marks)
        self._marks = [False] * len(self._marks)
        self._pieces = []
        return had

    def _came_back(self, new: str) -> bool:
        """True for more than a key stroke's worth of what was pasted before."""
        return len(new) > 1 and any(new in piece or piece in new for piece in self._pieces)


def within(spans: Sequence[Span], start: int, end: int) -> tuple[Span, ...]:
    """The spans as they are in a part of the text."""
    cut = ((max(a, start) - start, min(b, end) - start) for a, b in spans)
    return tuple((a, b) for a, b in cut if a < b)


def _runs(marks: Sequence[bool]) -> Iterator[Span]:
    at = 0
    for marked, run in groupby(marks):
        length = sum(1 for _ in run)
        if marked:
            yield at, at + length
        at += length


def _shared(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
