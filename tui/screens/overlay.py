"""What the screens over the conversation share: a title, a body to scroll, the keys, and a way back."""

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from tui.bars import FooterLine
from tui.text import joined, literal


class Overlay(Screen[None]):
    """A screen laid over the conversation; Esc or q goes back to it."""

    AUTO_FOCUS = "Page"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "back", id="overlay.back", tooltip="Back to the conversation"),
    ]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title_text = title
        self._waiting = False

    def compose(self) -> ComposeResult:
        yield Static(literal(self._title_text, "bold"), markup=False, classes="title")
        waits = Static(literal("Askfirst asks you something: Esc goes back to it", "bold"), markup=False)
        waits.display = self._waiting
        yield waits.add_class("waits")
        yield from self.body()
        yield FooterLine()

    def body(self) -> Iterable[Widget]:
        """The widgets between the title and the keys."""
        raise NotImplementedError

    def say_waiting(self, waiting: bool) -> None:
        """Say that a question waits in the conversation, or no longer."""
        self._waiting = waiting
        for line in self.query(".waits"):
            line.display = waiting

    def action_leave(self) -> None:
        self.dismiss()


class Page(VerticalScroll, can_focus=True):
    """Lines to read, made for the width there is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_down", "down", show=False, id="page.down", tooltip="One line down"),
        Binding("up,k", "scroll_up", "up", show=False, id="page.up", tooltip="One line up"),
        Binding(
            "pagedown,ctrl+d,space",
            "page_down",
            "page down",
            show=False,
            id="page.page_down",
            tooltip="One page down",
        ),
        Binding("pageup,ctrl+u", "page_up", "page up", show=False, id="page.page_up", tooltip="One page up"),
        Binding("home,g", "scroll_home", "top", show=False, id="page.top", tooltip="To the top"),
        Binding("end,G", "scroll_end", "end", show=False, id="page.end", tooltip="To the end"),
    ]

    def compose(self) -> ComposeResult:
        yield Static("", markup=False)

    def lines(self, width: int) -> list[Content]:
        """The lines for this width."""
        raise NotImplementedError

    def on_mount(self) -> None:
        self.redraw()

    def on_resize(self) -> None:
        self.redraw()

    def redraw(self) -> None:
        self.query_one(Static).update(joined(self.lines(self.app.size.width - 4)))
