"""What tools of any origin take is made out of their JSON schema, however odd that is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from assistant.model.dialects.schema import tool_schemas
from assistant.model.held.spoken import Spoken
from assistant.model.shapes import ArgumentShape, Kind, call_shapes, tool_shapes
from tests.assistant.model.tools import OFFERED, TOOLS

words = st.sampled_from(["type", "enum", "const", "anyOf", "$ref", "items", "string", "null", "array", "x"])
schemas = st.recursive(
    st.none() | st.booleans() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=10,
)


def shape_of(schema: JsonValue, *, required: bool = False) -> ArgumentShape:
    parameters = {"properties": {"x": schema}, "required": ["x"] * required}
    (tool,) = call_shapes([{"function": {"name": "t", "parameters": parameters}}])
    (argument,) = tool.arguments
    return argument


@pytest.mark.parametrize(
    ("schema", "kind", "choices"),
    [
        ({"type": "string"}, Kind.TEXT, ()),
        ({"type": "boolean"}, Kind.FLAG, ()),
        ({"type": "integer"}, Kind.WHOLE, ()),
        ({"type": "number"}, Kind.NUMBER, ()),
        ({"type": "object"}, Kind.OBJECT, ()),
        ({"type": "array"}, Kind.LIST, ()),
        ({"type": "array", "items": {"type": "string"}}, Kind.TEXTS, ()),
        ({"type": "array", "items": {"type": "integer"}}, Kind.LIST, ()),
        ({"type": ["string", "null"]}, Kind.TEXT, ()),
        ({"type": ["string", "integer"]}, Kind.ANY, ()),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, Kind.WHOLE, ()),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, Kind.ANY, ()),
        ({"enum": ["a", "b"]}, Kind.CHOICE, ("a", "b")),
        ({"const": "a"}, Kind.CHOICE, ("a",)),
        ({"enum": [1, "a", None]}, Kind.ANY, ("1", '"a"', "null")),
        ({"enum": []}, Kind.ANY, ()),
        ({"$ref": "#/nowhere"}, Kind.ANY, ()),
        ({}, Kind.ANY, ()),
        (True, Kind.ANY, ()),
    ],
)
def test_each_kind_of_schema_has_its_shape(schema: JsonValue, kind: Kind, choices: tuple[str, ...]) -> None:
    assert shape_of(schema) == ArgumentShape("x", kind, choices)
    assert shape_of(schema, required=True).required


def test_a_schema_that_points_at_itself_takes_anything() -> None:
    parameters = {"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}}
    (tool,) = call_shapes([{"function": {"name": "t", "parameters": parameters}}])
    assert tool.arguments == (ArgumentShape("x", Kind.ANY),)


@given(schemas, schemas)
def test_no_schema_whatever_makes_it_raise(whole: JsonValue, one: JsonValue) -> None:
    for parameters in (
        whole,
        {"properties": one},
        {"properties": {"x": one}, "required": whole, "$defs": one},
    ):
        shapes = call_shapes([{"function": {"name": "t", "parameters": parameters}}])
        for form in ("xml", "json"):
            spoken = Spoken(shapes, form, thinking=False)
            spoken.push(b"<tool_call>")
            assert spoken.forced()


def test_our_own_tools_have_the_shapes_that_the_starter_knows_and_the_question() -> None:
    *ours, ask = call_shapes(tool_schemas(TOOLS))
    known = {shape.name: shape.arguments for shape in tool_shapes(OFFERED)}
    assert {shape.name for shape in ours} == known.keys()
    for shape in ours:
        pairs = zip(shape.arguments, known[shape.name], strict=True)
        assert all((a.name, a.kind, a.choices) == (b.name, b.kind, b.choices) for a, b in pairs)
    assert ask.arguments == (ArgumentShape("question", Kind.TEXT, required=True),)
