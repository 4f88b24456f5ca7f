"""What waits before it goes out, in a line for each, with the seconds that are left to take it back."""

from collections.abc import Sequence
from math import ceil
from typing import ClassVar

from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from permissions.holding import Released
from tui.blocks import Block, Kind
from tui.house import House, Waiting
from tui.text import joined, literal, one_line

MOST_LINES = 3


def waiting_lines(waiting: Sequence[Waiting], width: int) -> list[Content]:
    """One line for each message that waits, the first to go first."""
    lines = [_line(each, width, first=number == 0) for number, each in enumerate(waiting[:MOST_LINES])]
    if len(waiting) > MOST_LINES:
        lines[-1] = literal(f"   … {len(waiting)} in all", "$muted")
    return lines


def _line(waiting: Waiting, width: int, *, first: bool) -> Content:
    seconds = ceil(waiting.left)
    start = literal(f" ◷ held {seconds // 60}:{seconds % 60:02}  ", "bold")
    end = literal("  F8 takes it back", "$muted") if first else Content("")
    title = one_line(waiting.title).truncate(width - start.cell_length - end.cell_length, ellipsis=True)
    return start + title + end


def ended_block(released: Released) -> Block:
    """What is seen of a message that waited, when it has gone out or been taken back."""
    outcome = released.outcome
    if outcome is None:
        return Block(Kind.NOTE, f"Taken back, not sent: {released.held.title}")
    if outcome.ok:
        return Block(Kind.DONE, outcome.text, outcome.items)
    return Block(Kind.FAILED, f"{released.held.title}: {outcome.text}", outcome.items)


class OutboxStrip(Widget, can_focus=True):
    """The messages that wait; nothing where none does. With the focus on it, `u` takes the first back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "take_back", "undo send", id="outbox.undo", tooltip="Take back what goes out first"),
    ]

    DEFAULT_CSS = """
    OutboxStrip { height: auto; padding: 0 1; }
    OutboxStrip:focus { background: $boost; }
    """

    class TakenBack(Message):
        """The person wants what goes out first not to be sent."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house = house
        self._timer: Timer | None = None
        self.display = False

    def on_mount(self) -> None:
        self._timer = self.set_interval(1.0, self.look, pause=True)
        self.look()

    def look(self) -> None:
        """See what waits now; the seconds are counted only while something does."""
        waits = bool(self._house.held())
        if self._timer is not None:
            self._timer.resume() if waits else self._timer.pause()
        self.display = waits
        self.refresh(layout=True)

    def action_take_back(self) -> None:
        self.post_message(self.TakenBack())

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(waiting_lines(self._house.held(), width))

    def render(self) -> RenderResult:
        return joined(waiting_lines(self._house.held(), self.content_size.width))
