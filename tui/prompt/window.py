"""A view of some lines at a time, which knows whether its end was ever seen."""

from collections.abc import Sequence

from textual.content import Content


class Window:
    """Lines of which `height` are in view from `offset`; `read` stays true once the last was in view."""

    def __init__(self) -> None:
        self._lines: Sequence[Content] = ()
        self.height = 0
        self.offset = 0
        self.read = False

    def fit(self, lines: Sequence[Content], height: int) -> None:
        """Take new lines or a new height, and stay as near as can be to where the view was."""
        self._lines, self.height = lines, height
        self.scroll(0)

    def scroll(self, by: int) -> None:
        """Move the view down, or up with a negative number."""
        last = max(len(self._lines) - self.height, 0)
        self.offset = min(max(self.offset + by, 0), last)
        if self.rest == 0:
            self.read = True

    @property
    def rest(self) -> int:
        """How many lines are below the view."""
        return max(len(self._lines) - self.height - self.offset, 0)

    @property
    def overflows(self) -> bool:
        return len(self._lines) > self.height

    @property
    def shown(self) -> list[Content]:
        return list(self._lines[self.offset : self.offset + self.height])
