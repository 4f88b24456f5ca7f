"""A view of some lines at a time, which knows whether its end was ever seen."""

from collections.abc import Hashable, Sequence

from textual.content import Content


class Window:
    """Lines of which `height` are in view from `offset`; `read` stays true once all were in view."""

    def __init__(self) -> None:
        self._lines: Sequence[Content] = ()
        self._shape: Hashable = None
        self.height = 0
        self.offset = 0
        self.read = False

    def fit(self, lines: Sequence[Content], height: int, shape: Hashable = None) -> None:
        """Take new lines or a new height, and stay as near as can be to where the view was.

        Lines of another shape are other lines: what was not read to its end is begun anew, or some of it
        could be passed over.
        """
        if shape != self._shape and not self.read:
            self.offset = 0
        self._lines, self._shape, self.height = lines, shape, max(height, 0)
        self.scroll(0)

    def scroll(self, by: int) -> None:
        """Move the view down, or up with a negative number; never past a line that was not in view."""
        last = max(len(self._lines) - self.height, 0)
        by = max(min(by, self.height), -self.height)
        self.offset = min(max(self.offset + by, 0), last)
        if self.rest == 0:
            self.read = True

    def show(self, line: int) -> None:
        """Move as little as needed to have a line in view."""
        if line < self.offset:
            self.offset = line
        elif line >= self.offset + self.height:
            self.offset = line - self.height + 1

    @property
    def rest(self) -> int:
        """How many lines are below the view."""
        return max(len(self._lines) - self.height - self.offset, 0)

    @property
    def shown(self) -> list[Content]:
        return list(self._lines[self.offset : self.offset + self.height])
