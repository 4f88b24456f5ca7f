"""What a prompt shows: fixed lines above and below, and the long text between them in a window."""

from enum import StrEnum

from textual.content import Content

from permissions.words import Request
from tui.prompt import lines
from tui.prompt.window import Window

LEAST_QUOTED = 4


class View(StrEnum):
    """What is on the sheet: what would happen, why it is asked, or the exact values."""

    DEED = "deed"
    WHY = "why"
    EXACT = "exact"


class Sheet:
    """The lines of a request for one size of the terminal."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._above: lines.Lines = ()
        self._below: lines.Lines = ()
        self._deed = Window()
        self._aside = Window()
        self._drawn: tuple[int, lines.Drawn] | None = None
        self.view = View.DEED

    @property
    def read(self) -> bool:
        """True once everything that would happen has been in view."""
        return self._deed.read

    @property
    def rest(self) -> int:
        return self._window.rest

    @property
    def overflows(self) -> bool:
        return self._window.overflows

    @property
    def page(self) -> int:
        return max(self._window.height - 1, 1)

    @property
    def _window(self) -> Window:
        return self._deed if self.view is View.DEED else self._aside

    def turn_to(self, view: View) -> None:
        """Show another view, or go back to what would happen if it is shown already."""
        self.view = View.DEED if self.view is view else view
        self._aside = Window()

    def scroll(self, by: int) -> None:
        self._window.scroll(by)

    def fit(self, width: int, height: int) -> list[Content]:
        """The lines to draw, at most `height` of at most `width` cells."""
        if self.view is not View.DEED:
            make = lines.why if self.view is View.WHY else lines.exact
            aside = make(self._request, width)
            self._aside.fit(aside, min(len(aside), height))
            return self._aside.shown
        drawn = self._draw(width)
        self._below = drawn.terms if len(drawn.terms) <= height // 2 else ()
        room = height - len(self._below)
        self._above = (
            drawn.decision if len(drawn.decision) + min(len(drawn.quoted), LEAST_QUOTED) <= room else ()
        )
        scrolled = drawn.quoted if self._above else (*drawn.decision, *drawn.quoted)
        if not self._below:
            scrolled = (*scrolled, *drawn.terms)
        self._deed.fit(scrolled, min(len(scrolled), room - len(self._above)))
        return self.shown

    def _draw(self, width: int) -> lines.Drawn:
        """The request drawn for this width, made once: a request never changes."""
        if self._drawn is None or self._drawn[0] != width:
            self._drawn = (width, lines.draw(self._request, width))
        return self._drawn[1]

    @property
    def shown(self) -> list[Content]:
        """The lines now in view."""
        if self.view is not View.DEED:
            return self._aside.shown
        return [*self._above, *self._deed.shown, *self._below]
