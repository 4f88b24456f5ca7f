"""Calls for tests of how they are held: tools of every kind, and calls of them as they are written."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from hypothesis import strategies as st
from pydantic import JsonValue, create_model

from assistant.model.base import Piece
from assistant.model.dialects.reading import CallReader
from assistant.model.dialects.schema import tool_schemas
from assistant.model.held.nothing import is_nothing
from assistant.model.held.spoken import Spoken
from assistant.model.shapes import ArgumentShape, Kind, ToolShape, call_shapes
from connectors.base import Effect, Tool, ToolArguments
from tests.assistant.model.tools import TOOLS as OURS

_FOREIGN = create_model(
    "Foreign",
    __base__=ToolArguments,
    who=(str, ...),
    count=(int, ...),
    colour=(Literal["red", "dark red", "blå"], ...),
    tags=(list[str], ...),
    ratio=(float | None, None),
    whole=(bool | None, None),
    extra=(dict[str, Any] | None, None),
    items=(list[Any] | None, None),
)
FOREIGN = Tool("shop.order-thing", "order a thing", _FOREIGN, Effect.SEND)
TOOLS = (*OURS, FOREIGN)
SHAPES = call_shapes(tool_schemas(TOOLS))
# These end a value in XML; readers could not tell them from those that are meant. All else is a text.
_ENDS = re.compile(r"</parameter|^</?(?:parameter|function|tool_call)|\r\n", re.IGNORECASE | re.MULTILINE)
_TAGS = (
    "<parameter=text>",
    "<function=settings.get>",
    "</function>",
    "<tool_call>",
    "</tool_call>",
    "<think>",
    "\n",
)
Written = tuple[str, dict[str, JsonValue]]

letters = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
texts = (letters | st.lists(letters | st.sampled_from(_TAGS), max_size=4).map("".join)).filter(
    lambda text: not _ENDS.search(text) and not is_nothing(text)
)
numbers = st.integers(-(10**9), 10**9) | st.sampled_from([0.5, -1.25, 3e9, 1e-07])


def objects(inner: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    return st.dictionaries(texts, inner, max_size=3)


anything: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | texts | numbers,
    lambda inner: st.lists(inner, max_size=3) | objects(inner),
    max_leaves=6,
)


def values(argument: ArgumentShape) -> st.SearchStrategy[JsonValue]:
    if argument.choices:
        return st.sampled_from(argument.choices)
    kinds: Mapping[Kind, st.SearchStrategy[JsonValue]] = {
        Kind.TEXT: texts,
        Kind.TEXTS: st.lists(texts, min_size=1, max_size=3),
        Kind.FLAG: st.booleans(),
        Kind.WHOLE: st.integers(-(10**15), 10**15),
        Kind.NUMBER: numbers,
        Kind.LIST: st.lists(anything, max_size=3),
        Kind.OBJECT: objects(anything),
    }
    return kinds[argument.kind]


@st.composite
def written(draw: st.DrawFn) -> Written:
    tool = draw(st.sampled_from(SHAPES))
    arguments = draw(st.permutations([a for a in tool.arguments if a.required or draw(st.booleans())]))
    return tool.name, {argument.name: draw(values(argument)) for argument in arguments}


def in_xml(call: Written) -> str:
    name, arguments = call
    parts = [f"<tool_call>\n<function={name}>\n"]
    for key, value in arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        parts.append(f"<parameter={key}>\n{text}\n</parameter>\n")
    return "".join(parts) + "</function>\n</tool_call>"


def in_json(call: Written, *, spaces: bool = True) -> str:
    name, arguments = call
    signs = (", ", ": ") if spaces else (",", ":")
    body = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=not spaces, separators=signs)
    return f'<tool_call>\n{{"name": {body.partition(signs[1])[2]}\n</tool_call>'


def of_all(form: str, *, thinking: bool = False, tools: Sequence[ToolShape] = SHAPES) -> Spoken:
    return Spoken(tools, form, thinking=thinking)


def goes(spoken: Spoken, text: str | bytes) -> bool:
    """True if the text is taken byte by byte; it is pushed as far as it is."""
    for byte in text.encode() if isinstance(text, str) else text:
        if not spoken.accepts(bytes([byte])):
            return False
        spoken.push(bytes([byte]))
    return True


def read(answer: str) -> list[Piece]:
    reader = CallReader(TOOLS, thinking=False)
    return [*reader.feed(answer), *reader.end("stop")]
