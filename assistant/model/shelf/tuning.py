"""What a person may set otherwise for one model."""

from dataclasses import dataclass, replace

from assistant.model.wire import Sampling

_SAMPLING = ("temperature", "top_k", "top_p", "min_p", "presence")


@dataclass(frozen=True, slots=True)
class Tuning:
    """Wishes for one model; None leaves a value as the catalogue has it.

    `thoughts` is after how many tokens its reasoning is closed, 0 for never; `context` is in tokens.
    """

    thinking: bool | None = None
    thoughts: int | None = None
    context: int | None = None
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    presence: float | None = None

    def tuned(self, sampling: Sampling) -> Sampling:
        """The way of choosing tokens, changed where it is wished."""
        wished = {name: value for name in _SAMPLING if (value := getattr(self, name)) is not None}
        return replace(sampling, **wished)
