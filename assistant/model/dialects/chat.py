"""The dialects of models with a chat template of their own that lists tools."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from pydantic import JsonValue

from assistant.model.base import Goal, Turn
from assistant.model.dialects.base import Guard, Reader, without_oldest
from assistant.model.dialects.choosing import CHOOSE
from assistant.model.dialects.messages import messages
from assistant.model.dialects.reading import CallReader
from assistant.model.dialects.schema import tool_schemas
from assistant.model.wire import Chat, Form, Generate, Ready, Sampling
from connectors.base import Tool

QWEN_THINKING = Sampling(temperature=0.6, top_k=20, top_p=0.95, min_p=0.0)
QWEN_PLAIN = Sampling(temperature=0.7, top_k=20, top_p=0.8, min_p=0.0)
HERMES = Sampling(temperature=0.2, top_k=40, top_p=0.95, min_p=0.05)

MOST_THOUGHTS = 768
"""Tokens of reasoning after which it is closed for the model."""

_UNWANTED_THOUGHTS = 16
_UNLIMITED_THOUGHTS = 8192
_MOST_TOKENS = 768
_OPEN, _CLOSED = "<think>", "</think>"

log = logging.getLogger(__name__)


class ChatDialect:
    """Speaks through the model's own chat template; the template is rendered in the model's process.

    The clock says when a goal was given. It stands in the goal and not in the system text, so that the long
    beginning of the prompt stays the same bytes. `most_thoughts` is in tokens; 0 sets no limit.
    """

    def __init__(
        self,
        clock: Callable[[], datetime],
        sampling: Sampling,
        *,
        thinking: bool,
        most_tokens: int | None = None,
        most_thoughts: int = MOST_THOUGHTS,
        form: Form = "xml",
    ) -> None:
        self._clock = clock
        self._sampling = sampling
        self._form = form
        self.thinking = thinking
        self._most_thoughts = most_thoughts
        thoughts = (most_thoughts or _UNLIMITED_THOUGHTS) if thinking else 0
        self.most_tokens = most_tokens or _MOST_TOKENS + thoughts
        self._goal: Goal | None = None
        self._moments: dict[int, datetime] = {}

    def request(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], guard: Guard, skip: int = 0
    ) -> Generate | None:
        if not any(isinstance(turn, Goal) for turn in transcript):
            return None
        moments = self.moments(transcript)
        told = messages(without_oldest(transcript, skip), moments[skip:], guard)
        return self.generate(self.chat(told, tools))

    def chat(self, told: Sequence[dict[str, JsonValue]], tools: Sequence[Tool]) -> Chat:
        """A conversation for the template; whether the model may think is always said outright.

        Which service is needed is to be said without thinking.
        """
        chooses = [tool.name for tool in tools] == [CHOOSE]
        return Chat(tuple(told), tool_schemas(tools), self.thinking and not chooses)

    def generate(self, chat: Chat) -> Generate:
        """Ask for an answer. A model that reasons although it was told not to is soon stopped."""
        thoughts = self._most_thoughts if chat.thinking else _UNWANTED_THOUGHTS
        most = self.most_tokens if chat.thinking else min(self.most_tokens, _MOST_TOKENS)
        return Generate(0, chat, most, self._sampling, form=self._form, thoughts=thoughts)

    def reader(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], ready: Ready, prompt_tail: str
    ) -> Reader:
        return CallReader(tools, thinking=_left_open(prompt_tail))

    def reader_of(self, chat: Chat, tools: Sequence[Tool], prompt_tail: str) -> Reader:
        """A reader for the answer to a conversation, whose prompt should end as was asked for."""
        opened = _left_open(prompt_tail)
        if opened != chat.thinking and (opened or prompt_tail.rstrip().casefold().endswith(_CLOSED)):
            log.warning("the chat template does not heed whether the model is to think")
        return CallReader(tools, thinking=opened)

    def moments(self, transcript: Sequence[Turn], *, now: bool = True) -> tuple[datetime | None, ...]:
        """When each goal was given, as far as it was seen to be given; that never changes after.

        With `now` the last goal is given now, if it was not seen before.
        """
        goals = [turn for turn in transcript if isinstance(turn, Goal)]
        if now and goals and goals[-1] is not self._goal:
            self._goal = goals[-1]
            earlier = {number: at for number, at in self._moments.items() if number < len(goals) - 1}
            self._moments = {**earlier, len(goals) - 1: self._clock()}
        return tuple(self._moments.get(number) for number in range(len(goals)))


def _left_open(prompt_tail: str) -> bool:
    """True if a prompt leaves the reasoning open."""
    return prompt_tail.rstrip().casefold().endswith(_OPEN)
