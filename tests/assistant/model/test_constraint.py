"""The starter's answers are held to the tools there are, byte by byte."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import create_model

from assistant.model.held.constraint import MOST_CALLS, Constraint
from assistant.model.shapes import Kind, ToolShape, tool_shape, tool_shapes
from connectors.base import Effect, Tool, ToolArguments
from tests.assistant.model.tools import OFFERED, TOOLS

SHAPES = tool_shapes(TOOLS)

texts = st.text(min_size=1, max_size=30).filter(
    lambda text: not any(0xD800 <= ord(c) <= 0xDFFF for c in text)
)


@st.composite
def calls(draw: st.DrawFn) -> str:
    tool = draw(st.sampled_from(SHAPES))
    arguments = {}
    for argument in tool.arguments:
        if draw(st.booleans()):
            arguments[argument.name] = draw(
                {
                    Kind.TEXT: texts,
                    Kind.TEXTS: st.lists(texts, min_size=1, max_size=3),
                    Kind.FLAG: st.booleans(),
                    Kind.CHOICE: st.sampled_from(argument.choices or ("",)),
                }[argument.kind]
            )
    return f"{tool.name} {json.dumps(arguments, ensure_ascii=draw(st.booleans()))}"


def pushed(text: str) -> Constraint:
    constraint = Constraint(SHAPES)
    for byte in text.encode():
        assert constraint.accepts(bytes([byte])), text
        constraint.push(bytes([byte]))
    return constraint


def refuses(text: str) -> bool:
    """True if the text is refused as one piece and also at some byte."""
    whole = not Constraint(SHAPES).accepts(text.encode())
    constraint = Constraint(SHAPES)
    for byte in text.encode():
        if not constraint.accepts(bytes([byte])):
            return whole
        constraint.push(bytes([byte]))
    return False


@given(st.lists(calls(), min_size=1, max_size=3).map("\n".join))
def test_every_right_answer_is_accepted_byte_by_byte_and_may_end(answer: str) -> None:
    assert pushed(answer).may_end


@given(st.lists(calls(), min_size=1, max_size=2).map("\n".join), st.data())
def test_an_answer_may_not_end_within_a_line(answer: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(answer) - 1))
    ended = pushed(answer[:cut]).may_end
    assert ended == (answer[cut] == "\n")


@given(st.lists(calls(), min_size=1, max_size=2).map("\n".join), st.data())
def test_what_must_follow_does_follow(answer: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(answer)))
    constraint = pushed(answer[:cut])
    forced = constraint.forced()
    assert (answer[cut:] + "\n").startswith(forced) or not answer[cut:]
    ways = constraint.ways()
    assert not ways or not answer[cut:] or any((answer[cut:]).startswith(way) for way in ways)


def test_nothing_fits_is_said_by_none_alone() -> None:
    assert pushed("none").may_end
    assert refuses("none ")
    assert refuses("none\n")
    assert refuses("settings.get {}\nnone")


@pytest.mark.parametrize(
    "answer",
    [
        "Sure",
        " none",
        "calendar.invent {",
        "calendar.undo {",  # a tool, but not one a model may ask for
        'calendar.create_event {"when": "x", "title"',  # not in the order of the schema
        'calendar.create_event {"title": "a", "title"',
        'calendar.create_event {"colour"',
        'calendar.create_event { "title"',
        'calendar.create_event {"title":"',
        'calendar.create_event {"title": null',
        'calendar.create_event {"title": ""',
        'calendar.create_event {"title": "a\nb',
        'calendar.create_event {"title": "a\\x',
        'calendar.create_event {"title": "a\\u12g',
        'calendar.create_event {"invite": "Sam"',
        'calendar.create_event {"invite": []',
        'calendar.create_event {"title": "a",}',
        'settings.set {"setting": "gps"',
        'files.write {"add": "true"',
        "settings.get {} ",
        "settings.get {}\n\n",
    ],
)
def test_what_no_tool_takes_is_refused(answer: str) -> None:
    assert refuses(answer)


def test_a_tool_that_is_not_there_cannot_be_named() -> None:
    calendar = Constraint([shape for shape in SHAPES if shape.name.startswith("calendar.")])
    assert calendar.accepts(b"calendar.list_events {")
    assert not calendar.accepts(b"m")
    assert calendar.accepts(b"n")  # none


def test_the_only_way_on_is_known() -> None:
    assert pushed("calendar.cr").forced() == "eate_event {"
    assert pushed('calendar.create_event {"ti').forced() == 'tle": "'
    assert pushed('settings.set {"setting": "do').forced() == '_not_disturb"'
    assert pushed('calendar.create_event {"title": "a').forced() == ""


def test_a_character_may_be_cut_within_but_not_end_there() -> None:
    constraint = pushed('calendar.create_event {"title": "caf')
    constraint.push(b"\xc3")
    assert not constraint.accepts(b'"')
    assert not constraint.may_end
    constraint.push(b"\xa9")
    assert constraint.accepts(b'"}')


def test_bytes_that_are_no_text_are_refused() -> None:
    assert not pushed('calendar.create_event {"title": "').accepts(b"\xff")
    assert not pushed("").accepts(b"")


def test_calls_do_not_go_on_for_ever() -> None:
    constraint = pushed("\n".join(["settings.get {}"] * MOST_CALLS))
    assert constraint.may_end
    assert not constraint.accepts(b"\n")
    assert constraint.ways() == ()


def test_the_shape_of_every_tool_is_known() -> None:
    assert [shape.name for shape in SHAPES] == [tool.name for tool in OFFERED]
    kinds = {(s.name, a.name): a.kind for s in SHAPES for a in s.arguments}
    assert kinds["calendar.create_event", "invite"] is Kind.TEXTS
    assert kinds["calendar.change_event", "series"] is Kind.CHOICE
    assert kinds["files.write", "add"] is Kind.FLAG
    assert kinds["messaging.search", "unread"] is Kind.FLAG
    assert kinds["settings.set", "setting"] is Kind.CHOICE


def test_an_argument_of_an_unknown_kind_is_a_programmers_error() -> None:
    odd = create_model("Odd", __base__=ToolArguments, depth=(dict[str, int], {}))
    with pytest.raises(TypeError, match=r"odd\.do: the argument depth"):
        tool_shape(Tool("odd.do", "do", odd, Effect.READ))


def test_a_tool_without_arguments_has_a_call() -> None:
    constraint = Constraint([ToolShape("a.b", ())])
    assert constraint.forced() == ""  # a.b or none
    constraint.push(b"a")
    assert constraint.forced() == ".b {}"


GOAL = "move today's alarms to 17:30, and tell “René” (Ana's boss) it's late"


def goes(text: str, source: str = GOAL) -> bool:
    """True if the text is accepted byte by byte as a beginning made of a source's words."""
    constraint = Constraint(SHAPES, source)
    for byte in text.encode():
        if not constraint.accepts(bytes([byte])):
            return False
        constraint.push(bytes([byte]))
    return True


