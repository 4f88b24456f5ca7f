"""The form that changes a call's arguments; what it gives back is prepared and asked about anew."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widgets import Input, Static, TextArea

from connectors.base import Outcome
from permissions.toolbox import fitted
from permissions.words import Request
from tui.prompt.rows import Line
from tui.prompt.values import NotAValue, as_text, editable, from_written, hint
from tui.text import one_line

_LONG = 50
_MOST_LINES = 8


class Entry(Horizontal):
    """One argument: its name, and a line or an area for its value."""

    def __init__(self, name: str, value: JsonValue, placeholder: str, *, column: int) -> None:
        super().__init__()
        self.argument = name
        self.value = value
        self._column = column
        text = as_text(value)
        long = "\n" in text or len(text) > _LONG
        self.field = TextArea(text, compact=True) if long else Line(text)
        if isinstance(self.field, Line):
            self.field.placeholder = f"({placeholder})" if placeholder else "(nothing)"
        self.rows = min(text.count("\n") + 1 + len(text) // _LONG, _MOST_LINES) if long else 1

    def compose(self) -> ComposeResult:
        label = Static(one_line(self.argument.replace("_", " "), "bold"), markup=False)
        label.styles.width = self._column
        self.styles.height = self.rows
        yield label
        yield self.field

    @property
    def written(self) -> str:
        return self.field.text if isinstance(self.field, TextArea) else self.field.value

    @property
    def touched(self) -> bool:
        """True if something else is written there than at first."""
        return self.written != as_text(self.value)


class EditForm(VerticalScroll, can_focus=False):
    """A field for all that a call says or could say; Ctrl+S asks again with what is written."""

    BINDINGS = [
        Binding(
            "ctrl+s",
            "apply",
            "ask again with this",
            id="edit.apply",
            tooltip="Have the changed call shown anew",
        ),
        Binding("escape", "leave", "back", id="edit.back", tooltip="Leave everything as it was"),
        Binding("down", "app.focus_next", "next", show=False, id="edit.next", tooltip="Go to the next field"),
        Binding(
            "up",
            "app.focus_previous",
            "previous",
            show=False,
            id="edit.previous",
            tooltip="Go to the field before",
        ),
    ]

    @dataclass
    class Edited(Message):
        """Only the arguments that differ from before."""

        changes: Mapping[str, JsonValue]

    @dataclass
    class Failed(Message):
        why: str

    class Left(Message):
        pass

    def __init__(self, request: Request) -> None:
        super().__init__()
        self._tool = request.tool
        self._arguments = request.call.arguments
        values = editable(request.call.arguments, request.tool)
        column = min(max(map(len, values), default=0), 20) + 2
        self._entries = [
            Entry(name, value, hint(name, request.tool), column=column) for name, value in values.items()
        ]

    @property
    def rows(self) -> int:
        """How many lines the whole form takes."""
        return sum(entry.rows for entry in self._entries)

    def compose(self) -> ComposeResult:
        yield from self._entries

    def on_mount(self) -> None:
        self.take_keys()

    def take_keys(self) -> None:
        """What is typed goes to the first field."""
        if self._entries:
            self._entries[0].field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_apply()

    def action_apply(self) -> None:
        try:
            changes = {
                entry.argument: from_written(entry.written, entry.value, entry.argument)
                for entry in self._entries
                if entry.touched
            }
        except NotAValue as wrong:
            self.post_message(self.Failed(str(wrong)))
            return
        if why := self._fault(changes):
            self.post_message(self.Failed(why))
        else:
            self.post_message(self.Edited(changes))

    def _fault(self, changes: Mapping[str, JsonValue]) -> str:
        """What the tool would not take, in a sentence, or nothing."""
        if self._tool is None:
            return ""
        found = fitted(self._tool, {**self._arguments, **changes})
        return found.text if isinstance(found, Outcome) else ""

    def action_leave(self) -> None:
        self.post_message(self.Left())
