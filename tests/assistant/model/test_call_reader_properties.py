"""No text, cut anywhere, makes the reader raise; how it is cut does not change what it says."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from assistant.model.base import Piece, Wish
from assistant.model.dialects.reading import CallReader
from assistant.model.wire import Reason
from tests.assistant.model.test_call_faults import LUNCH_XML, WIFI_JSON, joined
from tests.assistant.model.tools import OFFERED, TOOLS

SHREDS = (
    *("<tool_call>", "</tool_call>", "<think>", "</think>", "[TOOL_CALLS]", "<", ">", "`", "```"),
    *("<function=settings.set>", "<function=x>", "</function>", "</function_invocation>"),
    *("<parameter=setting>", "<parameter=", "</parameter>", "wifi", "\n", " "),
    *('{"name": "settings.get"', "{", "}", "[", "]", '"', ",", ":", "arguments", "null", "\\"),
    *(LUNCH_XML, WIFI_JSON, LUNCH_XML[:60], WIFI_JSON[:30]),
)

answers = st.lists(st.sampled_from(SHREDS) | st.text(max_size=8), max_size=25).map("".join)
reasons = st.sampled_from(["stop", "limit", "full", "cancelled"])


def read(answer: str, cuts: list[int], thinking: bool, reason: Reason) -> list[Piece]:
    reader = CallReader(TOOLS, thinking=thinking)
    places = sorted({0, len(answer), *(cut % (len(answer) + 1) for cut in cuts)})
    pieces: list[Piece] = []
    for start, end in pairwise(places):
        pieces += reader.feed(answer[start:end])
    return pieces + reader.end(reason)


@given(answers, st.lists(st.integers(0, 500), max_size=12), st.booleans(), reasons)
def test_it_never_raises_and_asks_only_for_tools_that_are_offered(
    answer: str, cuts: list[int], thinking: bool, reason: Reason
) -> None:
    tools = {tool.name: tool for tool in OFFERED}
    for piece in read(answer, cuts, thinking, reason):
        if isinstance(piece, Wish):
            tools[piece.tool].arguments.model_validate(dict(piece.arguments))


@given(answers, st.lists(st.integers(0, 500), max_size=12), st.booleans(), reasons)
def test_how_an_answer_is_cut_into_pieces_does_not_matter(
    answer: str, cuts: list[int], thinking: bool, reason: Reason
) -> None:
    assert joined(read(answer, cuts, thinking, reason)) == joined(read(answer, [], thinking, reason))


@given(answers, st.booleans(), st.lists(st.tuples(st.sampled_from(SHREDS[:4]), answers), max_size=5))
def test_special_tokens_anywhere_do_not_make_it_raise(
    answer: str, thinking: bool, marked: list[tuple[str, str]]
) -> None:
    reader = CallReader(TOOLS, thinking=thinking)
    reader.feed(answer)
    for mark, text in marked:
        reader.feed(mark, mark=True)
        reader.feed(text)
    reader.end("stop")
