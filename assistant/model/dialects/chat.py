"""The dialects of models with a chat template of their own that lists tools."""

from collections.abc import Callable, Sequence
from datetime import datetime

from assistant.model.base import Goal, Turn
from assistant.model.dialects.base import Guard, Reader, without_oldest
from assistant.model.dialects.messages import messages
from assistant.model.dialects.reading import CallReader
from assistant.model.dialects.schema import tool_schemas
from assistant.model.wire import Chat, Generate, Ready, Sampling
from connectors.base import Tool

QWEN_THINKING = Sampling(temperature=0.6, top_k=20, top_p=0.95, min_p=0.0)
QWEN_PLAIN = Sampling(temperature=0.7, top_k=20, top_p=0.8, min_p=0.0)
HERMES = Sampling(temperature=0.2, top_k=40, top_p=0.95, min_p=0.05)

_MOST_TOKENS = 768
_MOST_TOKENS_THINKING = 3072


class ChatDialect:
    """Speaks through the model's own chat template; the template is rendered in the model's process.

    The clock says when a goal was given. It stands in the goal and not in the system text, so that the long
    beginning of the prompt stays the same bytes.
    """

    def __init__(
        self,
        clock: Callable[[], datetime],
        sampling: Sampling,
        *,
        thinking: bool,
        most_tokens: int | None = None,
    ) -> None:
        self._clock = clock
        self._sampling = sampling
        self._thinking = thinking
        self._most_tokens = most_tokens or (_MOST_TOKENS_THINKING if thinking else _MOST_TOKENS)
        self._goal: Goal | None = None
        self._moments: dict[int, datetime] = {}

    def request(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], guard: Guard, skip: int = 0
    ) -> Generate | None:
        goals = [turn for turn in transcript if isinstance(turn, Goal)]
        if not goals:
            return None
        self._note(goals)
        moments = [self._moments.get(number) for number in range(len(goals))]
        told = messages(without_oldest(transcript, skip), moments[skip:], guard)
        chat = Chat(told, tool_schemas(tools), self._thinking)
        return Generate(0, chat, self._most_tokens, self._sampling)

    def reader(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], ready: Ready, prompt_tail: str
    ) -> Reader:
        return CallReader(tools, thinking=prompt_tail.rstrip().casefold().endswith("<think>"))

    def _note(self, goals: Sequence[Goal]) -> None:
        """Keep the moment at which a goal is first seen, so that its text never changes after."""
        if goals[-1] is not self._goal:
            self._goal = goals[-1]
            earlier = {number: at for number, at in self._moments.items() if number < len(goals) - 1}
            self._moments = {**earlier, len(goals) - 1: self._clock()}
