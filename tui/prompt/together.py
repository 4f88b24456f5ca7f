"""Several requests in one prompt: each drawn in full under its number, ticked or not."""

from collections.abc import Sequence
from functools import cached_property

from textual.content import Content

from permissions.words import Decision, Key, Reply, Request, grave
from tui.prompt import lines, words
from tui.prompt.fields import STRONG
from tui.prompt.keyline import pair_lines
from tui.prompt.subject import View, aside
from tui.text import counted, literal


class Together:
    """Requests that are answered at once; what is not ticked is a no."""

    def __init__(self, requests: Sequence[Request]) -> None:
        self._requests = tuple(requests)
        self.ticked = [True] * len(self._requests)

    @property
    def heavy(self) -> bool:
        return any(grave(request.prepared.effects) for request in self._requests)

    @cached_property
    def sign(self) -> str:
        return " ".join(words.mark(request) for request in self._requests)

    @property
    def key(self) -> Key:
        """How the yes must be given: the gravest of those that are ticked decides."""
        capital = any(request.ruling.key is not Key.SMALL for request in self.agreed)
        return Key.CAPITAL if capital else Key.SMALL

    @property
    def agreed(self) -> list[Request]:
        """Those that are ticked."""
        return [request for request, tick in zip(self._requests, self.ticked, strict=True) if tick]

    def title(self) -> tuple[tuple[str, ...], str]:
        out = ["SENDS OUT"] if self.heavy else []
        return (*out, f"{len(self._requests)} REQUESTS", f"{len(self.agreed)} ticked"), ""

    def tick(self, number: int) -> bool:
        """Tick one, or not; False if there is none of that number."""
        if not 1 <= number <= len(self.ticked):
            return False
        self.ticked[number - 1] = not self.ticked[number - 1]
        return True

    def decisions(self, yes: Decision, no: Decision) -> tuple[Decision, ...]:
        """A yes for each that is ticked, a no for the others."""
        return tuple(yes if tick else no for tick in self.ticked)

    def draw(self, view: View, width: int) -> lines.Drawn:
        drawn: list[Content] = []
        for number, request in enumerate(self._requests, start=1):
            drawn += self._head(number, request, width)
            drawn += self._row(request, width) if view is View.DEED else aside(view, request, width)
            drawn.append(Content(""))
        return lines.Drawn((), tuple(drawn[:-1]), ())

    def _head(self, number: int, request: Request, width: int) -> list[Content]:
        tick = "✓ yes" if self.ticked[number - 1] else "✗ no "
        return literal(f"[{tick}] {number}  {' · '.join(words.frame(request))}", STRONG).wrap(width)

    @staticmethod
    def _row(request: Request, width: int) -> list[Content]:
        """All that its own prompt would show, but for the permissions that could go with a yes."""
        drawn = lines.draw(request, width)
        return [*drawn.decision, *drawn.quoted, *lines.terms(request, width, offers=False)]

    def keys(self, width: int, *, awake: bool) -> list[Content]:
        agreed = self.agreed
        numbers = f"1-{len(self._requests)}"
        yes = [(self.key.value, yes_words(agreed, len(self._requests)))] if agreed else []
        pairs = [
            *yes,
            ("n", "no to all"),
            ("r", "no, because"),
            (numbers, "tick or not"),
            ("o", "one by one"),
            ("?", "more"),
        ]
        return pair_lines(pairs, width, awake=awake)


def yes_words(agreed: Sequence[Request], of: int) -> str:
    """What the yes key says, with how many."""
    count = f"all {of}" if len(agreed) == of else f"{len(agreed)} of {of}"
    sends = sum(grave(request.prepared.effects) for request in agreed)
    return f"yes to {count}" + (f", {counted(sends, 'message')} out" if sends else "")


def no(reason: str = "") -> Decision:
    return Decision(Reply.NO, reason=reason)
