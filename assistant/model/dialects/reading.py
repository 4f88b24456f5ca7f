"""Reads a streamed answer: reasoning first, then text and tool calls, whatever is missing or left over."""

import re
from collections.abc import Collection, Sequence
from enum import Enum, auto

from assistant.model.base import Cut, Garbled, Piece, Text, Thought
from assistant.model.dialects.calls import names_a_tool, read_calls
from assistant.model.dialects.json_calls import within_string
from assistant.model.dialects.xml_calls import FUNCTION_OPEN
from assistant.model.wire import Reason, Second, Sure
from connectors.base import Tool

_TAG = re.compile(
    r"<think>|</think>|<tool_call>|\[TOOL_CALLS\]|<\|(?:/?tool_call|tool_call_(?:start|end)|python_tag)\|>|<function\s*=\s*[^<>\s]{1,100}\s*>"
    r"|</(?:tool_call|function|function_invocation|parameter)\s*>",
    re.IGNORECASE,
)
_BEGUN_TAG = re.compile(
    r"(?:</?[a-z_]{0,20}|<\|/?[a-z_]{0,20}\|?|<function\s*=[^<>]{0,110}|\[[A-Z_]{0,10})\Z", re.IGNORECASE
)
_THINK_END = re.compile(r"</think>", re.IGNORECASE)
_CALL_TAG = re.compile(
    r"(?P<open><parameter\s*=[^<>]*>)|(?P<close></parameter\s*>)"
    r"|(?P<end></tool_call\s*>|<\|(?:/tool_call|tool_call_end)\|>)"
    r"|(?P<next><tool_call>|<\|tool_call(?:_start)?\|>)",
    re.IGNORECASE,
)
_OPENERS = ("<tool_call>", "[tool_calls]", "<|tool_call_start|>", "<|tool_call|>", "<|python_tag|>")
_CLOSERS = ("</tool_call>", "<|tool_call_end|>", "<|/tool_call|>")
_BYTE_ORDER_MARK = "\ufeff"
_CUT_CALL = "The answer reached its limit in the middle of a call, which was not run."
_CUT_THOUGHT = "The model reached its limit while it was still reasoning."
_CUT_TEXT = "The answer reached its limit."
_CIRCLE = "The model went round in a circle and was stopped."
_ONLY_THOUGHT = "The answer ended inside the reasoning. Close it, then call a tool or answer."


class _State(Enum):
    THINKING = auto()
    SAYING = auto()
    CALLING = auto()


