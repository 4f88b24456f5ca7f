"""What a prompt is about: its title, its lines, and the keys that answer it."""

from collections.abc import Callable
from enum import StrEnum
from functools import cached_property
from typing import Protocol

from textual.content import Content

from permissions.words import Offer, Request, grave
from tui.prompt import asides, lines, words
from tui.prompt.keyline import covering, key_line


class View(StrEnum):
    """What is on the sheet: what would happen, why it is asked, or the exact values."""

    DEED = "deed"
    WHY = "why"
    EXACT = "exact"


class Subject(Protocol):
    """Something asked, in words and lines; each is a function of what would be done alone."""

    @property
    def heavy(self) -> bool:
        """True if some of it leaves the machine: its frame has another shape."""
        ...

    @property
    def sign(self) -> str:
        """What two prompts share only if they would do the very same thing."""
        ...

    def title(self) -> tuple[tuple[str, ...], str]:
        """The parts of the frame's top, and what stands at its right end."""
        ...

    def draw(self, view: View, width: int) -> lines.Drawn: ...

    def keys(self, width: int, *, awake: bool) -> list[Content]: ...


_ASIDES: dict[View, Callable[[Request, int], list[Content]]] = {
    View.WHY: asides.why,
    View.EXACT: asides.exact,
}


def aside(view: View, request: Request, width: int) -> list[Content]:
    """The lines of a view other than what would happen."""
    return _ASIDES[view](request, width)


class OneRequest:
    """One request; `chosen` is the permission that would go with the yes."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.chosen: Offer | None = None

    @property
    def heavy(self) -> bool:
        return grave(self._request.prepared.effects)

    @cached_property
    def sign(self) -> str:
        return words.mark(self._request)

    def title(self) -> tuple[tuple[str, ...], str]:
        return words.frame(self._request), words.place(self._request)

    def draw(self, view: View, width: int) -> lines.Drawn:
        if view is View.DEED:
            return lines.draw(self._request, width)
        return lines.Drawn((), tuple(aside(view, self._request, width)), ())

    def keys(self, width: int, *, awake: bool) -> list[Content]:
        foot = key_line(self._request, width, awake=awake, chosen=self.chosen)
        return [*covering(self.chosen, width), *foot] if self.chosen else foot
