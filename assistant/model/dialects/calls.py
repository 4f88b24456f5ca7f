"""Reads tool calls as models write them, whatever the form, and holds them against the tools there are."""

import re
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from assistant.model.base import Garbled, Text, Wish
from assistant.model.dialects.checking import check
from assistant.model.dialects.json_calls import from_json, lenient
from assistant.model.dialects.python_calls import from_python, looks_like_python
from assistant.model.dialects.schema import ASK_USER, properties
from assistant.model.dialects.written import Unreadable, Written
from assistant.model.dialects.xml_calls import FUNCTION_OPEN, from_xml
from connectors.base import Tool

_NOTHING = ("none", "null", "")
_BETWEEN = re.compile(r"[^0-9a-z]+")
_BYTE_ORDER_MARK = "\ufeff"


def read_calls(inner: str, tools: Sequence[Tool]) -> list[Wish | Garbled | Text]:
    """The calls between `<tool_call>` and its end, each checked against its tool; a question becomes Text."""
    try:
        written = written_calls(inner)
    except Unreadable as fault:
        return [Garbled(inner, str(fault))]
    return [_checked(call, tools, inner) for call in written]


def written_calls(inner: str) -> list[Written]:
    """The calls in a text, not checked; Unreadable if there is none."""
    inner = inner.replace(_BYTE_ORDER_MARK, "")
    if FUNCTION_OPEN.search(inner) and not inner.lstrip().startswith(("{", "[", "`")):
        return from_xml(inner)
    if looks_like_python(inner):
        return from_python(inner)
    return from_json(inner)


def names_a_tool(inner: str, tools: Sequence[Tool]) -> bool:
    """True if the text is nothing but calls in JSON of tools that there are."""
    try:
        written = from_json(inner.replace(_BYTE_ORDER_MARK, ""))
    except Unreadable:
        return False
    return all(call.name == ASK_USER or _named(call.name, tools) for call in written)


def _checked(call: Written, tools: Sequence[Tool], raw: str) -> Wish | Garbled | Text:
    if call.name == ASK_USER:
        question = str(call.arguments.get("question") or "").strip()
        return Text(question, asked=True) if question else Garbled(raw, "ask_user needs a question.")
    tool = _named(call.name, tools)
    if tool is None:
        return check(call.name, {}, tools, raw)
    schemas = properties(tool)
    names = {name.casefold(): name for name in schemas}
    given = {names.get(name.casefold(), name): value for name, value in call.arguments.items()}
    coerced = {name: coerce(value, schemas.get(name, {})) for name, value in given.items()}
    return check(tool.name, {k: v for k, v in coerced.items() if v is not None}, tools, raw)


def _named(name: str, tools: Sequence[Tool]) -> Tool | None:
    """The tool of this name, or the only one whose name is the same but for capitals and what parts it."""
    offered = [tool for tool in tools if tool.offered]
    if exact := next((tool for tool in offered if tool.name == name), None):
        return exact
    alike = [tool for tool in offered if _bare(tool.name) == _bare(name)]
    return alike[0] if len(alike) == 1 else None


def _bare(name: str) -> str:
    return _BETWEEN.sub("", name.casefold())


def coerce(value: JsonValue, schema: Mapping[str, JsonValue]) -> JsonValue:
    """A value as its schema wants it, if it plainly means that; None if it says that there is none."""
    kind = _kind(schema.get("type"))
    if isinstance(value, str):
        if value.strip().casefold() in _NOTHING:
            return None
        return _from_text(value, kind, schema.get("enum"))
    if kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value


def _kind(named: JsonValue) -> JsonValue:
    """One kind; several count as that of any JSON, which is tried before the raw text."""
    if not isinstance(named, list):
        return named
    kinds = [kind for kind in named if kind != "null"]
    return kinds[0] if len(kinds) == 1 else "object"


def _from_text(text: str, kind: JsonValue, choices: JsonValue) -> JsonValue:
    plain = text.strip()
    if isinstance(choices, list):
        return next((c for c in choices if isinstance(c, str) and c.casefold() == plain.casefold()), text)
    if kind == "boolean" and plain.casefold() in ("true", "false"):
        return plain.casefold() == "true"
    if kind in ("integer", "number", "object"):
        return lenient(plain, text)
    if kind == "array":
        listed = lenient(plain, text)
        return listed if isinstance(listed, list) else [plain]
    return text
