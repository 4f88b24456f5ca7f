"""Run the starter model and an adapter through llama.cpp, greedily, as the application does."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import llama_cpp
from llama_cpp import Llama
from llama_cpp.llama_types import CreateCompletionResponse

CONTEXT = 1024
LONGEST = 256
Turn = tuple[str, str]


def prompt(goal: str, turns: list[Turn] | None = None) -> str:
    """The text the model reads: earlier goals with their answers, then the goal."""
    before = "".join(
        f"<|im_start|>user\n{said}<|im_end|>\n<|im_start|>assistant\n{calls}<|im_end|>\n"
        for said, calls in turns or []
    )
    return f"{before}<|im_start|>user\n{goal}<|im_end|>\n<|im_start|>assistant\n"


def _plain_buffers() -> None:
    """Keep llama.cpp off its AMX buffers, which crash for this model's quantisation on some machines."""
    original = llama_cpp.llama_cpp.llama_model_default_params

    def defaults() -> Any:
        params = original()
        params.use_extra_bufts = False
        return params

    llama_cpp.llama_cpp.llama_model_default_params = defaults


@dataclass(frozen=True, slots=True)
class Runtime:
    """A loaded model."""

    model: Llama

    def answer(self, goal: str, turns: list[Turn] | None = None) -> str:
        """What the model answers, without the end mark."""
        tokens = self.model.tokenize(prompt(goal, turns).encode(), add_bos=False, special=True)
        made = self.model.create_completion(tokens, max_tokens=LONGEST, temperature=0.0, stop=["<|im_end|>"])
        return cast(CreateCompletionResponse, made)["choices"][0]["text"]


def load(base: Path, adapter: Path | None, *, threads: int = 1, all_logits: bool = False) -> Runtime:
    """The base model with the adapter on it."""
    _plain_buffers()
    return Runtime(
        Llama(
            str(base),
            lora_path=str(adapter) if adapter else None,
            n_ctx=CONTEXT,
            n_threads=threads,
            n_threads_batch=threads,
            logits_all=all_logits,
            verbose=False,
        )
    )
