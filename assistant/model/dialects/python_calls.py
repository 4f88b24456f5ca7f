"""Reads calls written as Python: `[messaging.send(to=["Ana"]), settings.get()]`, nothing of which is run."""

import ast
import json
import re
import warnings

from pydantic import JsonValue

from assistant.model.dialects.written import Unreadable, Written

_LONGEST = 20_000
_BEGINS = re.compile(r"\s*\[?\s*[A-Za-z_][\w.]{0,100}\(")


def looks_like_python(text: str) -> bool:
    return _BEGINS.match(text) is not None


def from_python(text: str) -> list[Written]:
    """The calls in a text that is nothing but calls with named, literal arguments. Raises Unreadable."""
    if len(text) > _LONGEST:
        raise Unreadable("The call is too long.")
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(text.strip(), mode="eval").body
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise Unreadable("The call is not whole.") from None
    found = tree.elts if isinstance(tree, ast.List | ast.Tuple) else [tree]
    return [_written(each) for each in found]


def _written(node: ast.expr) -> Written:
    if not isinstance(node, ast.Call):
        raise Unreadable("The call is no name with arguments in parentheses.")
    if node.args or any(keyword.arg is None for keyword in node.keywords):
        raise Unreadable("Every argument of a call needs its name.")
    return Written(_name(node.func), {str(each.arg): _value(each.value) for each in node.keywords})


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=before, attr=name):
            return f"{_name(before)}.{name}"
    raise Unreadable("The call has no name.")


def _value(node: ast.expr) -> JsonValue:
    # `true`, `false` and `null` are names to Python.
    if isinstance(node, ast.Name) and node.id in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[node.id]
    try:
        value: JsonValue = json.loads(json.dumps(ast.literal_eval(node)))
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise Unreadable("An argument of the call is no plain value.") from None
    return value
