"""Keeps an answer of the starter to the tools there are: what may come next, byte by byte.

An answer is `none`, or calls one to a line: a tool's name, a space, and a JSON object that holds some of that
tool's arguments in the order of its schema, as `json.dumps` writes it. With a source, free texts are made of
its words, but for settings, where "mute" means "on".
"""

import codecs
import re
from collections.abc import Sequence
from contextlib import suppress

from assistant.model.held.copying import SaidWords
from assistant.model.shapes import ArgumentShape, Kind, ToolShape

NONE = "none"
MOST_CALLS = 8

_OWN_WORDS = "settings."

_BODY = re.compile(r'(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_OPEN_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")


class _Wrong(Exception):
    """The text is no beginning of an answer."""


class _Open(Exception):
    """The text is a beginning; `ways` are the fixed texts that may follow, or none where text is free."""

    def __init__(self, ways: tuple[str, ...]) -> None:
        self.ways = ways


class Constraint:
    """How far an answer has come, and what may follow."""

    def __init__(self, tools: Sequence[ToolShape], source: str | None = None) -> None:
        self._said = SaidWords(source) if source is not None else None
        self._heads = {f"{tool.name} {{": tool.arguments for tool in tools}
        self._line = ""
        self._half = b""
        self._calls = 0

    def accepts(self, data: bytes) -> bool:
        """True if the answer may go on with these bytes, which may end within a character."""
        try:
            text, half = _decode(self._half + data)
            self._step(text, half)
        except (_Wrong, UnicodeDecodeError):
            return False
        return bool(data)

    def push(self, data: bytes) -> None:
        """Go on with bytes that were accepted."""
        text, self._half = _decode(self._half + data)
        self._line, self._calls = self._step(text, self._half)

    def free(self) -> bool:
        """Let texts be made of any words from now on; False if they were free already."""
        bound, self._said = self._said is not None, None
        return bound

    @property
    def may_end(self) -> bool:
        """True if the answer is whole."""
        return not self._half and self._whole(self._line, self._calls)

    def ways(self) -> tuple[str, ...]:
        """The fixed texts one of which comes next; empty where free text goes on or the answer is whole."""
        if self._half:
            return ()
        try:
            self._parse(self._line, self._calls)
        except _Open as open_:
            return open_.ways
        return ("\n",) if self._line != NONE and self._calls + 1 < MOST_CALLS else ()

    def forced(self) -> str:
        """The text that must come next, whatever the model would say."""
        ahead = ""
        while not self._half:
            try:
                self._parse(self._line + ahead, self._calls)
            except _Open as open_:
                common = _common_start(open_.ways)
                if not common:
                    return ahead
                ahead += common
                if len(open_.ways) > 1:
                    return ahead
            else:
                return ahead
        return ahead

    def _step(self, text: str, half: bytes) -> tuple[str, int]:
        *done, line = (self._line + text).split("\n")
        calls = self._calls + len(done)
        if calls >= MOST_CALLS or not all(self._whole(line, 1) for line in done):
            raise _Wrong
        with suppress(_Open):
            self._parse(line + "\ufffd" if half else line, calls)
        return line, calls

    def _whole(self, line: str, calls: int) -> bool:
        try:
            self._parse(line, calls)
        except (_Open, _Wrong):
            return False
        return True

    def _parse(self, line: str, calls: int) -> None:
        """Return if the line, which comes after so many calls, is whole; else raise _Open or _Wrong."""
        cursor = _Cursor(line, None if line.startswith(_OWN_WORDS) else self._said)
        head = cursor.one_of(tuple(self._heads) if calls else (*self._heads, NONE))
        if head != NONE:
            _arguments(cursor, self._heads[head])
        cursor.end()


class _Cursor:
    """A place in a line of text."""

    def __init__(self, text: str, said: SaidWords | None) -> None:
        self._text = text
        self._said = said
        self._at = 0

    def one_of(self, ways: Sequence[str]) -> str:
        """Pass over one of these texts, none of which begins another."""
        for way in ways:
            if self._text.startswith(way, self._at):
                self._at += len(way)
                return way
        rest = self._text[self._at :]
        left = tuple(way[len(rest) :] for way in ways if way.startswith(rest))
        raise _Open(left) if left else _Wrong

    def body(self) -> None:
        """Pass over the inside of a JSON string, which must hold something."""
        found = _BODY.match(self._text, self._at)
        end = found.end() if found else self._at
        inside = self._text[self._at : end]
        if end == len(self._text) or _OPEN_ESCAPE.fullmatch(self._text, end):
            raise _Open(()) if self._said is None or self._said.begins(inside) else _Wrong
        if end == self._at or not (self._said is None or self._said.holds(inside)):
            raise _Wrong
        self._at = end

    def end(self) -> None:
        if self._at < len(self._text):
            raise _Wrong


def _arguments(cursor: _Cursor, arguments: Sequence[ArgumentShape]) -> None:
    between, left = "", list(arguments)
    while True:
        keys = {f'{between}"{argument.name}": ': argument for argument in left}
        key = cursor.one_of((*keys, "}"))
        if key == "}":
            return
        _value(cursor, keys[key])
        left = left[left.index(keys[key]) + 1 :]
        between = ", "


def _value(cursor: _Cursor, argument: ArgumentShape) -> None:
    match argument.kind:
        case Kind.CHOICE:
            cursor.one_of(tuple(f'"{choice}"' for choice in argument.choices))
        case Kind.FLAG:
            cursor.one_of(("true", "false"))
        case Kind.TEXT:
            _text(cursor)
        case Kind.TEXTS:
            cursor.one_of(("[",))
            _text(cursor)
            while cursor.one_of((", ", "]")) == ", ":
                _text(cursor)


def _text(cursor: _Cursor) -> None:
    cursor.one_of(('"',))
    cursor.body()
    cursor.one_of(('"',))


def _common_start(texts: Sequence[str]) -> str:
    first, last = min(texts, default=""), max(texts, default="")
    same = next((n for n, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), None)
    return first[:same]


def _decode(data: bytes) -> tuple[str, bytes]:
    """The whole characters in UTF-8 data and the bytes of one that is not whole yet; UnicodeDecodeError."""
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    text = decoder.decode(data)
    return text, decoder.getstate()[0]
