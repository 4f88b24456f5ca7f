"""The main screen: the conversation in the middle, the composer or a question at the bottom."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import Screen

from tui.bars import FooterLine, HeaderLine, StatusLine
from tui.dock import Dock
from tui.keys import Clock
from tui.plan import PlanStrip
from tui.prompt.base import ScrolledBehind
from tui.screens.overlay import Overlay
from tui.transcript import Transcript

ROOMY = 30
BARS = 2


class ConversationScreen(Screen[None]):
    """Places the parts, and knows how much room a question may take."""

    AUTO_FOCUS = "Composer"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+t",
            "thoughts",
            "thoughts",
            show=False,
            id="conversation.thoughts",
            tooltip="Show what the model thought, or fold it",
        ),
    ]

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.header = HeaderLine()
        self.transcript = Transcript()
        self.plan = PlanStrip()
        self.status = StatusLine()
        self.dock = Dock(clock, self.room)
        self.footer = FooterLine()

    def compose(self) -> ComposeResult:
        yield self.header
        yield self.transcript
        yield self.plan
        yield self.status
        yield self.dock
        yield self.footer

    def room(self) -> Size:
        """What a question may take: all but the bars, the strips, and a few lines of the conversation."""
        size = self.app.size
        plan = len(self.plan.lines(size.width - 2))
        behind = 3 if size.height >= 24 else 1
        return Size(size.width, size.height - BARS - plan - self._strips() - behind)

    def _strips(self) -> int:
        """The lines of what others have put between the conversation and the question."""
        ours = (self.header, self.transcript, self.plan, self.status, self.dock, self.footer)
        others = (child for child in self.children if child not in ours and child.display)
        return sum(child.outer_size.height for child in others)

    @contextmanager
    def making_room(self) -> Iterator[None]:
        """While a question is open, the plan is short and nothing is said to be at work."""
        said = self.status.display
        self.status.display = False
        self.plan.shorten(self.app.size.height < ROOMY)
        self._tell_overlays(True)
        try:
            yield
        finally:
            self._tell_overlays(False)
            self.plan.shorten(False)
            self.status.display = said

    def _tell_overlays(self, waiting: bool) -> None:
        for screen in self.app.screen_stack:
            if isinstance(screen, Overlay):
                screen.say_waiting(waiting)

    async def seek(self, words: str) -> None:
        """Go to the next place further up that has these words, or those sought before."""
        if not await self.transcript.seek(words):
            self.status.say(f"no “{words}” further up" if words else "no more further up")

    async def action_page(self, direction: int) -> None:
        await self.transcript.page(direction)

    def action_thoughts(self) -> None:
        self.transcript.toggle_thoughts()

    def on_resize(self) -> None:
        self.dock.redraw()

    def on_screen_resume(self) -> None:
        self.dock.came_into_view()

    @on(ScrolledBehind)
    def _scroll_behind(self, event: ScrolledBehind) -> None:
        self.transcript.scroll_lines(event.lines)
