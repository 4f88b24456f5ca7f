"""Turns a call that was read into a wish, or says what is wrong with it."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue, ValidationError

from assistant.model.base import Garbled, Wish
from connectors.base import Tool

_SHOWN = 5


def check(name: str, arguments: Mapping[str, JsonValue], tools: Sequence[Tool], raw: str) -> Wish | Garbled:
    """A wish whose arguments passed the tool's model, else Garbled with a sentence for the model."""
    tool = next((tool for tool in tools if tool.offered and tool.name == name), None)
    if tool is None:
        return Garbled(raw, f"There is no tool named {name}.")
    try:
        tool.arguments.model_validate(dict(arguments))
    except ValidationError as error:
        return Garbled(raw, f"{name} was not called rightly: {_reasons(error)}.")
    return Wish(name, dict(arguments))


def _reasons(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_input=False)
    said = [f"{'.'.join(map(str, fault['loc'])) or 'the call'}: {fault['msg']}" for fault in faults[:_SHOWN]]
    return "; ".join(said)
