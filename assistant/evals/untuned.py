"""The starter's base without its adapter: told of the tools in its prompt, as models without training are."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from assistant.model.base import Goal, Turn
from assistant.model.dialects.base import Guard, Reader, without_oldest
from assistant.model.dialects.messages import messages
from assistant.model.dialects.reading import CallReader
from assistant.model.dialects.schema import tool_schemas
from assistant.model.spec import ModelSpec
from assistant.model.wire import Generate, Ready
from connectors.base import Tool

UNTUNED = "smollm2"
"""The name under which the starter's base can be measured."""

_CONTEXT = 8192
_MOST_TOKENS = 256
_HOW = (
    "\n\n# Tools\n\nYou may call these functions, given as JSON within <tools></tools>:\n<tools>\n{tools}\n"
    "</tools>\n\nFor each call give a JSON object within <tool_call></tool_call>: "
    '{{"name": NAME, "arguments": {{...}}}}. If no function fits, say so.'
)


def untuned(starter: ModelSpec) -> ModelSpec:
    """The base of the starter as a model of its own."""
    return replace(starter, key=UNTUNED, title="SmolLM2 135M without adapter", adapter=None, context=_CONTEXT)


class ListedToolsDialect:
    """ChatML with the tools listed in the system text, calls as Hermes JSON; for a template without tools."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock

    def request(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], guard: Guard, skip: int = 0
    ) -> Generate | None:
        if not transcript or not isinstance(transcript[-1], Goal):
            return None
        kept = without_oldest(transcript, skip)
        goals = sum(isinstance(turn, Goal) for turn in kept)
        system, *rest = messages(kept, [self._clock()] * goals, guard)
        listed = "\n".join(json.dumps(schema, ensure_ascii=False) for schema in tool_schemas(tools))
        parts = [_turn("system", f"{system['content']}{_HOW.format(tools=listed)}")]
        parts += [_turn(str(each["role"]), str(each["content"])) for each in rest]
        return Generate(0, f"{''.join(parts)}<|im_start|>assistant\n", _MOST_TOKENS)

    def reader(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], ready: Ready, prompt_tail: str
    ) -> Reader:
        return CallReader(tools, thinking=False)


def _turn(role: str, text: str) -> str:
    return f"<|im_start|>{role}\n{text}<|im_end|>\n"
