"""What a prompt shows: fixed lines above and below, and the long text between them in a window."""

from collections.abc import Hashable

from textual.content import Content

from tui.prompt import lines
from tui.prompt.choices import Choices
from tui.prompt.subject import Subject, View
from tui.prompt.window import Window

LEAST_QUOTED = 4


class Sheet:
    """The lines of what is asked, for one size of the terminal."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._above: lines.Lines = ()
        self._below: lines.Lines = ()
        self._deed = Window()
        self._aside = Window()
        self._drawn: tuple[int, Hashable, lines.Drawn] | None = None
        self.view = View.DEED
        self.choices: Choices | None = None
        self.version: Hashable = None

    @property
    def read(self) -> bool:
        """True once everything that would happen has been in view."""
        return self._deed.read

    @property
    def plain(self) -> bool:
        """True while what would happen is in view, and nothing else."""
        return self.view is View.DEED and self.choices is None

    @property
    def rest(self) -> int:
        return self._window.rest

    @property
    def page(self) -> int:
        return max(self._window.height - 1, 1)

    @property
    def _window(self) -> Window:
        return self._deed if self.plain else self._aside

    def turn_to(self, view: View) -> None:
        """Show another view, or go back to what would happen if it is shown already."""
        self.view = View.DEED if self.view is view else view
        self.choices = None
        self._aside = Window()

    def offer(self, choices: Choices | None) -> None:
        """Show what may be picked, or go back to what would happen."""
        self.view = View.DEED
        self.choices = choices
        self._aside = Window()

    def scroll(self, by: int) -> None:
        self._window.scroll(by)

    def fit(self, width: int, height: int) -> list[Content]:
        """The lines to draw, at most `height` of at most `width` cells."""
        if self.choices is not None:
            picking, at = self.choices.lines(width)
            self._aside.fit(picking, min(len(picking), height))
            self._aside.show(at)
            return self._aside.shown
        if self.view is not View.DEED:
            aside = self._subject.draw(self.view, width).quoted
            self._aside.fit(aside, min(len(aside), height), width)
            return self._aside.shown
        return self._fit_deed(width, height)

    def _fit_deed(self, width: int, height: int) -> list[Content]:
        drawn = self._draw(width)
        self._below = drawn.terms if len(drawn.terms) <= height // 2 else ()
        room = height - len(self._below)
        fixed = len(drawn.decision) + min(len(drawn.quoted), LEAST_QUOTED) <= room
        self._above = drawn.decision if fixed else ()
        scrolled = drawn.quoted if self._above else (*drawn.decision, *drawn.quoted)
        if not self._below:
            scrolled = (*scrolled, *drawn.terms)
        shape = (width, bool(self._above), bool(self._below))
        self._deed.fit(scrolled, min(len(scrolled), room - len(self._above)), shape)
        return [*self._above, *self._deed.shown, *self._below]

    def _draw(self, width: int) -> lines.Drawn:
        """What is asked drawn for this width, made once for each version of it."""
        if self._drawn is None or self._drawn[:2] != (width, self.version):
            self._drawn = (width, self.version, self._subject.draw(View.DEED, width))
        return self._drawn[2]
