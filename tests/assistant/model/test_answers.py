"""Every answer in the folder `answers` is read as is said there; see its README for the format."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from assistant.model.base import Cut, Garbled, Piece, Text, Thought, Wish
from assistant.model.dialects.reading import CallReader
from assistant.model.wire import Reason
from tests.assistant.model.test_call_faults import joined
from tests.assistant.model.tools import TOOLS

FOLDER = Path(__file__).parent / "answers"
_MARK = re.compile(r"⟦(.+?)⟧")
_TAG = re.compile(
    r"(</?(?:think|tool_call)>|<\|(?:/?tool_call|tool_call_(?:start|end)|python_tag)\|>|\[TOOL_CALLS\])"
)


def answers() -> list[Any]:
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        for table in tomllib.loads(path.read_text("utf-8"))["answer"]:
            found.append(pytest.param(table, id=f"{path.stem}: {table['fault']}"))
    return found


def marked(said: str, every: bool) -> list[tuple[str, bool]]:
    """The answer as texts and special tokens; with `every`, all tags are such tokens."""
    pattern = _TAG if every else _MARK
    parts = pattern.split(said)
    return [(part, number % 2 == 1) for number, part in enumerate(parts) if part]


def read(parts: list[tuple[str, bool]], thinking: bool, reason: Reason, size: int) -> list[Piece]:
    reader = CallReader(TOOLS, thinking=thinking)
    pieces: list[Piece] = []
    for text, mark in parts:
        step = len(text) if mark else size
        for start in range(0, len(text), step):
            pieces += reader.feed(text[start : start + step], mark)
    return joined(pieces + reader.end(reason))


def ways(table: dict[str, Any]) -> list[list[tuple[str, bool]]]:
    said = table["said"]
    if "⟦" in said or table.get("text_only"):
        return [marked(said, every=False)]
    return [marked(said, every=False), marked(said, every=True)]


def fits(piece: Piece, expected: dict[str, Any]) -> bool:
    match piece:
        case Thought(text=text):
            return expected == {"thought": text}
        case Text(text=text):
            return expected == {"text": text}
        case Wish(tool=tool, arguments=arguments):
            return expected.get("wish") == tool and expected.get("arguments", {}) == dict(arguments)
        case Garbled(why=why):
            return "garbled" in expected and expected["garbled"] in why
        case Cut(why=why):
            return "cut" in expected and expected["cut"] in why
    return False


@pytest.mark.parametrize("size", [1, 3, 100_000])
@pytest.mark.parametrize("table", answers())
def test_it_is_read_rightly_whole_and_in_pieces(table: dict[str, Any], size: int) -> None:
    for parts in ways(table):
        pieces = read(parts, table.get("thinking", False), table.get("reason", "stop"), size)
        assert len(pieces) == len(table["pieces"]), pieces
        for piece, expected in zip(pieces, table["pieces"], strict=True):
            assert fits(piece, expected), (piece, expected)


@pytest.mark.parametrize("table", answers())
def test_cut_off_anywhere_only_what_was_whole_is_asked_for(table: dict[str, Any]) -> None:
    wanted = [each for each in table["pieces"] if "wish" in each]
    for parts in ways(table):
        for at in range(sum(len(text) for text, _ in parts)):
            pieces = read(cut(parts, at), table.get("thinking", False), "limit", 100_000)
            wishes = [piece for piece in pieces if isinstance(piece, Wish)]
            assert all(map(fits, wishes, wanted)), (at, wishes)
            assert len(wishes) <= len(wanted)


def cut(parts: list[tuple[str, bool]], at: int) -> list[tuple[str, bool]]:
    """The first so many characters of an answer; a special token is there whole or not at all."""
    kept: list[tuple[str, bool]] = []
    for text, mark in parts:
        if at < len(text):
            return [*kept, (text[:at], False)] if at and not mark else kept
        kept.append((text, mark))
        at -= len(text)
    return kept


def test_every_answer_says_what_is_wrong_and_no_two_the_same() -> None:
    names = [param.id for param in answers()]
    assert len(names) == len(set(names)) > 80
