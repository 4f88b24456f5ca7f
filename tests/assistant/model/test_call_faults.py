"""Every known fault of models that write tool calls, and its right reading."""

import pytest

from assistant.model.base import Cut, Garbled, Piece, Text, Thought, Wish
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
MARKS = ("<think>", "</think>", "<tool_call>", "</tool_call>")


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


def read(
    answer: str, *, thinking: bool = False, reason: Reason = "stop", size: int = 10_000, marks: bool = False
) -> list[Piece]:
    """The reading of an answer in pieces of a size; with `marks`, tags come as single tokens."""
    reader = CallReader(TOOLS, thinking=thinking)
    pieces: list[Piece] = []
    while answer:
        mark = next((mark for mark in MARKS if marks and answer.startswith(mark)), None)
        until = min((at for m in MARKS if marks and (at := answer.find(m)) > 0), default=len(answer))
        part = mark or answer[: min(size, until)]
        answer = answer[len(part) :]
        pieces += reader.feed(part, mark=mark is not None)
    return joined(pieces + reader.end(reason))


@pytest.mark.parametrize("size", [1, 3, 10_000])
@pytest.mark.parametrize("marks", [False, True])
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (LUNCH_XML, [LUNCH]),
        (f"{LUNCH_XML}\n{WIFI_JSON}", [LUNCH, WIFI]),
        (f"I will plan it.\n\n{LUNCH_XML}", [Text("I will plan it."), LUNCH]),
        (f"</think>\n\n{LUNCH_XML}", [LUNCH]),
        (f"<think>\nhm\n</think>\n{LUNCH_XML}", [Thought("\nhm\n"), LUNCH]),
        (f"<think>hm</think>{LUNCH_XML}", [Thought("hm"), LUNCH]),
        (LUNCH_XML.replace("</parameter>", "</parameter>\n</parameter>"), [LUNCH]),
        (LUNCH_XML.replace("</function>", "</function>\n</function>"), [LUNCH]),
        (LUNCH_XML.replace("</function>", "</function>\n</function_invocation>"), [LUNCH]),
        (LUNCH_XML.replace("\n</tool_call>", ""), [LUNCH]),
        (LUNCH_XML.replace("</function>\n</tool_call>", ""), [LUNCH]),
        (LUNCH_XML.removeprefix("<tool_call>\n"), [LUNCH]),
        (LUNCH_XML.removeprefix("<tool_call>\n").removesuffix("\n</tool_call>"), [LUNCH]),
        (LUNCH_XML.replace("=title>", " = title >").replace("function=", "FUNCTION="), [LUNCH]),
        (LUNCH_XML.replace("\nLunch\n", "Lunch"), [LUNCH]),
        (LUNCH_XML.replace("Lunch\n", "Lunch"), [LUNCH]),
        (LUNCH_XML.replace("Lunch\n</parameter>", "Lunch"), [LUNCH]),
        (LUNCH_XML.replace("</tool_call>", f"</tool_call>{WIFI_JSON}"), [LUNCH, WIFI]),
        (LUNCH_XML.replace("\n</tool_call>", f"\n{WIFI_JSON}"), [LUNCH, WIFI]),
        (f"{WIFI_JSON}</tool_call>\n</function>", [WIFI]),
        (WIFI_JSON.replace('"arguments"', '"parameters"'), [WIFI]),
        (
            WIFI_JSON.replace(
                '{"setting": "wifi", "value": "on"}', r'"{\"setting\": \"wifi\", \"value\": \"on\"}"'
            ),
            [WIFI],
        ),
        (WIFI_JSON.replace("\n{", "\n```json\n{").replace("}\n<", "}\n```\n<"), [WIFI]),
        (WIFI_JSON.replace("\n{", "\n[{").replace("}\n<", "}]\n<"), [WIFI]),
        (
            '<tool_call>{"type": "function", "function": {"name": "settings.get"}}</tool_call>',
            [Wish("settings.get", {})],
        ),
        ("<tool_call>\n<function=settings.get>\n</function>\n</tool_call>", [Wish("settings.get", {})]),
        ('{"name": "settings.get", "arguments": {}}', [Wish("settings.get", {})]),
        ('```json\n{"name": "settings.get", "arguments": {}}\n```', [Wish("settings.get", {})]),
        ("Nothing to do.", [Text("Nothing to do.")]),
        ("", []),
    ],
)
def test_a_call_is_read_whatever_is_missing_or_left_over(
    answer: str, expected: list[Piece], size: int, marks: bool
) -> None:
    assert read(answer, size=size, marks=marks) == expected


