"""Chooses the dialect from what a chat template says, never from a file's name."""

from collections.abc import Callable
from datetime import datetime

from assistant.model.base import ModelUnusable
from assistant.model.dialects.base import Dialect
from assistant.model.dialects.chat import HERMES, QWEN_PLAIN, QWEN_THINKING, ChatDialect
from assistant.model.dialects.starter import StarterDialect
from assistant.model.spec import DialectName, ModelSpec
from assistant.model.wire import Form

XML: Form = "xml"
JSON: Form = "json"


def dialect_name(template: str | None, title: str) -> DialectName:
    """The dialect of a model with this chat template; ModelUnusable if it was not made for tools."""
    if not template:
        raise ModelUnusable(f"{title} has no chat template, so it cannot be asked for calls.")
    if "<function=" in template:
        return DialectName.QWEN
    if "tools" in template:
        return DialectName.HERMES
    raise ModelUnusable(f"{title} was not made to call tools: its chat template does not know them.")


def dialect_for(spec: ModelSpec, clock: Callable[[], datetime]) -> Dialect:
    match spec.dialect:
        case DialectName.STARTER:
            return StarterDialect()
        case DialectName.QWEN:
            usual, form = QWEN_THINKING if spec.thinking else QWEN_PLAIN, XML
        case DialectName.HERMES:
            usual, form = HERMES, JSON
    return ChatDialect(
        clock, spec.sampling or usual, thinking=spec.thinking, form=form, most_thoughts=spec.thoughts
    )
