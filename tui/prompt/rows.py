"""The one-line inputs that open at the foot of a prompt: a reason for a no, a word that says yes."""

from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from connectors.clean import clean_line
from tui.text import one_line


class Line(Input):
    """A one-line input; the cursor stands at its end, and pasted text is cleaned."""

    def __init__(self, value: str = "") -> None:
        super().__init__(value, compact=True, select_on_focus=False)

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        if event.text:
            self.insert_text_at_cursor(clean_line(event.text.splitlines()[0] if event.text.strip() else ""))


class Row(Horizontal):
    """A label and an input; Esc leaves it, with nothing said. `asked` is what stands in full above it."""

    rows = 1

    BINDINGS = [
        Binding("escape", "leave", "back", id="row.back", tooltip="Leave this line without an answer")
    ]

    @dataclass
    class Left(Message):
        """The line was left."""

        row: "Row"

    def __init__(self, label: str, line: Line, asked: str = "") -> None:
        super().__init__()
        self.asked = asked
        self._label = label
        self.line = line

    def compose(self) -> ComposeResult:
        yield Static(one_line(self._label), markup=False)
        yield self.line

    def on_mount(self) -> None:
        self.take_keys()

    def take_keys(self) -> None:
        """What is typed goes here."""
        self.line.focus()

    def action_leave(self) -> None:
        self.post_message(self.Left(self))


class ReasonRow(Row):
    """Why not, in one line; Enter gives it."""

    @dataclass
    class Given(Message):
        reason: str

    def __init__(self) -> None:
        super().__init__("No, because", Line())

    @on(Input.Submitted)
    def _give(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Given(event.value.strip()))


class WordLine(Line):
    """An input that takes a word by key strokes only, and then a capital Y."""

    class Confirmed(Message):
        """The word stood there in full, and Y was pressed."""

    class Refused(Message):
        """A paste or Enter, which never say yes."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word

    async def _on_key(self, event: events.Key) -> None:
        if event.key in ("Y", "shift+y") and self.value == self.word:
            event.stop()
            event.prevent_default()
            self.post_message(self.Confirmed())

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.post_message(self.Refused())

    def action_paste(self) -> None:
        self.post_message(self.Refused())

    async def action_submit(self) -> None:
        self.post_message(self.Refused())


class WordRow(Row):
    """The word to type for a yes."""

    def __init__(self, word: str) -> None:
        super().__init__("▸", WordLine(word), f"To say yes, type {word} and then Y:")
