"""Reads one tool call as models write it: Qwen's XML or Hermes' JSON, with the faults they are known for."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from assistant.model.base import Garbled, Text, Wish
from assistant.model.dialects.checking import check
from assistant.model.dialects.schema import ASK_USER, properties
from connectors.base import Tool

FUNCTION_OPEN = re.compile(r"<function\s*=\s*([^<>\s]{1,100})\s*>", re.IGNORECASE)
_PARAMETER_OPEN = re.compile(r"<parameter\s*=\s*([^<>\s]{1,100})\s*>", re.IGNORECASE)
_CLOSER = re.compile(r"</(?:parameter|function|function_invocation|tool_call)\s*>", re.IGNORECASE)
_VALUE_END = re.compile(
    r"\n?</parameter\s*>(?=\s*(?:<parameter\s*=|</(?:parameter|function|function_invocation|tool_call)\s*>|\Z))",
    re.IGNORECASE,
)
_FORGOTTEN_END = re.compile(r"\n(?=<parameter\s*=[^<>\s]+\s*>\n)", re.IGNORECASE)
_STRUCTURE_ENDS = re.compile(r"\n?</(?:function|function_invocation|tool_call)\s*>", re.IGNORECASE)
_CODE_FENCE = re.compile(r"\A\s*```\w*\s*|\s*```\s*\Z")
_NOTHING = ("none", "null", "")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Written:
    """A call as it was written; values from XML are raw texts."""

    name: str
    arguments: Mapping[str, JsonValue]


class Unreadable(Exception):
    """The text is no call; the text is a sentence for the model."""


def read_calls(inner: str, tools: Sequence[Tool]) -> list[Wish | Garbled | Text]:
    """The calls between `<tool_call>` and its end, each checked against its tool; a question becomes Text."""
    try:
        written = written_calls(inner)
    except Unreadable as fault:
        return [Garbled(inner, str(fault))]
    return [_checked(call, tools, inner) for call in written]


def written_calls(inner: str) -> list[Written]:
    """The calls in a text, not checked; Unreadable if there is none."""
    if FUNCTION_OPEN.search(inner):
        return [_from_xml(part) for part in _functions(inner)]
    return _from_json(inner)


def names_a_tool(inner: str, tools: Sequence[Tool]) -> bool:
    """True if the text is nothing but calls of tools that there are."""
    try:
        written = _from_json(inner)
    except Unreadable:
        return False
    names = {tool.name for tool in tools if tool.offered} | {ASK_USER}
    return all(call.name in names for call in written)


def _checked(call: Written, tools: Sequence[Tool], raw: str) -> Wish | Garbled | Text:
    if call.name == ASK_USER:
        question = call.arguments.get("question")
        return (
            Text(str(question).strip(), asked=True)
            if question
            else Garbled(raw, "ask_user needs a question.")
        )
    tool = next((tool for tool in tools if tool.name == call.name), None)
    if tool is None:
        return check(call.name, {}, tools, raw)
    schemas = properties(tool)
    coerced = {name: coerce(value, schemas.get(name, {})) for name, value in call.arguments.items()}
    return check(call.name, {k: v for k, v in coerced.items() if v is not None}, tools, raw)


def coerce(value: JsonValue, schema: Mapping[str, JsonValue]) -> JsonValue:
    """A value as its schema wants it, if it plainly means that; None if it says that there is none."""
    kind = schema.get("type")
    if isinstance(value, str):
        if value.strip().casefold() in _NOTHING:
            return None
        return _from_text(value, kind, schema.get("enum"))
    if kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value


def _from_text(text: str, kind: JsonValue, choices: JsonValue) -> JsonValue:
    plain = text.strip()
    if isinstance(choices, list):
        return next((c for c in choices if isinstance(c, str) and c.casefold() == plain.casefold()), text)
    if kind == "boolean" and plain.casefold() in ("true", "false"):
        return plain.casefold() == "true"
    if kind in ("integer", "number", "object"):
        return _lenient_json(plain, text)
    if kind == "array":
        listed = _lenient_json(plain, text)
        return listed if isinstance(listed, list) else [plain]
    return text


def _lenient_json(text: str, otherwise: JsonValue) -> JsonValue:
    for attempt in (text, text.replace("'", '"') if '"' not in text else text):
        try:
            value: JsonValue = json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
        return value
    return otherwise


def _functions(text: str) -> list[str]:
    """The text cut before each function that opens outside of a value."""
    starts, at = [], 0
    while found := FUNCTION_OPEN.search(text, at):
        starts.append(found.start())
        at = _after_values(text, found.end())
    return [text[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def _after_values(text: str, at: int) -> int:
    while True:
        at = _pass_closers(text, at)
        found = _PARAMETER_OPEN.match(text, at)
        if not found:
            return at
        at = max(_value_end(text, found.end())[1], found.end())


def _from_xml(text: str) -> Written:
    opened = FUNCTION_OPEN.match(text)
    if not opened:
        raise Unreadable("The call does not begin with <function=NAME>.")
    arguments: dict[str, JsonValue] = {}
    at = _pass_closers(text, opened.end())
    while at < len(text):
        found = _PARAMETER_OPEN.match(text, at)
        if not found:
            at = _next_parameter(text, at)
            continue
        end, after = _value_end(text, found.end())
        value = text[found.end() : end].removeprefix("\n")
        name = found.group(1)
        if arguments.get(name, value) != value:
            raise Unreadable(f"The argument {name} is given twice, with different values.")
        arguments[name] = value
        at = _pass_closers(text, after)
    return Written(opened.group(1), arguments)


def _value_end(text: str, start: int) -> tuple[int, int]:
    """Where a value that starts here ends, and where what follows begins; Unreadable if it never ends."""
    closes = _VALUE_END.search(text, start)
    if forgotten := _FORGOTTEN_END.search(text, start, closes.start() if closes else len(text)):
        return forgotten.start(), forgotten.end()
    if closes:
        return closes.start(), closes.end()
    if structure := _STRUCTURE_ENDS.search(text, start):
        return structure.start(), structure.end()
    raise Unreadable("The last argument of the call does not end.")


def _pass_closers(text: str, at: int) -> int:
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        found = _CLOSER.match(text, at)
        if not found:
            return at
        at = found.end()


def _next_parameter(text: str, at: int) -> int:
    found = _PARAMETER_OPEN.search(text, at)
    return found.start() if found else len(text)


def _from_json(text: str) -> list[Written]:
    text = _CODE_FENCE.sub("", text).strip()
    values: list[JsonValue] = []
    at = 0
    while at < len(text) and text[at] in "{[":
        value, at = _decode(text, at)
        values.extend(value if isinstance(value, list) else [value])
        at = _pass_closers(text, at)
    if not values:
        raise Unreadable("The call is neither <function=NAME> nor a JSON object with name and arguments.")
    return [_from_object(value) for value in values]


def _decode(text: str, at: int) -> tuple[JsonValue, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        raise Unreadable("The call is not whole JSON.") from None
    return value, end


def _from_object(value: JsonValue) -> Written:
    if isinstance(value, dict) and isinstance(inner := value.get("function"), dict):
        value = inner
    if not isinstance(value, dict) or not isinstance(name := value.get("name"), str):
        raise Unreadable("The JSON of the call has no name.")
    arguments = value.get("arguments", value.get("parameters")) or {}
    if isinstance(arguments, str):
        arguments = _lenient_json(arguments, arguments) or {}
    if not isinstance(arguments, dict):
        raise Unreadable("The arguments of the call are no JSON object.")
    return Written(name.strip(), arguments)
