"""Arguments as text to edit, and edited text as values of the same kind."""

import json
from collections.abc import Mapping

from pydantic import JsonValue

from connectors.base import Arguments, Tool

_KINDS: dict[str, JsonValue] = {"array": [], "boolean": False, "integer": 0, "number": 0, "object": {}}
"""An empty value of each JSON schema type that is not text."""


class NotAValue(ValueError):
    """What was written is no value of the argument's kind; the text says what would be."""


def editable(arguments: Arguments, tool: Tool | None) -> dict[str, JsonValue]:
    """All that a call says, then all that its tool could say besides, with an empty value."""
    return {**arguments, **{name: empty for name, empty in _empties(tool).items() if name not in arguments}}


def hint(name: str, tool: Tool | None) -> str:
    """What belongs into an argument, in a few words."""
    found = tool.arguments.model_fields.get(name) if tool else None
    return (found.description or "") if found else ""


def as_text(value: JsonValue) -> str:
    """An argument as text to edit: lists with commas, or semicolons where an item holds a comma."""
    match value:
        case None:
            return ""
        case str():
            return value
        case list() | tuple():
            return _separator(value).join(str(item) for item in value)
        case bool():
            return "yes" if value else "no"
        case _:
            return json.dumps(value, ensure_ascii=False)


def from_written(text: str, was: JsonValue, name: str) -> JsonValue:
    """Edited text as a value of the same kind as before; empty text takes the argument away."""
    match was:
        case list() | tuple():
            parts = text.split(";" if ";" in text else _separator(was).strip())
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


def _empties(tool: Tool | None) -> dict[str, JsonValue]:
    """Every argument of a tool with the empty value of its kind; text is None."""
    if tool is None:
        return {}
    found = tool.arguments.model_json_schema().get("properties", {})
    return {name: _KINDS.get(_type(schema)) for name, schema in found.items()}


def _type(schema: Mapping[str, object]) -> str:
    choices = schema.get("anyOf")
    if isinstance(choices, list):
        kinds = [str(each.get("type")) for each in choices if each.get("type") != "null"]
        return kinds[0] if kinds else ""
    return str(schema.get("type", ""))
