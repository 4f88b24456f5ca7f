"""The shape of a call as the starter writes it: which tools, which arguments, which values."""

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


@dataclass(frozen=True, slots=True)
class ArgumentShape:
    name: str
    kind: Kind
    choices: tuple[str, ...] = ()


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
