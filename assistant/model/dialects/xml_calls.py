"""Reads calls written as Qwen's XML, with the faults they are known for."""

import re

from pydantic import JsonValue

from assistant.model.dialects.json_calls import from_body
from assistant.model.dialects.written import Unreadable, Written

FUNCTION_OPEN = re.compile(r"<function\s*=\s*([^<>\s]{1,100})\s*>", re.IGNORECASE)
_PARAMETER_OPEN = re.compile(r"<parameter\s*=\s*([^<>\s]{1,100})\s*>", re.IGNORECASE)
_CLOSER = re.compile(r"</(?:parameter|function|function_invocation|tool_call)\s*>", re.IGNORECASE)
_VALUE_END = re.compile(
    r"\n?</parameter\s*>(?=\s*(?:<parameter\s*=|</(?:parameter|function|function_invocation|tool_call)\s*>|\Z))",
    re.IGNORECASE,
)
_FORGOTTEN_END = re.compile(r"\n(?=<parameter\s*=[^<>\s]+\s*>\n)", re.IGNORECASE)
_STRUCTURE_ENDS = re.compile(r"\n?</(?:function|function_invocation|tool_call)\s*>", re.IGNORECASE)
_NEVER_ENDS = "The last argument of the call does not end."


def from_xml(text: str) -> list[Written]:
    """The calls in a text that has at least one `<function=NAME>`. Raises Unreadable."""
    if ">\r\n" in text:
        text = text.replace("\r\n", "\n")
    return [_from_function(part) for part in _functions(text)]


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


def _from_function(text: str) -> Written:
    opened = FUNCTION_OPEN.match(text)
    if not opened:
        raise Unreadable("The call does not begin with <function=NAME>.")
    at = _pass_closers(text, opened.end())
    if text.startswith("{", at):
        return Written(opened.group(1), from_body(text[at:]))
    return Written(opened.group(1), _parameters(text, at))


def _parameters(text: str, at: int) -> dict[str, JsonValue]:
    arguments: dict[str, JsonValue] = {}
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
    return arguments


def _value_end(text: str, start: int) -> tuple[int, int]:
    """Where a value that starts here ends, and where what follows begins; Unreadable if it never ends."""
    closes = _VALUE_END.search(text, start)
    if forgotten := _FORGOTTEN_END.search(text, start, closes.start() if closes else len(text)):
        return forgotten.start(), forgotten.end()
    if closes:
        return closes.start(), closes.end()
    if structure := _STRUCTURE_ENDS.search(text, start):
        return structure.start(), structure.end()
    raise Unreadable(_NEVER_ENDS)


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
    if not found and text[at:].lstrip().casefold().startswith("<p"):
        raise Unreadable(_NEVER_ENDS)
    return found.start() if found else len(text)
