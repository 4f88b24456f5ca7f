"""What is held is read as exactly that call, every right call is taken, and there is always a way on."""

import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from assistant.model.base import Text, Wish
from assistant.model.held.nothing import is_nothing
from assistant.model.held.spoken import MOST_CALLS, Spoken
from assistant.model.shapes import call_shapes
from tests.assistant.model.held_calls import (
    SHAPES,
    Written,
    goes,
    in_json,
    in_xml,
    of_all,
    read,
    written,
)

NAMES = {shape.name: shape for shape in SHAPES}


def as_read(call: Written) -> Wish | Text:
    name, arguments = call
    if name == "ask_user":
        return Text(str(arguments["question"]).strip())
    return Wish(name, {key: value for key, value in arguments.items() if value is not None})


@given(st.lists(written(), min_size=1, max_size=3), st.booleans())
def test_every_call_that_can_be_read_is_taken_in_xml(calls: list[Written], says: bool) -> None:
    answer = "Well.\n\n" * says + "\n".join(map(in_xml, calls))
    spoken = of_all("xml")
    assert goes(spoken, answer)
    assert spoken.may_end


@given(st.lists(written(), min_size=1, max_size=3), st.booleans())
def test_every_call_that_can_be_read_is_taken_in_json(calls: list[Written], spaces: bool) -> None:
    spoken = of_all("json")
    assert goes(spoken, "\n".join(in_json(call, spaces=spaces) for call in calls))
    assert spoken.may_end


@given(written(), st.booleans(), st.data())
def test_how_a_call_is_cut_into_tokens_does_not_matter(call: Written, xml: bool, data: st.DataObject) -> None:
    answer = (in_xml(call) if xml else in_json(call)).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(answer)), max_size=8)))
    spoken = of_all("xml" if xml else "json")
    for start, end in zip([0, *cuts], [*cuts, len(answer)], strict=True):
        if start < end:
            assert spoken.accepts(answer[start:end])
            spoken.push(answer[start:end])
    assert spoken.may_end


@given(written(), st.booleans())
def test_what_is_taken_is_read_as_that_call(call: Written, xml: bool) -> None:
    assert read(in_xml(call) if xml else in_json(call)) == [as_read(call)]


@given(written(), st.booleans(), st.data())
def test_what_must_follow_does_follow(call: Written, xml: bool, data: st.DataObject) -> None:
    answer = (in_xml(call) if xml else in_json(call)).encode()
    cut = data.draw(st.integers(len("<tool_call>"), len(answer)))
    spoken = of_all("xml" if xml else "json")
    assert goes(spoken, answer[:cut])
    assert answer[cut:].startswith(spoken.forced().encode())


SHREDS = (
    *("a", "é", "\n", " ", '"', "\\", "1", "-", "0", ".", "e", "{", "}", "[", "]", ",", ":", "null", "none"),
    *(
        "</parameter>",
        "\n</parameter>\n",
        "<parameter=who>\n",
        "</function>\n",
        "</tool_call>",
        "<tool_call>",
    ),
    *("true", "True", "\\u00e9", "\\ud83d\\ude00", "\ud83d", "</think>", "<function=settings.get>"),
)


def wandered(form: str, seed: int) -> str:
    """An answer of one call that goes wherever it may, and is at its end at last."""
    chance = random.Random(seed)
    spoken = of_all(form)
    answer = b"<tool_call>"
    spoken.push(answer)
    while not spoken.may_end:
        piece = _piece(spoken, chance, patient=len(answer) < 400)
        spoken.push(piece)
        answer += piece
    return answer.decode()


def _piece(spoken: Spoken, chance: random.Random, *, patient: bool) -> bytes:
    ways = [way for way in spoken.ways() if way]
    if patient:
        ways += [shred.encode("utf-8", "ignore") or b"x" for shred in chance.sample(SHREDS, 6)]
        chance.shuffle(ways)
    else:
        ways = sorted(
            [*ways, b'"', b"\n</parameter>\n", b"\n</tool_call>", b"}", b"]", b"x", b"0", b"e", b"a"]
        )
        ways.sort(key=lambda way: way[:1] not in b'"\n]}')
    for way in ways:
        if spoken.accepts(way):
            return way
    alone = [bytes([byte]) for byte in range(256) if spoken.accepts(bytes([byte]))]
    assert alone, "no byte can go on from here"
    return chance.choice(alone)


def plainly(answer: str) -> Written:
    """The call in an answer that is known to be written well."""
    body = answer.removeprefix("<tool_call>\n").removesuffix("\n</tool_call>")
    if body.startswith("{"):
        call = json.loads(body)
        return call["name"], call["arguments"]
    head, _, rest = body.removeprefix("<function=").removesuffix("</function>").partition(">\n")
    parts = re.findall(r"<parameter=(\w+)>\n(.*?)\n?</parameter>\n", rest, re.DOTALL)
    return head, dict(parts)


