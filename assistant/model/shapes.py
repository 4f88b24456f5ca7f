"""The shapes of calls: which tools, which arguments, which values."""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from pydantic.dataclasses import dataclass

from connectors.base import Tool


class Kind(StrEnum):
    """What an argument's value may be."""

    TEXT = "text"
    TEXTS = "texts"
    CHOICE = "choice"
    FLAG = "flag"
    WHOLE = "whole"
    NUMBER = "number"
    LIST = "list"
    OBJECT = "object"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class ArgumentShape:
    """An argument's name and what its value may be; the `choices` of the kind ANY are JSON."""

    name: str
    kind: Kind
    choices: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class ToolShape:
    """A tool's name and its arguments, in the order of its schema."""

    name: str
    arguments: tuple[ArgumentShape, ...]


def tool_shapes(tools: Sequence[Tool]) -> tuple[ToolShape, ...]:
    """The shapes of the tools that a model may ask for; TypeError if an argument is of no known kind."""
    return tuple(tool_shape(tool) for tool in tools if tool.offered)


def tool_shape(tool: Tool) -> ToolShape:
    schema = tool.arguments.model_json_schema()
    definitions = schema.get("$defs", {})
    properties = schema.get("properties", {})
    return ToolShape(tool.name, tuple(_argument(tool, n, p, definitions) for n, p in properties.items()))


def call_shapes(described: Sequence[Mapping[str, Any]]) -> tuple[ToolShape, ...]:
    """The shapes of tools that are described in JSON schema, as chat templates list them.

    Each is `{"type": "function", "function": {"name": ..., "parameters": SCHEMA}}`; what its schema does not
    say, or says in ways that are not known here, may be anything.
    """
    return tuple(_described(tool["function"]) for tool in described)


def plain_schema(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """A property's schema without references and without the null that every optional argument has."""
    plain = {key: value for key, value in schema.items() if key not in ("anyOf", "$ref", "title", "default")}
    if reference := schema.get("$ref"):
        named = definitions.get(str(reference).rsplit("/", 1)[-1], {})
        plain = {**plain_schema(named, definitions), **plain}
    for choice in schema.get("anyOf", ()):
        if choice.get("type") != "null":
            plain = {**plain_schema(choice, definitions), **plain}
    return plain


def _argument(
    tool: Tool, name: str, schema: Mapping[str, Any], definitions: Mapping[str, Any]
) -> ArgumentShape:
    match plain_schema(schema, definitions):
        case {"enum": [*choices]} if all(isinstance(choice, str) for choice in choices):
            return ArgumentShape(name, Kind.CHOICE, tuple(choices))
        case {"const": str(only)}:
            return ArgumentShape(name, Kind.CHOICE, (only,))
        case {"type": "string"}:
            return ArgumentShape(name, Kind.TEXT)
        case {"type": "boolean"}:
            return ArgumentShape(name, Kind.FLAG)
        case {"type": "array", "items": {"type": "string"}}:
            return ArgumentShape(name, Kind.TEXTS)
    raise TypeError(f"{tool.name}: the argument {name} is of a kind that the starter cannot write")


def _described(function: Mapping[str, Any]) -> ToolShape:
    schema = function.get("parameters")
    schema = schema if isinstance(schema, dict) else {}
    named, required, definitions = (schema.get(key) for key in ("properties", "required", "$defs"))
    properties = named if isinstance(named, dict) else {}
    needed = required if isinstance(required, list) else ()
    return ToolShape(
        function["name"],
        tuple(
            _described_argument(name, _one_kind(property_, definitions or {}), name in needed)
            for name, property_ in properties.items()
        ),
    )


def _one_kind(schema: Any, definitions: Any) -> Mapping[str, Any]:
    """A property's schema where all its values are of one kind; nothing where they are not."""
    try:
        kinds = [choice for choice in schema.get("anyOf", ()) if choice.get("type") != "null"]
        plain = plain_schema(schema, definitions) if len(kinds) < 2 else {}
    except (AttributeError, TypeError, RecursionError):
        # A schema of a foreign tool may be no schema, or point at itself.
        return {}
    match plain.get("type"):
        case [one] | [one, "null"] | ["null", one]:
            return {**plain, "type": one}
    return plain


def _described_argument(name: str, schema: Mapping[str, Any], required: bool) -> ArgumentShape:
    listed = [schema["const"]] if "const" in schema else schema.get("enum")
    choices = listed if isinstance(listed, list) else []
    if choices and all(isinstance(choice, str) for choice in choices):
        return ArgumentShape(name, Kind.CHOICE, tuple(choices), required)
    if choices:
        return ArgumentShape(name, Kind.ANY, tuple(map(json.dumps, choices)), required)
    return ArgumentShape(name, _described_kind(schema), required=required)


def _described_kind(schema: Mapping[str, Any]) -> Kind:
    match schema:
        case {"type": "array", "items": {"type": "string"}}:
            return Kind.TEXTS
        case {"type": str(named)}:
            return _KINDS.get(named, Kind.ANY)
    return Kind.ANY


_KINDS = {
    "string": Kind.TEXT,
    "boolean": Kind.FLAG,
    "integer": Kind.WHOLE,
    "number": Kind.NUMBER,
    "array": Kind.LIST,
    "object": Kind.OBJECT,
}
