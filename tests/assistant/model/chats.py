"""Conversations for toy models, and what came of a request."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from assistant.model.host.engine import Engine
from assistant.model.spec import DialectName, ModelSpec
from assistant.model.wire import Chat, Ended, Generate, Opened, Said, Sampling

TOOLS = tuple(
    {"type": "function", "function": {"name": f"thing.act_{number}", "description": "does something " * 5}}
    for number in range(3)
)
CHANCE = Sampling(temperature=3.0, top_k=266)
# Toys repeat themselves when they take the likeliest; drawn so, an answer shows all that was read.
DRAWN = Sampling(temperature=1.0, top_k=40)


def spec(path: Path, context: int = 4096) -> ModelSpec:
    return ModelSpec("toy", "Toy", path, DialectName.QWEN, context=context)


def chat(*said: str, follows: bool = False) -> Chat:
    """A conversation in which the person and the assistant take turns; results begin with "=" """
    messages = [{"role": "system", "content": "Be brief."}]
    for text in said:
        if text.startswith("="):
            messages.append({"role": "tool", "content": text})
        else:
            roles = {"user": "assistant", "tool": "assistant"}
            messages.append({"role": roles.get(messages[-1]["role"], "user"), "content": text})
    return Chat(tuple(dict(message) for message in messages), TOOLS, thinking=False, follows=follows)


@dataclass
class Answer:
    """All that came of one request."""

    text: str = ""
    opened: Opened = field(default_factory=lambda: Opened(0, "", 0, 0))
    ended: Ended = field(default_factory=lambda: Ended(0, "cancelled", 0))

    @property
    def evaluated(self) -> int:
        """How many tokens of the prompt were read."""
        return self.opened.tokens - self.opened.reused


async def ask(engine: Engine, prompt: str | Chat, most: int = 20, **more: object) -> Answer:
    answer = Answer()
    request = Generate(0, prompt, most, DRAWN, seed=7)
    async for event in engine.generate(replace(request, **more)):
        match event:
            case Opened():
                answer.opened = event
            case Said():
                answer.text += event.text
            case Ended():
                answer.ended = event
    return answer


async def ask_afresh(path: Path, prompt: str | Chat, **more: object) -> Answer:
    """The same of a process that has read nothing before."""
    engine = Engine(spec(path))
    try:
        return await ask(engine, prompt, **more)
    finally:
        await engine.close()


async def ask_to_the_end(engine: Engine, prompt: Chat) -> Answer:
    """An answer drawn by chance that ended by itself, as text that reads back as the same tokens."""
    for seed in [*_ENDING, *range(1000)]:
        answer = await ask(engine, prompt, 16, sampling=CHANCE, seed=seed)
        if answer.ended.reason == "stop" and answer.text.strip() and "\ufffd" not in answer.text:
            _ENDING.append(seed)
            return answer
    raise AssertionError("no answer ended by itself")


# The seeds that led to an end, which take long to find.
_ENDING: list[int] = []
