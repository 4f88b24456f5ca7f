"""A model that says what it was told to say."""

from collections.abc import AsyncGenerator, Iterable, Sequence

from assistant.model.base import Piece, Turn
from connectors.base import Tool


class ScriptedModel:
    """Yields one prepared list of pieces per answer, and nothing once they are used up.

    An exception in a list is raised in its place. `heard` keeps the transcripts it was given, in order.
    """

    def __init__(self, answers: Iterable[Sequence[Piece | Exception]], name: str = "scripted") -> None:
        self.heard: list[tuple[Turn, ...]] = []
        self.offered: list[tuple[str, ...]] = []
        self.closed = False
        self._answers = iter(answers)
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        self.heard.append(tuple(transcript))
        self.offered.append(tuple(tool.name for tool in tools))
        for piece in next(self._answers, ()):
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def close(self) -> None:
        self.closed = True
