"""A text as Qwen's XML writes it: raw, up to the tag that ends it."""

import re
from dataclasses import dataclass

from assistant.model.held.nothing import is_nothing, may_be_nothing
from assistant.model.held.states import State, Then, one

_TAG = re.compile(rb"(?P<end></parameter\s*>)|\n<parameter\s*=|\n</?(?:function|tool_call)", re.IGNORECASE)
_END = b"\n</parameter>"


def _begun(word: str) -> str:
    """A pattern of all beginnings of a word."""
    pattern = ""
    for letter in reversed(word):
        pattern = f"(?:{letter}{pattern})?"
    return pattern


# What may become a tag, with the line's end before it.
_BEGUN_TAG = re.compile(
    rf"(?:\n|\n?</?{_begun('parameter')}|\n?</?parameter\s*|\n</?(?:{_begun('function')}|{_begun('tool_call')}))\Z".encode(),
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Raw:
    r"""Text up to `\n</parameter>\n`, which may hold anything but the tags of calls where a line begins.

    A model that forgets this end and goes on with the next is so brought back to it.

    `pending` is what may be the beginning of such a tag; at first it is the end of the line that the value
    begins after. `begun` is all of the text while it may be none at all, which `needed` refuses.
    """

    then: Then
    needed: bool
    pending: bytes = b"\n"
    begun: bytes = b""

    def step(self, data: bytes) -> tuple[State, bytes] | None:
        text = self.pending + data
        found = _TAG.search(text)
        if found:
            return self._end(text, found)
        at = _begins_at(text)
        needed = self.needed and may_be_nothing(_plain(self.begun + text[:at]))
        begun = self.begun + text[:at] if needed else b""
        return Raw(self.then, needed, text[at:], begun), b""

    def ways(self) -> tuple[bytes, ...]:
        return ()

    def _end(self, text: bytes, found: re.Match[bytes]) -> tuple[State, bytes] | None:
        if not found["end"] or not text[: found.end()].endswith(_END):
            return None
        value = self.begun + text[: found.end() - len(_END)]
        if self.needed and is_nothing(_plain(value)):
            return None
        return one("\n", self.then), text[found.end() :]


def _begins_at(text: bytes) -> int:
    """Where the end of the text begins that may become a tag."""
    found = _BEGUN_TAG.search(text)
    return found.start() if found else len(text)


def _plain(value: bytes) -> str:
    return value.decode("utf-8", "replace")
