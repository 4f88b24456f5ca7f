"""One request to the model's process on its way: its events become pieces, as its dialect reads them."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from assistant.model.base import Loading, Piece, Remark
from assistant.model.dialects.base import Reader
from assistant.model.host.engine import Engine
from assistant.model.wire import Chat, Closed, Ended, Event, Generate, Opened, Read, Said, Second, Sure

READING = "reading"
_UNWANTED = "The model began to reason although it was told not to, and was stopped."
_CUT_SHORT = {
    "long": "The model's reasoning was cut short because it was too long.",
    "circle": "The model's reasoning was cut short because it went round in a circle.",
}


class Answering:
    """Asks for one answer; afterwards it knows what was read and how the answer ended."""

    def __init__(self, engine: Engine, heard: Callable[[Event], None] | None = None) -> None:
        self._engine = engine
        self._heard = heard
        self._opened: Opened | None = None
        self._ended: Ended | None = None

    @property
    def too_long(self) -> bool:
        """True if the prompt did not fit into the context."""
        return self._ended is not None and self._ended.reason == "full" and not self._ended.tokens

    @property
    def whole(self) -> bool:
        """True if the answer ended by itself."""
        return self._ended is not None and self._ended.reason == "stop"

    @property
    def tokens(self) -> int:
        """The length of the prompt and the answer."""
        return (self._opened.tokens if self._opened else 0) + (self._ended.tokens if self._ended else 0)

    async def pieces(self, request: Generate, reader_for: Callable[[str], Reader]) -> AsyncGenerator[Piece]:
        """The pieces of the answer; `reader_for` is given the end of the prompt. Raises ModelError."""
        reader: Reader | None = None
        async with aclosing(self._engine.generate(request)) as events:
            async for event in events:
                if self._heard:
                    self._heard(event)
                if isinstance(event, Opened):
                    self._opened = event
                    reader = reader_for(event.tail)
                elif isinstance(event, Ended):
                    self._ended = event
                if reader and not self.too_long:
                    for piece in _pieces(event, reader):
                        yield (
                            Remark(_UNWANTED)
                            if isinstance(piece, Remark) and not _may_think(request)
                            else piece
                        )


def _may_think(request: Generate) -> bool:
    return not isinstance(request.prompt, Chat) or request.prompt.thinking


def _pieces(event: Event, reader: Reader) -> list[Piece]:
    match event:
        case Read(done=done, total=total) if done < total:
            return [Loading(READING, done / total)]
        case Said(text=text, mark=mark):
            return reader.feed(text, mark)
        case Closed(why=why):
            # What closed the reasoning may be said as well, and is passed over then.
            return [*reader.feed("</think>", mark=True), Remark(_CUT_SHORT[why])]
        case Sure() | Second():
            return reader.weigh(event)
        case Ended(reason=reason):
            return reader.end(reason)
    return []
