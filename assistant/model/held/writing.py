"""Calls as chat models write them: Qwen's XML and Hermes' JSON, each for the tools there are."""

import json
from collections.abc import Callable, Sequence
from functools import partial

from assistant.model.held.json_values import Any, Number, any_list, any_object, string, strings
from assistant.model.held.raw_values import Raw
from assistant.model.held.states import Either, Spaced, State, Then, fixed, one
from assistant.model.shapes import ArgumentShape, Kind, ToolShape

_CLOSE = "</tool_call>"
_VALUE_CLOSE = "\n</parameter>\n"

Write = Callable[[Sequence[ToolShape], Then], State]
"""A call of one of these tools up to its `</tool_call>`, and what comes after."""


def xml_call(tools: Sequence[ToolShape], then: Then) -> State:
    r"""What comes after `<tool_call>`: `\n<function=NAME>\n`, parameters in any order, and the closers."""
    return one("\n", lambda: xml_function(tools, then))


def xml_function(tools: Sequence[ToolShape], then: Then) -> State:
    return fixed({f"<function={tool.name}>": partial(xml_body, tool, then) for tool in tools})


def xml_body(tool: ToolShape, then: Then) -> State:
    """What comes after `<function=NAME>`."""
    return one("\n", lambda: _parameters(tool.arguments, then))


def _parameters(left: Sequence[ArgumentShape], then: Then) -> State:
    ways: dict[str, Then] = {}
    for argument in left:
        rest = partial(_parameters, _without(left, argument), then)
        ways[f"<parameter={argument.name}>\n"] = partial(_xml_value, argument, rest)
    if not any(argument.required for argument in left):
        ways[f"</function>\n{_CLOSE}"] = then
    return fixed(ways)


def _xml_value(argument: ArgumentShape, then: Then) -> State:
    def closed() -> State:
        return one(_VALUE_CLOSE, then)

    if argument.kind is not Kind.FLAG and argument.choices:
        return fixed({choice + _VALUE_CLOSE: then for choice in argument.choices})
    match argument.kind:
        case Kind.FLAG:
            return fixed({word + _VALUE_CLOSE: then for word in ("true", "false", "True", "False")})
        case Kind.WHOLE | Kind.NUMBER:
            return Number(closed, argument.kind is Kind.WHOLE)
        case Kind.TEXTS:
            return strings(closed, least=int(argument.required), untagged=True)
        case Kind.LIST:
            return any_list(closed, untagged=True)
        case Kind.OBJECT:
            return any_object(closed, untagged=True)
    return Raw(then, argument.required)


def json_call(tools: Sequence[ToolShape], then: Then) -> State:
    r"""What comes after `<tool_call>`: `\n{"name": NAME, "arguments": {...}}\n` and the closer."""
    closed = partial(one, "\n" + _CLOSE, then)
    heads = {text: partial(_named, tool, closed) for tool in tools for text in _quoted(tool.name)}
    return one('\n{"name": ', partial(fixed, heads))


def _named(tool: ToolShape, then: Then) -> State:
    """What comes after the name."""
    return _spaced(",", lambda: one('"arguments"', lambda: _spaced(":", lambda: _object(tool, then))))


def _object(tool: ToolShape, then: Then) -> State:
    def end() -> State:
        return Spaced(lambda: one("}", then))

    return one("{", lambda: Spaced(lambda: _members(tool.arguments, end, first=True)))


def _members(left: Sequence[ArgumentShape], then: Then, *, first: bool) -> State:
    """The arguments that are left, after a comma unless they are the `first`."""
    keys: dict[str, Then] = {}
    for argument in left:
        rest = partial(_members, _without(left, argument), then, first=False)
        value = partial(_json_value, argument, partial(Spaced, rest))
        keys |= dict.fromkeys(_quoted(argument.name), partial(_spaced, ":", value))
    ends: dict[str, Then] = {} if any(argument.required for argument in left) else {"}": then}
    if first:
        return fixed(ends | keys)
    return fixed(ends | {",": partial(Spaced, partial(fixed, keys), b" ")} if left else ends)


def _json_value(argument: ArgumentShape, then: Then) -> State:
    ways: dict[str, Then] = {} if argument.required else {"null": then}
    if argument.choices:
        plain = argument.kind is Kind.ANY
        ways |= {
            text: then for choice in argument.choices for text in ([choice] if plain else _quoted(choice))
        }
    elif argument.kind is Kind.FLAG:
        ways |= {"true": then, "false": then}
    else:
        free = _free_json(argument, then)
        return free if argument.required else Either(b"n", lambda: one("null", then), lambda: free)
    return fixed(ways)


def _free_json(argument: ArgumentShape, then: Then) -> State:
    match argument.kind:
        case Kind.TEXT:
            return string(then, needed=argument.required)
        case Kind.TEXTS:
            return strings(then, least=int(argument.required))
        case Kind.WHOLE | Kind.NUMBER:
            return Number(then, argument.kind is Kind.WHOLE)
        case Kind.LIST:
            return any_list(then)
        case Kind.OBJECT:
            return any_object(then)
    return Any(then, untagged=False)


def _quoted(text: str) -> list[str]:
    """The ways to write a string in JSON: letters beyond ASCII as they are, or escaped."""
    return sorted({json.dumps(text, ensure_ascii=False), json.dumps(text)})


def _spaced(sign: str, then: Then) -> State:
    return Spaced(lambda: one(sign, lambda: Spaced(then, b" ")))


def _without(left: Sequence[ArgumentShape], argument: ArgumentShape) -> Sequence[ArgumentShape]:
    return tuple(other for other in left if other is not argument)
