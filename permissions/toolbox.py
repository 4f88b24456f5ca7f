"""All tools of all services, and the making of calls that fit them."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue, ValidationError
from pydantic_core import ErrorDetails

from connectors.base import (
    Arguments,
    Call,
    Connector,
    Context,
    Needs,
    Outcome,
    Prepared,
    Question,
    Tool,
    failed,
)
from connectors.clean import clean_line
from permissions.report import broke

_NAME = 40
_WANTED = {
    "string_type": "text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
}


class Toolbox:
    """The tools that the services have now; a service may gain and lose some while it runs.

    Raises ValueError where two services would answer to one name.
    """

    def __init__(self, connectors: Sequence[Connector]) -> None:
        self._connectors = {connector.name: connector for connector in connectors}
        if len(self._connectors) != len(connectors):
            raise ValueError("two services have the same name")
        for connector in connectors:
            names = [tool.name for tool in connector.tools]
            strange = [name for name in names if name.partition(".")[0] != connector.name]
            if strange or len(set(names)) != len(names):
                raise ValueError(f"the tools of {connector.name} are not named uniquely after it")

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Every tool, hidden ones too."""
        return tuple(
            tool
            for name, connector in self._connectors.items()
            for tool in connector.tools
            if tool.name.partition(".")[0] == name
        )

    def tool(self, name: str) -> Tool | None:
        connector = self._connectors.get(name.partition(".")[0])
        tools = connector.tools if connector is not None else ()
        return next((tool for tool in tools if tool.name == name), None)

    async def look(self, call: Call, context: Context, seconds: float) -> Prepared | Question | Outcome:
        """Let the service look at what a call would do; whatever goes wrong becomes an outcome."""
        tool = self.tool(call.tool)
        if tool is None:
            return no_tool(call.tool)
        connector = self.service(call.tool)
        fitting = fitted(tool, call.arguments)
        if isinstance(fitting, Outcome):
            return fitting
        call = replace(call, arguments=fitting)
        try:
            async with asyncio.timeout(seconds) as limit:
                found = await connector.prepare(call, context)
        except Exception as error:  # Whatever a service throws, the conversation goes on without it.
            return broke(connector.name, None if limit.expired() else error, seconds)
        match found:
            case Question() | Outcome():
                return found
            case Prepared() if found.call == call:
                return found
        return broke(connector.name, TypeError("not an answer to this call"), seconds)

    def undo(self, undo: Call | None) -> Call | None:
        """An undo call, if there is such a tool and its arguments fit."""
        tool = self.tool(undo.tool) if undo else None
        if undo is None or tool is None:
            return None
        fitting = fitted(tool, undo.arguments)
        return None if isinstance(fitting, Outcome) else replace(undo, arguments=fitting)

    def service(self, tool: str) -> Connector:
        """The service that a tool belongs to."""
        return self._connectors[tool.partition(".")[0]]


def no_tool(name: str) -> Outcome:
    """The outcome for a tool that does not exist."""
    return failed(Needs.INVALID, f"There is no tool called “{clean_line(name, 60)}”.")


def made_call(tool: Tool, arguments: Mapping[str, JsonValue]) -> Call | Outcome:
    """A call with an id of its own and arguments that fit, or what is wrong with them in one sentence."""
    fitting = fitted(tool, arguments)
    if isinstance(fitting, Outcome):
        return fitting
    return Call(f"call-{secrets.token_hex(8)}", tool.name, fitting)


def fitted(tool: Tool, arguments: Mapping[str, JsonValue]) -> Arguments | Outcome:
    """The arguments as plain JSON values, without those that say nothing."""
    try:
        model = tool.arguments.model_validate(dict(arguments))
    except ValidationError as error:
        faults = error.errors(include_url=False)
        named_wrongly = (fault for fault in faults if fault["type"] == "extra_forbidden")
        return failed(Needs.INVALID, _sentence(tool, next(named_wrongly, faults[0])))
    dumped: dict[str, JsonValue] = model.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    return dumped


def _sentence(tool: Tool, error: ErrorDetails) -> str:
    path = error["loc"]
    name = clean_line(str(path[0]), _NAME) if path else ""
    kind = error["type"]
    if kind == "extra_forbidden":
        known = ", ".join(tool.arguments.model_fields) or "no arguments"
        return f"{tool.name} has no argument “{name}”; it takes {known}."
    if kind == "missing":
        return f"{tool.name} needs “{name}”."
    if kind in ("enum", "literal_error"):
        return f"“{name}” of {tool.name} should be one of {error['ctx']['expected']}."
    wanted = _WANTED.get(kind)
    if wanted:
        return f"“{name}” of {tool.name} should be {wanted}."
    return f"“{name}” of {tool.name} does not fit: {clean_line(error['msg'], 120)}."
