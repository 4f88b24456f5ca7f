"""The top of a frame: a title at the left, a place at the right, in the line that closes the box."""

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

from tui.text import literal

_SHAPES = {False: ("┌", "─", "┐", "│"), True: ("╔", "═", "╗", "║")}


def frame_top(parts: Sequence[str], place: str, width: int, *, heavy: bool = False) -> list[Content]:
    """The lines of a frame's top; a title too long for one line goes on inside the frame, never cut."""
    left, line, right, side = _SHAPES[heavy]
    end = f" {place} {line}{right}" if place else f"{line}{right}"
    title = literal(" · ".join(parts)).wrap(max(width - len(end) - 4, 8))
    fill = line * max(width - 4 - title[0].cell_length - len(end), 0)
    first = Content.assemble(f"{left}{line} ", title[0].stylize("bold"), " ", fill, end)
    rest = [
        Content(f"{side}  ") + part.stylize("bold").pad_right(max(width - 4 - part.cell_length, 0)) + side
        for part in title[1:]
    ]
    return [first, *rest]


class FrameTop(Static):
    """The top of a frame as wide as its parent."""

    def __init__(self) -> None:
        super().__init__("", markup=False, classes="frame-top")

    def draw(self, parts: Sequence[str], place: str, width: int, *, heavy: bool = False) -> int:
        """Draw the title; returns how many lines it took."""
        lines = frame_top(parts, place, width, heavy=heavy)
        self.update(Content("\n").join(lines))
        return len(lines)