@settings(max_examples=120)
@given(st.integers(0, 2**60))
def test_wherever_xml_wanders_it_ends_in_a_call_that_is_read(seed: int) -> None:
    answer = wandered("xml", seed)
    name, raw = plainly(answer)
    pieces = read(answer)
    if name == "ask_user":
        assert pieces == [Text(str(raw["question"]).strip())]
        return
    (wish,) = pieces
    assert isinstance(wish, Wish), wish
    assert wish.tool == name
    meant = {key: _meant(name, key, str(text)) for key, text in raw.items()}
    assert wish.arguments == {key: value for key, value in meant.items() if value is not None}


def _meant(name: str, key: str, text: str) -> JsonValue:
    kinds = {argument.name: argument.kind.value for argument in NAMES[name].arguments}
    if kinds[key] in ("text", "choice"):
        return None if is_nothing(text) else text
    value: JsonValue = json.loads(text.casefold() if kinds[key] == "flag" else text)
    return value


@settings(max_examples=120)
@given(st.integers(0, 2**60))
def test_wherever_json_wanders_it_ends_in_a_call_that_is_read(seed: int) -> None:
    answer = wandered("json", seed)
    name, arguments = plainly(answer)
    meant = {
        key: value
        for key, value in arguments.items()
        if not (value is None or (isinstance(value, str) and is_nothing(value)))
    }
    assert read(answer) == [as_read((name, meant if name != "ask_user" else arguments))]


@pytest.mark.parametrize(
    "answer",
    [
        "<tool_call>\n<function=calendar.invent>",
        "<tool_call>\n<function=calendar.undo>",  # a tool, but not one a model may ask for
        "<tool_call><function=settings.get>",
        "<tool_call>\n<function=settings.get>\n<parameter=colour>",
        "<tool_call>\n<function=settings.get>\n<parameter=setting>\ngps",
        "<tool_call>\n<function=settings.get>\n<parameter=setting>\nwifi</parameter>",
        "<tool_call>\n<function=settings.get>\n</function>\n</function>",
        "<tool_call>\n<function=files.write>\n<parameter=text>\na\n</parameter>\n</parameter>",
        "<tool_call>\n<function=files.write>\n<parameter=text>\na\n</parameter>\n<parameter=text>",
        "<tool_call>\n<function=files.write>\n<parameter=text>\na </parameter> b",
        "<tool_call>\n<function=files.write>\n<parameter=text>\na\n</PARAMETER>\n",
        "<tool_call>\n<function=files.write>\n<parameter=text>\na\n<parameter=file>\n",
        "<tool_call>\n<function=files.write>\n<parameter=add>\nyes",
        "<tool_call>\n<function=messaging.send>\n<parameter=to>\nAna",
        '<tool_call>\n<function=messaging.send>\n<parameter=to>\n["a</parameter>',
        "<tool_call>\n<function=shop.order-thing>\n</function>",
        "<tool_call>\n<function=shop.order-thing>\n<parameter=who>\n\n</parameter>\n",
        "<tool_call>\n<function=shop.order-thing>\n<parameter=who>\n None \n</parameter>\n",
        "<tool_call>\n<function=shop.order-thing>\n<parameter=count>\n1.5",
        "<tool_call>\n<function=shop.order-thing>\n<parameter=count>\n007",
        "<tool_call>\n<function=shop.order-thing>\n<parameter=ratio>\n.5",
        "<tool_call>\n<function=shop.order-thing>\n<parameter=extra>\n[1]",
        "<tool_call>\n<function=settings.get>\n</function>\n</tool_call>\nDone.",
        '<tool_call>\n{"name"',
    ],
)
def test_what_no_tool_takes_is_refused_in_xml(answer: str) -> None:
    assert not goes(of_all("xml"), answer)