class CallReader:
    """Reads one answer. `thinking` says that the prompt left the reasoning open.

    Reasoning ends at the first `</think>` or at a real `<tool_call>` token; text in it is never read for
    calls.
    """

    def __init__(self, tools: Sequence[Tool], *, thinking: bool) -> None:
        self._tools = tools
        self._names: Collection[str] = {tool.name for tool in tools if tool.offered}
        self._state = _State.THINKING if thinking else _State.SAYING
        self._text = ""
        self._space = ""
        self._said = False
        self._begun = False

    def feed(self, text: str, mark: bool = False) -> list[Piece]:
        if mark:
            return self._take_mark(text)
        if not self._begun:
            text = text.lstrip(_BYTE_ORDER_MARK)
            self._begun = bool(text)
        self._text += text
        return self._drain()

    def weigh(self, event: Sure | Second) -> list[Piece]:
        """Nothing is known of how sure a free answer is."""
        return []

    def end(self, reason: Reason) -> list[Piece]:
        rest, self._text = self._text, ""
        whole = reason == "stop"
        match self._state:
            case _State.THINKING:
                pieces = self._think(rest)
                pieces += [Garbled("", _ONLY_THOUGHT)] if whole else [Cut(_CUT_THOUGHT)]
            case _State.CALLING:
                pieces = [*read_calls(rest, self._tools)] if whole else [Cut(_CUT_CALL)]
            case _State.SAYING:
                pieces = self._end_saying(rest, whole)
        if reason == "cancelled":
            return [piece for piece in pieces if not isinstance(piece, Cut)]
        return [Cut(_CIRCLE) if isinstance(piece, Cut) and reason == "circle" else piece for piece in pieces]

    def _end_saying(self, rest: str, whole: bool) -> list[Piece]:
        if self._maybe_bare(rest):
            if whole and names_a_tool(rest, self._tools):
                return [*read_calls(rest, self._tools)]
            if not whole and '"name"' in rest:
                return [Cut(_CUT_CALL)]
        return self._say(rest) + ([] if whole else [Cut(_CUT_TEXT)])

    def _take_mark(self, mark: str) -> list[Piece]:
        tag, rest = mark.casefold(), self._text
        match self._state:
            case _State.THINKING if tag == "</think>" or tag in _OPENERS:
                self._text = ""
                self._state = _State.SAYING if tag == "</think>" else _State.CALLING
                return self._think(rest)
            case _State.CALLING if tag in (*_CLOSERS, *_OPENERS):
                self._text = ""
                return self._call(rest, again=tag in _OPENERS)
        self._text += mark
        return self._drain()

    def _drain(self) -> list[Piece]:
        pieces: list[Piece] = []
        while (step := self._step()) is not None:
            pieces += step
        return pieces

    def _step(self) -> list[Piece] | None:
        """Take one step forward in the text; None when more of it is needed."""
        match self._state:
            case _State.THINKING:
                return self._step_thinking()
            case _State.SAYING:
                return self._step_saying()
            case _State.CALLING:
                return self._step_calling()

    def _step_thinking(self) -> list[Piece] | None:
        if found := _THINK_END.search(self._text):
            thought, self._text = self._text[: found.start()], self._text[found.end() :]
            self._state = _State.SAYING
            return self._think(thought)
        return self._pass_on()

    def _step_saying(self) -> list[Piece] | None:
        found = _TAG.search(self._text)
        if not found:
            return None if self._maybe_bare(self._text) else self._pass_on()
        before, tag = self._text[: found.start()], found.group().casefold()
        function = FUNCTION_OPEN.fullmatch(found.group())
        if function and function.group(1) not in self._names:
            self._text = self._text[found.end() :]
            return self._say(before + found.group())
        self._text = self._text[found.start() if function else found.end() :]
        if function or tag in _OPENERS:
            self._state = _State.CALLING
        elif tag == "<think>":
            self._state = _State.THINKING
        return self._say(before)

    def _step_calling(self) -> list[Piece] | None:
        end = _call_end(self._text)
        if end is None:
            return None
        inner, self._text = self._text[: end.start()], self._text[end.end() :]
        return self._call(inner, again=bool(end["next"]))

    def _call(self, inner: str, *, again: bool) -> list[Piece]:
        """What stood in a call; `again` says that another one opens at its end."""
        self._state = _State.CALLING if again else _State.SAYING
        return [] if again and not inner.strip() else [*read_calls(inner, self._tools)]

    def _pass_on(self) -> list[Piece] | None:
        """Give out the text so far, but hold back what may become a tag."""
        begun = _BEGUN_TAG.search(self._text)
        cut = begun.start() if begun else len(self._text)
        ready, self._text = self._text[:cut], self._text[cut:]
        if not ready:
            return None
        return self._think(ready) if self._state is _State.THINKING else self._say(ready)

    def _think(self, text: str) -> list[Piece]:
        return [Thought(text)] if text else []

    def _say(self, text: str) -> list[Piece]:
        """Text without the blank around all of it."""
        text = self._space + text
        if not self._said:
            text = text.lstrip()
        shown = text.rstrip()
        self._space = text[len(shown) :]
        self._said = self._said or bool(shown)
        return [Text(shown)] if shown else []

    def _maybe_bare(self, text: str) -> bool:
        """True if the answer may be a call in JSON without anything around it."""
        return not self._said and text.lstrip()[:1] in ("{", "[", "`")


def _call_end(text: str) -> re.Match[str] | None:
    """The tag that ends the call; one within a value that ends later is text."""
    in_value = False
    for found in _CALL_TAG.finditer(text):
        match found.lastgroup:
            case "open":
                in_value = True
            case "close":
                in_value = False
            case _ if not in_value and not within_string(text[: found.start()]):
                return found
    return None
