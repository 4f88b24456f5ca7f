"""Watches an answer: its reasoning may be too long, and all of it may go round in a circle."""

from collections.abc import Sequence
from typing import Literal

from assistant.model.child.circles import Circle, in_answer, in_reasoning

Why = Literal["long", "circle"]


class Watch:
    """Watches one answer; `thoughts` is how many tokens of reasoning it may have, 0 sets no limit."""

    def __init__(self, thoughts: int, *, circles: bool) -> None:
        self._thoughts = thoughts
        self._circles = circles
        self._count = 0
        self._thinking: bool | None = None
        self._circle: Circle | None = None

    def see(self, tokens: Sequence[int], *, thinking: bool) -> Why | None:
        """Why the reasoning has to be closed, or the answer ended, after these tokens; None if not at all."""
        if thinking is not self._thinking:
            self._thinking = thinking
            self._circle = (in_reasoning() if thinking else in_answer()) if self._circles else None
        self._count += len(tokens) * thinking
        if self._circle and any(map(self._circle.push, tokens)):
            return "circle"
        return "long" if thinking and 0 < self._thoughts <= self._count else None