@pytest.mark.parametrize(
    "answer",
    [
        '<tool_call>\n{"arguments"',
        '<tool_call>\n{"name": "calendar.invent"',
        '<tool_call>\n{"name": "settings.get"}',
        '<tool_call>\n{"name": "settings.get", "arguments": {"setting": "gps"',
        '<tool_call>\n{"name": "settings.get", "arguments": {"colour"',
        '<tool_call>\n{"name": "settings.get", "arguments": {}, ',
        '<tool_call>\n{"name": "files.write", "arguments": {"text": "a", "text"',
        '<tool_call>\n{"name": "files.write", "arguments": {"text": "a",}',
        '<tool_call>\n{"name": "files.write", "arguments": {"text": "a\nb',
        '<tool_call>\n{"name": "files.write", "arguments": {"text": "\\x',
        '<tool_call>\n{"name": "files.write", "arguments": {"text": "\\ud83dx',
        '<tool_call>\n{"name": "files.write", "arguments": {"text": "\\udc00',
        '<tool_call>\n{"name": "files.write", "arguments": {"text": 1',
        '<tool_call>\n{"name": "files.write", "arguments": {"add": "true"',
        '<tool_call>\n{"name": "shop.order-thing", "arguments": {}',
        '<tool_call>\n{"name": "shop.order-thing", "arguments": {"who": null',
        '<tool_call>\n{"name": "shop.order-thing", "arguments": {"who": "\\u006eull"',
        '<tool_call>\n{"name": "shop.order-thing", "arguments": {"count": 1e',
        '<tool_call>\n{"name": "shop.order-thing", "arguments": {"tags": []',
        '<tool_call>\n{"name": "settings.get", "arguments": {}}\n</function>',
        "<tool_call>\n<function=settings.get>",
    ],
)
def test_what_no_tool_takes_is_refused_in_json(answer: str) -> None:
    assert not goes(of_all("json"), answer)


def test_text_is_free_until_a_call_begins() -> None:
    spoken = of_all("xml")
    assert goes(spoken, "I could <function=sort> it, or { <tool_calls> } </function> \n<tool_")
    assert not spoken.calling
    assert goes(spoken, "call>")
    assert spoken.calling
    assert spoken.forced() == "\n<function="


def test_a_call_may_begin_without_its_tag_if_it_names_a_tool() -> None:
    spoken = of_all("xml")
    assert goes(spoken, "So: <function=settings.get>")
    assert spoken.calling
    assert goes(spoken, "\n</function>\n</tool_call>")
    assert spoken.may_end


def test_in_reasoning_only_a_special_token_begins_a_call() -> None:
    spoken = of_all("xml", thinking=True)
    assert goes(spoken, "I could write <tool_call>\n<function=nonsense></tool_call>")
    assert spoken.thinking
    spoken.push(b"<tool_call>", mark=True)
    assert spoken.calling
    assert spoken.forced() == "\n<function="


@pytest.mark.parametrize("mark", [False, True])
def test_reasoning_ends_at_its_end_and_can_begin_again(mark: bool) -> None:
    spoken = of_all("xml", thinking=True)
    spoken.push(b"hm")
    spoken.push(b"</think>", mark)
    assert not spoken.thinking
    spoken.push(b"Yes. ")
    spoken.push(b"<think>", mark)
    assert spoken.thinking


@pytest.mark.parametrize("tag", ["</function", "</tool_call", "<parameter=", "<function", "<tool_call"])
def test_a_value_whose_end_was_forgotten_is_brought_back_to_it(tag: str) -> None:
    spoken = of_all("xml")
    assert goes(spoken, "<tool_call>\n<function=files.write>\n<parameter=text>\nsay <tool_call> now\n</")
    spoken.push(b"form>\n")
    assert not spoken.accepts(tag.encode())
    spoken.push(b"</")
    assert not spoken.accepts(tag.removeprefix("</").encode()) or not tag.startswith("</")
    spoken.push(b"parameter>")
    assert spoken.forced() == "\n<"


def test_no_special_token_comes_within_a_call_but_its_closer() -> None:
    spoken = of_all("xml")
    spoken.push(b"<tool_call>", mark=True)
    assert goes(spoken, "\n<function=files.write>\n<parameter=text>\nsay ")
    for mark in (b"</tool_call>", b"<tool_call>", b"<think>", b"<|im_start|>"):
        assert not spoken.accepts(mark, mark=True)
    assert goes(spoken, "</tool_call> <think>\n</parameter>\n</function>\n")
    assert spoken.accepts(b"</tool_call>", mark=True)
    assert not spoken.accepts(b"<tool_call>", mark=True)
    spoken.push(b"</tool_call>", mark=True)
    assert spoken.may_end
    assert spoken.accepts(b"<tool_call>", mark=True)


def test_the_model_does_not_play_the_other_side() -> None:
    spoken = of_all("xml")
    spoken.push(b"Fine. ")
    assert not spoken.accepts(b"<tool_response>", mark=True)
    assert not spoken.accepts(b"<|im_start|>", mark=True)
    assert of_all("xml", tools=()).accepts(b"<|im_start|>", mark=True)


def test_without_tools_nothing_is_held() -> None:
    spoken = of_all("xml", tools=())
    assert goes(spoken, "<tool_call>anything</tool_call>\n<function=settings.get>\xff")
    assert spoken.may_end


