"""A whole answer of a chat model: reasoning, text, and calls, which alone are held to a form."""

import codecs
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from assistant.model.held.states import State, one, walk
from assistant.model.held.writing import Write, json_call, xml_body, xml_call
from assistant.model.shapes import ToolShape

MOST_CALLS = 12
"""How many calls an answer may have; a goal may not have more either."""

WRITINGS: Mapping[str, Write] = {"xml": xml_call, "json": json_call}

_TAG = re.compile(rb"<think>|<tool_call>|<function\s*=\s*([^<>\s]{1,100})\s*>", re.IGNORECASE)
_THOUGHT_END = re.compile(rb"</think>", re.IGNORECASE)
_LONGEST_TAG = 130
_MOST_BLANK = 4
_HIGH_BYTES = bytes(range(0x80, 0x100))
_OPEN, _CLOSE = b"<tool_call>", b"</tool_call>"
_OTHER_OPENERS = (b"[tool_calls]", b"<|tool_call_start|>", b"<|tool_call|>", b"<|python_tag|>")
_MARK = re.compile(rb"</?(?:think|tool_[a-z_]{1,20})>", re.IGNORECASE)
_THINK, _THOUGHT = b"<think>", b"</think>"


@dataclass(frozen=True, slots=True)
class _Form:
    """The tools by name and how calls of them are written."""

    tools: Mapping[bytes, ToolShape]
    write: Write

    def call(self, before: int) -> State:
        return self.write(tuple(self.tools.values()), lambda: self.after(before + 1))

    def function(self, tool: ToolShape, before: int) -> State:
        return xml_body(tool, lambda: self.after(before + 1))

    def after(self, calls: int) -> State:
        return _Done(self, calls)


