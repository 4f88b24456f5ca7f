"""The model that is not there, so that everything else can start without one."""

from collections.abc import AsyncGenerator, Sequence

from assistant.model.base import ModelUnusable, Piece, Turn
from connectors.base import Tool


class NoModel:
    """Answers every goal with the reason why there is no model; raises ModelUnusable."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    @property
    def name(self) -> str:
        return "no model"

    def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        raise ModelUnusable(self._reason)

    async def close(self) -> None:
        return None
