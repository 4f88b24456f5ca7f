"""Places in a text that is held to a form, and the step from one to the next."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

_BLANK = b" \t\r\n"


class State(Protocol):
    """A place in a text; it never changes. From every place some byte leads on."""

    def step(self, data: bytes) -> "tuple[State, bytes] | None":
        """The place after some of these bytes, and the rest of them; None if they cannot come here."""
        ...

    def ways(self) -> tuple[bytes, ...]:
        """The fixed texts one of which comes next; empty where text is free."""
        ...


Then = Callable[[], State]
"""What comes after something; made only when it is reached, since what may come has no end."""


def walk(state: State, data: bytes) -> State | None:
    """The place after all these bytes; None if they cannot come."""
    while data:
        step = state.step(data)
        if step is None:
            return None
        state, data = step
    return state


@dataclass(frozen=True, slots=True)
class Fixed:
    """One of some texts comes, none of which begins another."""

    texts: tuple[tuple[bytes, Then], ...]

    def step(self, data: bytes) -> tuple[State, bytes] | None:
        left = []
        for text, then in self.texts:
            if data.startswith(text):
                return then(), data[len(text) :]
            if text.startswith(data):
                left.append((text[len(data) :], then))
        return (Fixed(tuple(left)), b"") if left else None

    def ways(self) -> tuple[bytes, ...]:
        return tuple(text for text, _ in self.texts)


@dataclass(frozen=True, slots=True)
class Spaced:
    """Some blank may come first, at most so many bytes of it; `usual` is what comes as a rule."""

    then: Then
    usual: bytes = b""
    most: int = 64

    def step(self, data: bytes) -> tuple[State, bytes] | None:
        rest = data.lstrip(_BLANK)
        blank = len(data) - len(rest)
        if blank > self.most:
            return None
        return (self.then(), rest) if rest else (Spaced(self.then, most=self.most - blank), b"")

    def ways(self) -> tuple[bytes, ...]:
        return tuple(self.usual + way for way in self.then().ways()) or ((self.usual,) if self.usual else ())


@dataclass(frozen=True, slots=True)
class Either:
    """What begins with one byte comes, or else something that begins otherwise."""

    first: bytes
    this: Then
    otherwise: Then

    def step(self, data: bytes) -> tuple[State, bytes] | None:
        return (self.this() if data.startswith(self.first) else self.otherwise()), data

    def ways(self) -> tuple[bytes, ...]:
        other = self.otherwise().ways()
        return (*self.this().ways(), *other) if other else ()


def fixed(texts: Mapping[str, Then]) -> Fixed:
    return Fixed(tuple((text.encode(), then) for text, then in texts.items()))


def one(text: str, then: Then) -> Fixed:
    return fixed({text: then})
