"""An engine that says what it is told to, for what is asked of a model and what is made of its answers."""

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

from assistant.model.host.engine import Engine
from assistant.model.spec import DialectName, ModelSpec
from assistant.model.wire import (
    Chat,
    Closed,
    Ended,
    Event,
    Generate,
    Opened,
    Ready,
    Reason,
    Said,
)

SPEC = ModelSpec("puppet", "Puppet", Path("puppet.gguf"), DialectName.QWEN)
MARKS = ("<think>", "</think>", "<tool_call>", "</tool_call>")


class Puppet(Engine):
    """Gives prepared answers and keeps what was asked; a token is four characters.

    An answer is a text, or a text and the reason for which it ends; `tail` is the end of each prompt.
    """

    def __init__(
        self, *answers: str | tuple[str, Reason] | Sequence[Event], context: int = 8192, tail: str = ""
    ) -> None:
        super().__init__(SPEC)
        self._answers = list(answers)
        self._context = context
        self._tail = tail or "<think>\n\n</think>\n\n"
        self.asked: list[Generate] = []
        self.ahead: list[Chat] = []
        self.life = 1
        self.said: set[str] = set()

    @property
    def ready(self) -> Ready:
        return Ready(self._context, True, 1000, MARKS)

    @property
    def pid(self) -> int:
        return self.life

    @property
    def chats(self) -> list[Chat]:
        return [request.prompt for request in self.asked if isinstance(request.prompt, Chat)]

    async def load(self) -> Ready:
        return self.ready

    async def count(self, prompts: Sequence[str | Chat]) -> tuple[int, ...]:
        return tuple(len(text_of(prompt)) // 4 + 1 for prompt in prompts)

    async def prepare(self, prompt: Chat) -> None:
        self.ahead.append(prompt)

    async def generate(self, request: Generate) -> AsyncGenerator[Event]:
        self.asked.append(request)
        tokens = len(text_of(request.prompt)) // 4 + 1
        yield Opened(1, self._tail, tokens, 0)
        if tokens > self._context:
            yield Ended(1, "full", 0)
            return
        answer = self._answers.pop(0) if self._answers else ""
        text, reason = (answer, "stop") if isinstance(answer, str) else answer[:2]
        if isinstance(text, str):
            for event in spoken(text):
                yield event
            yield Ended(1, reason, len(text) // 4)
            return
        for event in answer:
            if isinstance(event, Said | Closed | Ended):
                yield event

    async def close(self) -> None:
        self.life += 1


def text_of(prompt: str | Chat) -> str:
    return prompt if isinstance(prompt, str) else f"{prompt.tools}{prompt.messages}"


def spoken(text: str) -> list[Said]:
    """A text in pieces, with its marks as single tokens."""
    said: list[Said] = []
    while text:
        mark = next((mark for mark in MARKS if text.startswith(mark)), None)
        end = min((at for mark in MARKS if (at := text.find(mark)) > 0), default=len(text))
        part = mark or text[:end]
        said.append(Said(1, part, mark is not None))
        text = text[len(part) :]
    return said
