"""Tools as general models are told of them: JSON schema, short and always the same bytes."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pydantic import JsonValue

from assistant.model.shapes import plain_schema
from connectors.base import Tool
from connectors.clean import for_model

ASK_USER = "ask_user"

_ASK_USER: dict[str, JsonValue] = {
    "type": "function",
    "function": {
        "name": ASK_USER,
        "description": "ask the person for something that is missing or unclear",
        "parameters": {
            "type": "object",
            "properties": {"question": {"type": "string"}},
            "required": ["question"],
        },
    },
}


def tool_schemas(tools: Sequence[Tool]) -> tuple[dict[str, JsonValue], ...]:
    """The tools that may be asked for, sorted by name, and the pseudo tool that asks the person."""
    offered = sorted((tool for tool in tools if tool.offered), key=lambda tool: tool.name)
    return (*(_tool_schema(tool) for tool in offered), _ASK_USER)


# Pydantic takes milliseconds for a schema, and one request asks for those of all tools several times.
@lru_cache(maxsize=512)
def properties(tool: Tool) -> Mapping[str, dict[str, JsonValue]]:
    """The schema of each argument, without references and without null."""
    schema = tool.arguments.model_json_schema()
    definitions = schema.get("$defs", {})
    told = {name: plain_schema(value, definitions) for name, value in schema.get("properties", {}).items()}
    return {name: _guarded(value) for name, value in told.items()}


def _guarded(schema: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A schema whose descriptions, which may be foreign, hold no token of a chat template."""
    return {
        key: for_model(value) if key == "description" and isinstance(value, str) else value
        for key, value in schema.items()
    }


def _tool_schema(tool: Tool) -> dict[str, JsonValue]:
    required = [name for name, field in tool.arguments.model_fields.items() if field.is_required()]
    parameters: dict[str, JsonValue] = {"type": "object", "properties": dict(properties(tool))}
    if required:
        parameters["required"] = list(required)
    function: dict[str, JsonValue] = {
        "name": tool.name,
        "description": for_model(tool.summary),
        "parameters": parameters,
    }
    return {"type": "function", "function": function}