@pytest.mark.parametrize(
    "value",
    ["today", "Today's", "alarm", "alarms", "17:30", "Ana", "Ana's boss", "René", "it's late", "“René”"],
)
def test_words_that_were_said_may_be_copied_whole_or_cut_at_their_signs(value: str) -> None:
    assert goes(f'calendar.create_event {{"title": "{value}"}}')


@pytest.mark.parametrize("value", ["tomorrow", "alar", "7:30", "Anas", "today night"])
def test_words_that_were_not_said_are_refused(value: str) -> None:
    assert not goes(f'calendar.create_event {{"title": "{value}"}}')


def test_a_word_may_not_end_in_its_middle() -> None:
    assert goes('calendar.create_event {"title": "alar')
    assert not goes('calendar.create_event {"title": "alar"')
    assert not goes('calendar.create_event {"title": "alar today')


def test_settings_have_words_of_their_own() -> None:
    assert goes('settings.set {"setting": "mute", "value": "on"}', "be quiet")


def test_a_quoted_word_is_copied_with_its_escapes() -> None:
    assert goes('files.write {"file": "a.txt", "text": "say \\"hé\\" now"}', 'a.txt: say "hé" now')


def test_texts_are_free_once_nothing_said_fits() -> None:
    constraint = Constraint(SHAPES, "x")
    constraint.push(b'calendar.create_event {"title": "')
    assert not constraint.accepts(b"y")
    assert constraint.free()
    assert constraint.accepts(b"y")
    assert not constraint.free()
