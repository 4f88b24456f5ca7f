"""What is known of a model that can be run: its file, what goes with it, how it is prompted."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from assistant.model.wire import Sampling


class DialectName(StrEnum):
    """The ways of prompting that Askfirst speaks; see `assistant.model.dialects`."""

    STARTER = "starter"
    QWEN = "qwen"
    HERMES = "hermes"


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model ready to be loaded.

    `adapter` is a LoRA file in GGUF that goes with it. `context` is in tokens and is cut to what the model
    was trained for. `thinking` lets a model that can reason do so before it answers, for at most `thoughts`
    tokens; 0 sets no limit. `sampling` is how its tokens are chosen; None leaves that to the dialect.
    `sha256` is that of the file in hex, empty where it was never taken.
    """

    key: str
    title: str
    path: Path
    dialect: DialectName
    adapter: Path | None = None
    context: int = 8192
    thinking: bool = False
    thoughts: int = 0
    sampling: Sampling | None = None
    sha256: str = ""