def test_an_answer_may_not_end_within_a_call() -> None:
    call = in_xml(("settings.get", {"setting": "wifi"}))
    for cut in range(len("<tool_call>"), len(call)):
        spoken = of_all("xml")
        assert goes(spoken, call[:cut])
        assert not spoken.may_end


def test_calls_do_not_go_on_for_ever() -> None:
    spoken = of_all("xml")
    call = in_xml(("settings.get", {}))
    assert goes(spoken, "\n".join([call] * MOST_CALLS))
    assert spoken.may_end
    assert not goes(spoken, "\n" + call)


def test_after_a_call_nothing_comes_but_a_little_blank_and_another() -> None:
    spoken = of_all("json")
    assert goes(spoken, in_json(("settings.get", {})) + "\n\n")
    assert spoken.may_end
    assert not goes(spoken, "\n" * 10)
    assert goes(spoken, "<tool_call>")
    assert not spoken.may_end


def test_a_character_may_be_cut_within_but_not_broken() -> None:
    spoken = of_all("xml")
    assert goes(spoken, b"<tool_call>\n<function=files.write>\n<parameter=text>\ncaf\xc3")
    assert not spoken.accepts(b"\n</parameter>\n")
    assert not spoken.accepts(b"\xff")
    spoken.push(b"\xa9")
    assert spoken.accepts(b"\n</parameter>\n")


def test_a_character_may_be_cut_within_the_token_that_the_call_began_in() -> None:
    spoken = of_all("xml")
    spoken.push(b"<tool_call>\n<function=files.write>\n<parameter=text>\ncaf\xc3")
    assert not spoken.accepts(b"\n</parameter>\n")
    assert spoken.accepts(b"\xa9\n</parameter>\n")


@pytest.mark.parametrize("half", [b"\xed\xa0", b"\xed\xbf", b"\xf4\x90", b"\xe0\x80", b"\xf0\x80", b"\xc0"])
@pytest.mark.parametrize("form", ["xml", "json"])
def test_bytes_that_can_never_become_a_character_are_refused(half: bytes, form: str) -> None:
    start = (
        in_xml(("files.write", {"text": "a"})) if form == "xml" else in_json(("files.write", {"text": "a"}))
    )
    spoken = of_all(form)
    assert goes(spoken, start[: start.index("a\n" if form == "xml" else 'a"')])
    assert not spoken.accepts(half)
    assert not goes(spoken, half)
    assert any(spoken.accepts(bytes([byte])) for byte in range(256))


@given(st.binary(max_size=8))
def test_whatever_bytes_come_there_is_a_way_on(data: bytes) -> None:
    spoken = of_all("xml")
    assert goes(spoken, "<tool_call>\n<function=files.write>\n<parameter=text>\n")
    goes(spoken, data)
    assert any(spoken.accepts(bytes([byte])) for byte in range(256))


def test_what_must_follow_is_whole_characters() -> None:
    shapes = call_shapes(
        [{"function": {"name": "t", "parameters": {"properties": {"c": {"enum": ["øl", "øre", "över"]}}}}}]
    )
    spoken = of_all("xml", tools=shapes)
    assert goes(spoken, "<tool_call>")
    assert spoken.forced() == "\n<function=t>\n<"
    assert goes(spoken, "\n<function=t>\n<parameter=c>\n")
    assert spoken.forced() == ""
    spoken.push("ø".encode()[:1])
    assert spoken.forced() == ""


def test_a_tool_of_unknown_kinds_takes_anything_that_is_whole() -> None:
    odd = {"oneOf": [{"type": "string"}, {"type": "array"}]}
    schema = {"properties": {"x": odd, "y": {"type": ["integer", "null"]}, "z": {"enum": [1, "a", None]}}}
    shapes = call_shapes(
        [{"function": {"name": "odd.do", "parameters": schema}}, {"function": {"name": "bare"}}]
    )
    for x in ('"a"', "[1, {}]", "null", "-2.5e3"):
        spoken = of_all("json", tools=shapes)
        assert goes(spoken, f'<tool_call>\n{{"name": "odd.do", "arguments": {{"x": {x}, "y": 3, "z": "a"}}}}')
    assert not goes(of_all("json", tools=shapes), '<tool_call>\n{"name": "odd.do", "arguments": {"y": "')
    assert goes(of_all("xml", tools=shapes), "<tool_call>\n<function=bare>\n</function>\n</tool_call>")


def test_values_are_not_nested_without_end() -> None:
    spoken = of_all("json")
    start = '<tool_call>\n{"name": "shop.order-thing", "arguments": {"items": '
    assert goes(spoken, start)
    depth = 0
    while goes(spoken, "["):
        depth += 1
    assert 10 < depth < 40
    assert spoken.accepts(b"1")