@pytest.mark.parametrize("size", [1, 10_000])
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (f"hm\n</think>\n\n{LUNCH_XML}", [Thought("hm\n"), LUNCH]),
        (f"hm</think>{LUNCH_XML}", [Thought("hm"), LUNCH]),
        (f"hm\n{LUNCH_XML}", [Thought("hm\n"), LUNCH]),  # a real token ends the reasoning
        (f"</think>\n\n{LUNCH_XML}", [LUNCH]),
        ("hm</think>\n\nYes.", [Thought("hm"), Text("Yes.")]),
    ],
)
def test_reasoning_ends_at_its_end_or_at_a_real_call(answer: str, expected: list[Piece], size: int) -> None:
    assert read(answer, thinking=True, marks=True, size=size) == expected


def test_what_looks_like_a_call_within_reasoning_is_no_call() -> None:
    prose = f"I could write {LUNCH_XML} here.\n"
    assert read(f"{prose}</think>\nNo.", thinking=True) == [Thought(prose), Text("No.")]
    assert read(f"<think>{prose}</think>No.") == [Thought(prose), Text("No.")]


def test_reasoning_that_never_ends_gives_no_call_and_says_so() -> None:
    thought, fault = read(f"hm {LUNCH_XML}", thinking=True)
    assert isinstance(thought, Thought)
    assert isinstance(fault, Garbled)
    *_, cut = read("hm hm hm", thinking=True, reason="limit")
    assert isinstance(cut, Cut)


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


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("<tool_call>hello</tool_call>", "neither"),
        ("<tool_call></tool_call>", "neither"),
        ('<tool_call>{"name": "settings.get"</tool_call>', "not whole JSON"),
        ('<tool_call>{"arguments": {}}</tool_call>', "no name"),
        ('<tool_call>{"name": "settings.get", "arguments": [1]}</tool_call>', "no JSON object"),
        (
            LUNCH_XML.replace("calendar.create_event", "calendar.invent"),
            "There is no tool named calendar.invent",
        ),
        (LUNCH_XML.replace("calendar.create_event", "calendar.undo"), "There is no tool named calendar.undo"),
        (LUNCH_XML.replace("=title>", "=colour>"), "colour: Extra inputs"),
        (LUNCH_XML.replace("=when>", "=title>"), "given twice"),
        ("<tool_call>\n<function=settings.set>\n<parameter=setting>\nwifi", "does not end"),
        (
            "<tool_call>\n<function=settings.set>\n<parameter=setting>\ngps\n</parameter>",
            "setting: Input should be",
        ),
        ("<tool_call>\n<function=ask_user>\n</function>\n</tool_call>", "needs a question"),
    ],
)
def test_what_cannot_be_read_is_garbled_with_a_reason_for_the_model(answer: str, why: str) -> None:
    (piece,) = read(answer)
    assert isinstance(piece, Garbled)
    assert why in piece.why


def test_a_function_that_is_no_tool_is_only_text_outside_of_a_call() -> None:
    assert read("Use <function=sort> for that.") == [Text("Use <function=sort> for that.")]
    assert read('{"name": "Ana"}') == [Text('{"name": "Ana"}')]


def test_a_question_for_the_person_is_text() -> None:
    asked = "<function=ask_user>\n<parameter=question>\nWhich Ana?\n</parameter>\n</function>"
    assert read(f"<tool_call>\n{asked}\n</tool_call>") == [Text("Which Ana?")]
    assert read('<tool_call>{"name": "ask_user", "arguments": {"question": "Which?"}}</tool_call>') == [
        Text("Which?")
    ]


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


def test_a_call_in_json_may_hold_the_tags_in_its_texts() -> None:
    answer = '<tool_call>{"name": "files.write", "arguments": {"text": "a </tool_call> b"}}</tool_call>'
    assert read(answer) == [Wish("files.write", {"text": "a </tool_call> b"})]


def test_text_streams_as_it_comes_but_never_the_beginning_of_a_tag() -> None:
    reader = CallReader(TOOLS, thinking=False)
    assert reader.feed("Well, ") == [Text("Well,")]
    assert reader.feed("now <tool") == [Text(" now")]
    assert reader.feed("box> is") == [Text(" <toolbox> is")]
