"""The top of a frame: a title at the left, a place at the right, in the line that closes the box."""

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

from tui.text import literal

_SHAPES = {False: ("┌", "─", "┐", "│", "└", "┘"), True: ("╔", "═", "╗", "║", "╚", "╝")}


def frame_top(parts: Sequence[str], place: str, width: int, *, heavy: bool = False) -> list[Content]:
    """The lines of a frame's top; a title too long for one line goes on inside the frame, never cut."""
    left, line, right, side, _, _ = _SHAPES[heavy]
    end = f" {place} {line}{right}" if place else f"{line}{right}"
    title = literal(" · ".join(parts)).wrap(max(width - len(end) - 4, 8))
    fill = line * max(width - 4 - title[0].cell_length - len(end), 0)
    first = Content.assemble(f"{left}{line} ", title[0].stylize("bold"), " ", fill, end)
    rest = [
        Content(f"{side}  ") + part.stylize("bold").pad_right(max(width - 4 - part.cell_length, 0)) + side
        for part in title[1:]
    ]
    return [first, *rest]


def framed(lines: Sequence[Content], width: int, *, heavy: bool = False, style: str = "") -> list[Content]:
    """Lines between the two sides of a frame, each filled up to its width."""
    side = Content.styled(_SHAPES[heavy][3], style)
    left, right = side + " ", Content(" ") + side
    return [left + line.pad_right(max(width - 4 - line.cell_length, 0)) + right for line in lines]


def frame_foot(sign: str, hint: str, width: int, *, heavy: bool = False, style: str = "") -> list[Content]:
    """The lines of a frame's foot: a sign at the left, a hint at the right.

    A hint too long for the last line stands above it, never cut.
    """
    _, line, _, _, left, right = _SHAPES[heavy]
    begin = Content.styled(f"{left}{line} {sign} " if sign else f"{left}{line}", style)
    said = literal(hint, "bold")
    above: list[Content] = []
    if said.cell_length + begin.cell_length + 6 > width:
        above, said = framed(said.wrap(width - 4), width, heavy=heavy, style=style), Content("")
    end = Content.assemble(" ", said, " " + line + right) if said else Content(line + right)
    fill = Content.styled(line * max(width - begin.cell_length - end.cell_length, 0), style)
    return [*above, begin + fill + end.stylize(style)]


class FrameTop(Static):
    """The top of a frame as wide as its parent."""

    def __init__(self) -> None:
        super().__init__("", markup=False, classes="frame-top")

    def draw(self, parts: Sequence[str], place: str, width: int, *, heavy: bool = False) -> int:
        """Draw the title; returns how many lines it took."""
        lines = frame_top(parts, place, width, heavy=heavy)
        self.update(Content("\n").join(lines))
        return len(lines)
