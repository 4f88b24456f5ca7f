"""Whether a conversation goes on from exactly what the model said last, so that its words stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from assistant.model.base import Garbled, Piece, Proposal, Reply, Result, Text, Turn, Wish
from permissions.values import is_open

WAITING = "This waits for what is still open in it. Give it again, complete, once you know that."


@dataclass(frozen=True, slots=True)
class Said:
    """What the reader made of a whole answer: its text and the calls in it, in order."""

    text: str
    wishes: tuple[Wish, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A call of the answer and what came of it; None while it waits for a value."""

    wish: Wish
    result: Result | None


def said(pieces: Sequence[Piece], *, whole: bool) -> Said | None:
    """The answer, or None if it was cut, garbled, or asked the person something in the form of a call."""
    if not whole or any(isinstance(piece, Garbled) for piece in pieces):
        return None
    texts = [piece for piece in pieces if isinstance(piece, Text)]
    if any(text.asked for text in texts):
        return None
    wishes = tuple(piece for piece in pieces if isinstance(piece, Wish))
    return Said("".join(text.text for text in texts), wishes)


def continued(before: Sequence[Turn], answer: Said, now: Sequence[Turn]) -> tuple[Step, ...] | None:
    """What came of each call of an answer to `before`, if `now` is that and nothing else; else None.

    A call that left a value open may have been held back; all others must have been taken up, unchanged and
    in their order, and each must be followed by its result.
    """
    if tuple(now[: len(before)]) != tuple(before):
        return None
    after = list(now[len(before) :])
    if answer.text and (not after or not _is_reply(after.pop(0), answer.text)):
        return None
    steps: list[Step] = []
    for wish in answer.wishes:
        result = _taken(wish, after)
        if result is None and not any(map(is_open, wish.arguments.values())):
            return None
        steps.append(Step(wish, result))
    return tuple(steps) if not after and any(step.result for step in steps) else None


def _is_reply(turn: Turn, text: str) -> bool:
    return isinstance(turn, Reply) and turn.text == text


def _taken(wish: Wish, after: list[Turn]) -> Result | None:
    """The result of the wish if the next two turns are its call and its result, which are then taken off."""
    match after[:2]:
        case [Proposal(call=call), Result() as result] if (
            call.tool == wish.tool
            and result.call_id == call.id
            and _plain(call.arguments) == _plain(wish.arguments)
        ):
            del after[:2]
            return result
    return None


def _plain(arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {name: _listed(value) for name, value in arguments.items() if value is not None}


def _listed(value: JsonValue) -> JsonValue:
    if isinstance(value, list | tuple):
        return [_listed(item) for item in value]
    return value
