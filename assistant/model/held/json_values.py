"""JSON (RFC 8259) as it is written byte by byte: one value, then whatever comes after it."""

import json
import re
from dataclasses import dataclass, replace

from assistant.model.held.nothing import is_nothing, may_be_nothing
from assistant.model.held.states import Either, Fixed, Spaced, State, Then, fixed, one

_HIGH, _LOW = rb"\\u[dD][89abAB][0-9a-fA-F]{2}", rb"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_BODY = re.compile(
    rb'(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|' + _HIGH + _LOW + rb")*"
)
# An escape that has only begun; half of a pair of surrogates is no character either.
_BEGUN_ESCAPE = re.compile(
    rb"\\(?:u(?:[dD]?|(?![dD][89a-fA-F])[0-9a-fA-F]{1,3}|[dD][89abAB][0-9a-fA-F]?)?)?"
    rb"|" + _HIGH + rb"(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?"
)
_TAG = b"</parameter"
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?(?:[eE][+-]?[0-9]{1,2})?")
_BEGUN_NUMBER = re.compile(
    rb"-?(?:(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{0,17}|(?:\.[0-9]{1,17})?[eE][+-]?[0-9]{0,2})?)?"
)
_INTEGER = re.compile(rb"-?(?:0|[1-9][0-9]{0,17})")
_BEGUN_INTEGER = re.compile(rb"-?(?:0|[1-9][0-9]{0,17})?")
_SIGNS = re.compile(rb"[-+.eE0-9]*")
_DIGITS = tuple(b"-0123456789"[at : at + 1] for at in range(11))
_DEEPEST = 16


@dataclass(frozen=True, slots=True)
class Body:
    """The inside of a string up to its closing quote.

    `needed` refuses strings that readers take for no value. `begun` is an escape, or the beginning of what
    may be such a string, that is not decided yet; `tail` is the end of the text while `untagged` forbids
    the tag that ends a value in Qwen's XML.
    """

    then: Then
    needed: bool = False
    untagged: bool = False
    escape: bytes = b""
    begun: bytes = b""
    tail: bytes = b""

    def step(self, data: bytes) -> tuple[State, bytes] | None:
        text = self.escape + data
        found = _BODY.match(text)
        end = found.end() if found else 0
        body, rest = text[:end], text[end:]
        begun = self.begun + body if self.needed else b""
        if self.untagged and _TAG in (self.tail + body).lower():
            return None
        if rest.startswith(b'"'):
            return None if self.needed and is_nothing(_plain(begun)) else (self.then(), rest[1:])
        if rest and not _BEGUN_ESCAPE.fullmatch(rest):
            return None
        needed = self.needed and may_be_nothing(_plain(begun))
        tail = (self.tail + body)[-len(_TAG) + 1 :] if self.untagged else b""
        state = Body(self.then, needed, self.untagged, rest, begun if needed else b"", tail)
        return state, b""

    def ways(self) -> tuple[bytes, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Number:
    """A number of at most eighteen digits."""

    then: Then
    whole: bool
    text: bytes = b""

    def step(self, data: bytes) -> tuple[State, bytes] | None:
        text = self.text + data
        signs = _SIGNS.match(text)
        end = signs.end() if signs else 0
        number, rest = text[:end], text[end:]
        done, begun = (_INTEGER, _BEGUN_INTEGER) if self.whole else (_NUMBER, _BEGUN_NUMBER)
        if rest:
            return (self.then(), rest) if done.fullmatch(number) else None
        return (replace(self, text=number), b"") if begun.fullmatch(number) else None

    def ways(self) -> tuple[bytes, ...]:
        done = (_INTEGER if self.whole else _NUMBER).fullmatch(self.text)
        return () if done else _DIGITS


@dataclass(frozen=True, slots=True)
class Any:
    """Any value; deep within others only a plain one."""

    then: Then
    untagged: bool
    depth: int = 0

    def step(self, data: bytes) -> tuple[State, bytes] | None:
        if data[0] in b"-0123456789":
            return Number(self.then, whole=False), data
        return self._beginnings().step(data)

    def ways(self) -> tuple[bytes, ...]:
        return self._beginnings().ways()

    def _beginnings(self) -> Fixed:
        plain = {
            '"': lambda: Body(self.then, untagged=self.untagged),
            **dict.fromkeys(("true", "false", "null"), self.then),
        }
        if self.depth >= _DEEPEST:
            return fixed(plain)
        return Fixed((*fixed(plain).texts, *_holders(self.then, self.untagged, self.depth)))


def string(then: Then, *, needed: bool = False, untagged: bool = False) -> State:
    return fixed({'"': lambda: Body(then, needed, untagged)})


def strings(then: Then, *, least: int, untagged: bool = False) -> State:
    """A list of at least so many strings."""
    return fixed({"[": lambda: Spaced(lambda: _first_string(then, least, untagged))})


def any_list(then: Then, *, untagged: bool = False) -> State:
    return Fixed(_holders(then, untagged, 0)[1:])


def any_object(then: Then, *, untagged: bool = False) -> State:
    return Fixed(_holders(then, untagged, 0)[:1])


def _holders(then: Then, untagged: bool, depth: int) -> tuple[tuple[bytes, Then], ...]:
    def member() -> State:
        colon = fixed({":": lambda: Spaced(lambda: Any(after("}", member), untagged, depth + 1), b" ")})
        return fixed({'"': lambda: Body(lambda: Spaced(lambda: colon), untagged=untagged)})

    def item() -> State:
        return Any(after("]", item), untagged, depth + 1)

    def after(end: str, next_: Then) -> Then:
        return lambda: Spaced(lambda: fixed({",": lambda: Spaced(next_, b" "), end: then}))

    def first(end: str, next_: Then) -> Then:
        return lambda: Spaced(lambda: Either(end.encode(), lambda: one(end, then), next_))

    return (b"{", first("}", member)), (b"[", first("]", item))


def _first_string(then: Then, least: int, untagged: bool) -> State:
    def item() -> State:
        return string(after, untagged=untagged)

    def after() -> State:
        return Spaced(lambda: fixed({",": lambda: Spaced(item, b" "), "]": then}))

    return item() if least else Either(b"]", lambda: one("]", then), item)


def _plain(body: bytes) -> str:
    """The text of a string's whole inside; bytes that are half of a character are something."""
    return str(json.loads(b'"' + body + b'"')) if body.isascii() else "\ufffd"
