"""The form that changes a call's arguments; what it gives back is prepared and asked about anew."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Input, Static, TextArea

from connectors.base import Arguments
from tui.prompt.rows import Line
from tui.text import one_line


class NotAValue(ValueError):
    """What was written is no value of the argument's kind; the text says what would be."""


def as_text(value: JsonValue) -> str:
    """An argument as text to edit: lists with commas, or semicolons where an item holds a comma."""
    match value:
        case None:
            return ""
        case str():
            return value
        case list() | tuple():
            return _separator(value).join(str(item) for item in value)
        case _:
            return json.dumps(value, ensure_ascii=False)


def from_written(text: str, was: JsonValue, name: str) -> JsonValue:
    """Edited text as a value of the same kind as before; empty text takes the argument away."""
    match was:
        case list() | tuple():
            parts = text.split(_separator(was).strip())
            return [part.strip() for part in parts if part.strip()]
        case bool() | int() | float() | dict():
            return _parsed(text, was, name)
        case _:
            return text if text.strip() else None


def _separator(items: list[JsonValue] | tuple[JsonValue, ...]) -> str:
    return "; " if any("," in str(item) for item in items) else ", "


def _parsed(text: str, was: JsonValue, name: str) -> JsonValue:
    words = {"yes": "true", "no": "false"} if isinstance(was, bool) else {}
    try:
        value: JsonValue = json.loads(words.get(text.strip().lower(), text.strip().lower() or "null"))
    except ValueError:
        value = text
    alike = isinstance(value, bool) == isinstance(was, bool) and isinstance(value, type(was) | int)
    if value is None or (alike and not isinstance(value, str)):
        return value
    kind = "yes or no" if isinstance(was, bool) else "a number" if isinstance(was, int | float) else "JSON"
    raise NotAValue(f"{name} takes {kind}")


class EditForm(VerticalScroll, can_focus=False):
    """One input for each argument; Ctrl+S asks again with what is written, Esc leaves all as it was."""

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

    def __init__(self, arguments: Arguments) -> None:
        super().__init__()
        self._before = dict(arguments)
        self._fields: dict[str, Line | TextArea] = {}

    def compose(self) -> ComposeResult:
        for name, value in self._before.items():
            text = as_text(value)
            field = self._fields[name] = TextArea(text, compact=True) if "\n" in text else Line(text)
            yield Static(one_line(name.replace("_", " "), "bold"), markup=False)
            yield field

    def on_mount(self) -> None:
        self.take_keys()

    def take_keys(self) -> None:
        """What is typed goes to the first field."""
        for field in self._fields.values():
            field.focus()
            break

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_apply()

    def action_apply(self) -> None:
        try:
            now = {name: self._written(name) for name in self._fields}
        except NotAValue as wrong:
            self.post_message(self.Failed(str(wrong)))
            return
        self.post_message(
            self.Edited({name: value for name, value in now.items() if not self._same(name, value)})
        )

    def action_leave(self) -> None:
        self.post_message(self.Left())

    def _written(self, name: str) -> JsonValue:
        field = self._fields[name]
        return from_written(
            field.text if isinstance(field, TextArea) else field.value, self._before[name], name
        )

    def _same(self, name: str, value: JsonValue) -> bool:
        return as_text(value) == as_text(self._before[name])
