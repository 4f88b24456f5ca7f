"""What a dialect is: it makes a request of a transcript, and reads the answer as it streams."""

from collections.abc import Sequence
from typing import Protocol

from assistant.model.base import Goal, Piece, Turn
from assistant.model.wire import Generate, Ready, Reason, Second, Sure
from connectors.base import Tool
from connectors.clean import fence, for_model

_BROKEN = {"<": "‹", "[": "⁅", "{": "❴", "|": "¦"}


class Guard:
    """Keeps foreign text from speaking as the model's own: none of its special tokens is left whole."""

    def __init__(self, marks: Sequence[str] = ()) -> None:
        signs = (mark for mark in marks if len(mark) > 2 and not mark.isalnum())
        self._marks = sorted(signs, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """Clean text with every special token broken up."""
        return self._broken(for_model(text))

    def fenced(self, text: str, source: str) -> str:
        """Text marked as data and not instructions, with every special token broken up."""
        return self._broken(fence(text, source))

    def _broken(self, text: str) -> str:
        for mark in self._marks:
            if mark in text:
                text = text.replace(mark, _BROKEN.get(mark[0], mark[0] + " ") + mark[1:])
        return text


class Reader(Protocol):
    """Reads one answer; it takes any text, cut anywhere, and never raises."""

    def feed(self, text: str, mark: bool = False) -> list[Piece]:
        """More of the answer; `mark` says that it is one special token of the model."""
        ...

    def weigh(self, event: Sure | Second) -> list[Piece]:
        """How sure the model was, or what else it might have said."""
        ...

    def end(self, reason: Reason) -> list[Piece]:
        """The answer is over: what is left of it."""
        ...


class Dialect(Protocol):
    """One way of talking to a model."""

    def request(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], guard: Guard, skip: int = 0
    ) -> Generate | None:
        """What to ask of the model, or None when it has nothing more to say to this transcript.

        All text that was not written by the dialect itself goes through `guard`. The oldest `skip` goals and
        all that came of them are left out.
        """
        ...

    def reader(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], ready: Ready, prompt_tail: str
    ) -> Reader:
        """A reader for the answer to a prompt that ends in `prompt_tail`."""
        ...


def without_oldest(transcript: Sequence[Turn], goals: int) -> Sequence[Turn]:
    """The transcript without its oldest goals and all that came of them."""
    starts = [at for at, turn in enumerate(transcript) if isinstance(turn, Goal)]
    return transcript[starts[goals] :] if 0 < goals < len(starts) else transcript
