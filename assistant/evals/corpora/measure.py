"""Asks a model for its first answer to every goal of a collection."""

from collections.abc import Callable, Sequence
from contextlib import aclosing

from assistant.evals.corpora.case import Case
from assistant.evals.corpora.score import Answered, Said
from assistant.evals.meter import MeteredModel
from assistant.model.base import Cut, Garbled, Goal, Otherwise, Piece, Text, Wish
from connectors.base import Tool


async def measure(
    model: MeteredModel,
    cases: Sequence[Case],
    tools: Sequence[Tool],
    told: Callable[[Answered], None] = lambda answer: None,
) -> tuple[Answered, ...]:
    """The first answers, each to a goal by itself. Raises ModelError."""
    answers = []
    for case in cases:
        model.reset()
        pieces: list[Piece] = []
        async with aclosing(model.respond((Goal(case.goal),), tools)) as answer:
            async for piece in answer:
                pieces.append(piece)
        answers.append(answered(case, pieces, model.count.seconds, model.count.tokens))
        told(answers[-1])
    return tuple(answers)


def answered(case: Case, pieces: Sequence[Piece], seconds: float = 0.0, tokens: int = 0) -> Answered:
    """What the pieces of an answer come to; text that ends in a question mark asks something."""
    calls = tuple(_said(piece) for piece in pieces if isinstance(piece, Wish))
    others = [piece for piece in pieces if isinstance(piece, Otherwise)]
    text = "".join(piece.text for piece in pieces if isinstance(piece, Text)).strip()
    return Answered(
        case,
        calls,
        tuple(_said(wish) for other in others for wish in other.wishes),
        asked=bool(others) or (not calls and text.endswith("?")),
        garbled=any(isinstance(piece, Garbled | Cut) for piece in pieces),
        seconds=seconds,
        tokens=tokens,
    )


def _said(wish: Wish) -> Said:
    return wish.tool, dict(wish.arguments)
