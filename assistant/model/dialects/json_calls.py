"""Reads calls written as Hermes' JSON, or as Python writes the same, with the faults they are known for."""

import ast
import json
import re
import warnings

from pydantic import JsonValue

from assistant.model.dialects.written import Unreadable, Written

_CODE_FENCE = re.compile(r"\A\s*```\w*\s*|\s*```\s*\Z")
_CLOSERS = re.compile(r"(?:\s|</(?:parameter|function|function_invocation|tool_call)\s*>)*", re.IGNORECASE)
_DECODER = json.JSONDecoder(strict=False)
_QUOTE = re.compile(r"[\"']")
_ESCAPED_OR_QUOTE = re.compile(r"\\.|[\"']", re.DOTALL)
_NAMES = ("name", "function", "tool", "tool_name")
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_LONGEST_PYTHON = 20_000


def from_json(text: str) -> list[Written]:
    """The calls in a text that is nothing but JSON; Unreadable if it is not."""
    text = _CODE_FENCE.sub("", text).strip()
    if not text.startswith(("{", "[")):
        raise Unreadable("The call is neither <function=NAME> nor a JSON object with name and arguments.")
    values: list[JsonValue] = []
    at = 0
    while at < len(text) and text[at] in "{[":
        value, at = _decoded(text, at)
        values.extend(_listed(value))
        at = _after_closers(text, at)
    return [_from_object(value) for value in values]


def from_body(text: str) -> dict[str, JsonValue]:
    """The arguments at the beginning of a text that begins with a JSON object. Raises Unreadable."""
    value, _ = _decoded(text, 0)
    if not isinstance(value, dict):
        raise Unreadable("The arguments of the call are no JSON object.")
    return value


def within_string(text: str) -> bool:
    """True if a text that begins with JSON, or the same in Python, ends in the middle of a string."""
    if text.lstrip()[:1] not in ("{", "["):
        return False
    first = _QUOTE.search(text)
    if not first:
        return False
    quotes = '"' if first.group() == '"' else "\"'"
    opened = ""
    for found in _ESCAPED_OR_QUOTE.finditer(text):
        sign = found.group()
        if opened:
            opened = "" if sign == opened else opened
        elif sign in quotes:
            opened = sign
    return bool(opened)


def lenient(text: str, otherwise: JsonValue) -> JsonValue:
    """A value in JSON, or as Python writes it; else `otherwise`."""
    try:
        value: JsonValue = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        value = _python(text)
        return otherwise if value is None else value
    return value


def _decoded(text: str, at: int) -> tuple[JsonValue, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        python = _python(text[at:])
        if python is None:
            raise Unreadable("The call is not whole JSON.") from None
        return python, len(text)
    return value, end


def _python(text: str) -> JsonValue:
    """What a literal of Python stands for, as JSON; None if it is none."""
    if len(text) > _LONGEST_PYTHON:
        return None
    try:
        with warnings.catch_warnings(action="ignore"):
            value: JsonValue = json.loads(json.dumps(ast.literal_eval(text.strip())))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return value


def _listed(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, dict) and isinstance(calls := value.get("tool_calls"), list):
        value = calls
    return value if isinstance(value, list) else [value]


def _from_object(value: JsonValue) -> Written:
    if isinstance(value, dict) and isinstance(inner := value.get("function"), dict):
        value = inner
    if not isinstance(value, dict):
        raise Unreadable("The JSON of the call has no name.")
    name = next((found for key in _NAMES if isinstance(found := value.get(key), str)), None)
    if name is None:
        raise Unreadable("The JSON of the call has no name.")
    arguments = next((value[key] for key in _ARGUMENTS if value.get(key) is not None), {})
    if isinstance(arguments, str):
        arguments = lenient(arguments, arguments) or {}
    if not isinstance(arguments, dict):
        raise Unreadable("The arguments of the call are no JSON object.")
    return Written(name.strip(), arguments)


def _after_closers(text: str, at: int) -> int:
    found = _CLOSERS.match(text, at)
    at = found.end() if found else at
    # Between the objects of several calls there may be a comma, and after one there may be a brace too many.
    while at < len(text) and text[at] in ",; \n":
        at += 1
    return at
