"""How calls that were cut off are read, and what becomes of the values in those that were not."""

import pytest
from pydantic import JsonValue

from assistant.model.base import Cut, Piece, Text, Thought, Wish
from assistant.model.dialects.calls import coerce
from assistant.model.dialects.reading import CallReader
from assistant.model.wire import Reason
from tests.assistant.model.tools import TOOLS

LUNCH = Wish("calendar.create_event", {"title": "Lunch", "when": "friday at noon"})
WIFI = Wish("settings.set", {"setting": "wifi", "value": "on"})
LUNCH_XML = """<tool_call>
<function=calendar.create_event>
<parameter=title>
Lunch
</parameter>
<parameter=when>
friday at noon
</parameter>
</function>
</tool_call>"""
WIFI_JSON = (
    '<tool_call>\n{"name": "settings.set", "arguments": {"setting": "wifi", "value": "on"}}\n</tool_call>'
)


def joined(pieces: list[Piece]) -> list[Piece]:
    """Neighbouring texts and thoughts as one."""
    made: list[Piece] = []
    for piece in pieces:
        match made[-1:], piece:
            case [Text(text=before)], Text(text=text):
                made[-1] = Text(before + text)
            case [Thought(text=before)], Thought(text=text):
                made[-1] = Thought(before + text)
            case _:
                made.append(piece)
    return made


def read(answer: str, reason: Reason = "stop") -> list[Piece]:
    """The reading of an answer in which every tag is text."""
    reader = CallReader(TOOLS, thinking=False)
    return joined(reader.feed(answer) + reader.end(reason))


@pytest.mark.parametrize("cut", range(1, len(LUNCH_XML) - len("</tool_call>") + 1))
@pytest.mark.parametrize("reason", ["limit", "full", "cancelled"])
def test_a_call_cut_at_a_limit_is_never_asked_for(cut: int, reason: Reason) -> None:
    pieces = read(LUNCH_XML[:cut], reason=reason)
    assert not [piece for piece in pieces if isinstance(piece, Wish)]
    assert [type(piece) for piece in pieces if isinstance(piece, Cut)] == [Cut] * (reason != "cancelled")


@pytest.mark.parametrize("cut", range(1, len(WIFI_JSON) - len("</tool_call>") + 1))
def test_a_call_in_json_cut_at_a_limit_is_never_asked_for(cut: int) -> None:
    for answer in (WIFI_JSON[:cut], WIFI_JSON.removeprefix("<tool_call>\n")[:cut]):
        assert not [piece for piece in read(answer, reason="limit") if isinstance(piece, Wish)]


def test_the_calls_before_the_one_that_was_cut_are_asked_for() -> None:
    first, cut = read(LUNCH_XML + "\n" + WIFI_JSON[:40], reason="limit")
    assert first == LUNCH
    assert isinstance(cut, Cut)


def value_of(raw: str, tool: str = "files.write", argument: str = "text") -> object:
    xml = f"<function={tool}>\n<parameter={argument}>\n{raw}\n</parameter>\n</function>"
    (wish,) = read(f"<tool_call>\n{xml}\n</tool_call>")
    assert isinstance(wish, Wish), wish
    return wish.arguments.get(argument)


@pytest.mark.parametrize(
    "raw",
    [
        "two\nlines",
        "  indented\n    more\n",
        '{"json": [1, 2]}',
        "3",
        "true",
        "a </parameter> b",
        "ends with <parameter",
        "say </tool_call> twice </tool_call>",
        "<tool_call>\n<function=settings.get>\n</function>",
        "1 < 2 > 0 && x",
    ],
)
def test_a_text_is_taken_raw_to_the_last_blank(raw: str) -> None:
    assert value_of(raw) == raw


@pytest.mark.parametrize(
    ("tool", "argument", "raw", "value"),
    [
        ("files.write", "add", "True", True),
        ("files.write", "add", "FALSE", False),
        ("messaging.search", "unread", "true", True),
        ("messaging.search", "unread", "None", None),
        ("calendar.create_event", "place", "null", None),
        ("messaging.send", "to", '["Ana", "Bo"]', ["Ana", "Bo"]),
        ("messaging.send", "to", "['Ana', 'Bo']", ["Ana", "Bo"]),
        ("messaging.send", "to", "Ana", ["Ana"]),
        ("settings.set", "setting", "WiFi", "wifi"),
        ("calendar.change_event", "series", "All", "all"),
    ],
)
def test_a_value_becomes_what_its_schema_wants(tool: str, argument: str, raw: str, value: object) -> None:
    assert value_of(raw, tool, argument) == value


@pytest.mark.parametrize(
    ("kinds", "text", "value"),
    [
        (["string", "integer"], "5", 5),
        (["string", "integer"], "five", "five"),
        (["array", "string"], '["a"]', ["a"]),
        (["string", "null"], "5", "5"),
        (["boolean", "null"], "True", True),
    ],
)
def test_where_several_kinds_are_allowed_json_is_tried_first(
    kinds: list[JsonValue], text: str, value: object
) -> None:
    assert coerce(text, {"type": kinds}) == value


def test_text_streams_as_it_comes_but_never_the_beginning_of_a_tag() -> None:
    reader = CallReader(TOOLS, thinking=False)
    assert reader.feed("Well, ") == [Text("Well,")]
    assert reader.feed("now <tool") == [Text(" now")]
    assert reader.feed("box> is") == [Text(" <toolbox> is")]