@dataclass(frozen=True, slots=True)
class _Thought:
    """Reasoning; what looks like a call in it is none."""

    form: _Form
    tail: bytes = b""

    def step(self, data: bytes) -> tuple[State, bytes] | None:
        text = self.tail + data
        if found := _THOUGHT_END.search(text):
            return _Prose(self.form), text[found.end() :]
        return _Thought(self.form, text[-len(_THOUGHT) + 1 :]), b""

    def ways(self) -> tuple[bytes, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class _Prose:
    """Text before the first call; `tail` may be the beginning of a tag."""

    form: _Form
    tail: bytes = b""

    def step(self, data: bytes) -> tuple[State, bytes] | None:
        text = self.tail + data
        for found in _TAG.finditer(text):
            rest = text[found.end() :]
            if found.group().lower() == _THINK:
                return _Thought(self.form), rest
            if not self.form.tools:
                continue
            if found[1] is None:
                return self.form.call(0), rest
            if tool := self.form.tools.get(found[1]):
                return self.form.function(tool, 0), rest
        begun = text.rfind(b"<")
        tail = text[begun:] if begun >= 0 else b""
        return _Prose(self.form, tail if b">" not in tail and len(tail) <= _LONGEST_TAG else b""), b""

    def ways(self) -> tuple[bytes, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class _Done:
    """So many calls are whole; another may come, after a little blank."""

    form: _Form
    calls: int
    blank: int = 0

    def step(self, data: bytes) -> tuple[State, bytes] | None:
        rest = data.lstrip()
        blank = self.blank + len(data) - len(rest)
        if blank > _MOST_BLANK:
            return None
        if not rest:
            return _Done(self.form, self.calls, blank), b""
        return (self._another(), rest) if self.calls < MOST_CALLS else None

    def ways(self) -> tuple[bytes, ...]:
        return (b"\n" + _OPEN, _OPEN) if self.calls < MOST_CALLS else ()

    def _another(self) -> State:
        return one(_OPEN.decode(), lambda: self.form.call(self.calls))


@dataclass(frozen=True, slots=True)
class _Unheld:
    """Calls in a form that is not known here."""

    def step(self, data: bytes) -> tuple[State, bytes] | None:
        return self, b""

    def ways(self) -> tuple[bytes, ...]:
        return ()


class Spoken:
    """How far an answer has come, and what may follow.

    Only calls are held: to the names of `tools`, to their parameters, each given once, to values of their
    kinds, and to whole closers. A call begins with `<tool_call>`, or with `<function=NAME>` where that is a
    tool. In reasoning only a special token begins one. Special tokens are given with `mark`.
    """

    def __init__(self, tools: Sequence[ToolShape], form: str, *, thinking: bool) -> None:
        self._form = _Form({tool.name.encode(): tool for tool in tools}, WRITINGS.get(form, xml_call))
        self._state: State = _Thought(self._form) if thinking else _Prose(self._form)
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")

    @property
    def thinking(self) -> bool:
        return isinstance(self._state, _Thought)

    @property
    def calling(self) -> bool:
        """True within a call, where the text is held."""
        return not isinstance(self._state, _Thought | _Prose | _Done | _Unheld)

    @property
    def may_end(self) -> bool:
        return not self.calling

    def accepts(self, data: bytes, mark: bool = False) -> bool:
        """True if the answer may go on with this token, whose bytes may end within a character."""
        if mark:
            return self._marked(data) is not None
        return bool(data) and self._whole(data) and walk(self._state, data) is not None

    def push(self, data: bytes, mark: bool = False) -> None:
        """Go on with a token that was accepted."""
        state = self._marked(data) if mark else walk(self._state, data)
        if state is None:
            raise ValueError(f"{data!r} cannot come here")
        held = self.calling
        self._state = state
        if held:
            self._decoder.decode(b"" if mark else data)
        elif self.calling:
            self._begin_characters(data)

    def ways(self) -> tuple[bytes, ...]:
        """The fixed texts one of which comes next; empty where text is free."""
        return self._state.ways()

    def forced(self) -> str:
        """The text that must come next, whatever the model would say; only whole characters."""
        state: State | None = self._state
        ahead = b""
        while state and not isinstance(state, _Done) and (ways := state.ways()):
            common = _common_start(ways)
            ahead += common
            state = walk(state, common) if len(ways) == 1 else None
        with suppress(UnicodeDecodeError):
            return codecs.getincrementaldecoder("utf-8")("strict").decode(ahead)
        return ""

    def _whole(self, data: bytes) -> bool:
        """True if the bytes go on with the characters of a call."""
        if not self.calling:
            return True
        before = self._decoder.getstate()
        try:
            self._decoder.decode(data)
            return _may_become_whole(self._decoder.getstate()[0])
        except UnicodeDecodeError:
            return False
        finally:
            self._decoder.setstate(before)

    def _begin_characters(self, data: bytes) -> None:
        """A call began within these bytes, which may end within one of its characters."""
        self._decoder.reset()
        ascii_ = data.rstrip(_HIGH_BYTES)
        with suppress(UnicodeDecodeError):
            self._decoder.decode(data[len(ascii_) :])

    def _marked(self, data: bytes) -> State | None:
        tag = data.lower()
        match self._state:
            case _Thought() | _Prose() if tag == _OPEN and self._form.tools:
                return self._form.call(0)
            case _Thought() | _Prose() if tag in _OTHER_OPENERS:
                return _Unheld()
            case _Thought():
                return _Prose(self._form) if tag == _THOUGHT else self._state
            case _Prose() if tag == _THINK:
                return _Thought(self._form)
            case _Prose() if not self._form.tools or tag == _THOUGHT:
                return self._state
            case _Prose():
                return None
            case _Unheld():
                return self._state
        return walk(self._state, data) if tag in (_OPEN, _CLOSE) and self._closes(data) else None

    def _closes(self, data: bytes) -> bool:
        """True where a tag comes as such and not as text."""
        return any(way.startswith(data) for way in self._state.ways())


def is_tag(data: bytes) -> bool:
    """True for tags that part an answer: of reasoning, of calls, of their results."""
    return data.lower() in _OTHER_OPENERS or _MARK.fullmatch(data) is not None


def _common_start(texts: Sequence[bytes]) -> bytes:
    first, last = min(texts), max(texts)
    same = next((n for n, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), None)
    return first[:same]


def _may_become_whole(half: bytes) -> bool:
    """True if bytes that are left of a text can go on to be a character; Python's decoder looks too late."""
    return not half or any(_is_text(half + fill * more) for fill in (b"\x80", b"\xbf") for more in (1, 2, 3))


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
