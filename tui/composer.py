"""The composer: where a goal is typed; it grows with its text and remembers what was sent."""

from dataclasses import dataclass

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea

from connectors.clean import clean
from tui.text import literal

PLACEHOLDER = "What shall I do? (? help, : commands, / search)"


class History:
    """The goals sent so far, to step through; what was being typed is kept at the end."""

    def __init__(self) -> None:
        self._sent: list[str] = []
        self._place = 0
        self._draft = ""

    def add(self, text: str) -> None:
        if not self._sent or self._sent[-1] != text:
            self._sent.append(text)
        self._place = len(self._sent)
        self._draft = ""

    def step(self, by: int, current: str) -> str | None:
        """The text one step back (-1) or forward (1), or None at the end."""
        place = self._place + by
        if not 0 <= place <= len(self._sent):
            return None
        if self._place == len(self._sent):
            self._draft = current
        self._place = place
        return self._draft if place == len(self._sent) else self._sent[place]


class Composer(TextArea):
    """One growing line; Enter sends it, and the text stays until it was taken."""

    BINDINGS = [
        Binding("enter", "send", "send", id="composer.send", tooltip="Send what is written"),
        Binding(
            "ctrl+j,shift+enter",
            "new_line",
            "new line",
            show=False,
            id="composer.new_line",
            tooltip="Begin a new line",
        ),
        Binding(
            "up",
            "older",
            "older",
            show=False,
            id="composer.older",
            tooltip="Up a line, or to the goal sent before",
        ),
        Binding(
            "down",
            "newer",
            "newer",
            show=False,
            id="composer.newer",
            tooltip="Down a line, or to the next goal sent",
        ),
        Binding(
            "pageup",
            "screen.page(-1)",
            "page up",
            show=False,
            id="composer.page_up",
            tooltip="Read further up",
        ),
        Binding(
            "pagedown",
            "screen.page(1)",
            "page down",
            show=False,
            id="composer.page_down",
            tooltip="Read further down",
        ),
    ]

    @dataclass
    class Sent(Message):
        """Enter was pressed on some text."""

        text: str

    def __init__(self) -> None:
        super().__init__(compact=True, highlight_cursor_line=False, placeholder=Content(PLACEHOLDER))
        self.sent = History()
        self.held = False

    def take(self) -> None:
        """The text was taken: remember it, and make room for the next."""
        self.sent.add(self.text.strip())
        self.clear()

    def hold(self, held: bool = True) -> None:
        """Keep the text to be sent when the goal that is going on has ended; an edit takes that back."""
        self.held = held
        self.set_class(held, "held")
        self.border_subtitle = literal("next, when this goal has ended" if held else "")

    def on_text_area_changed(self) -> None:
        if self.held:
            self.hold(False)

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "question_mark" and not self.text:
            event.stop()
            event.prevent_default()
            await self.app.run_action("help")
        elif event.key == "enter":
            event.prevent_default()

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.replace(clean(event.text), *self.selection)

    def action_send(self) -> None:
        if self.text.strip():
            self.post_message(self.Sent(self.text.strip()))

    def action_new_line(self) -> None:
        self.insert("\n")

    def action_older(self) -> None:
        if self.navigator.is_first_wrapped_line(self.cursor_location):
            self._recall(-1)
        else:
            self.action_cursor_up()

    def action_newer(self) -> None:
        if self.navigator.is_last_wrapped_line(self.cursor_location):
            self._recall(1)
        else:
            self.action_cursor_down()

    def _recall(self, by: int) -> None:
        text = self.sent.step(by, self.text)
        if text is not None:
            self.text = text
            self.move_cursor(self.document.end)
