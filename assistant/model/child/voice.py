"""Says the tokens of an answer: as text where they are text, each special token by itself."""

import codecs
import time
from collections.abc import Callable, Sequence

from assistant.model.child.vocabulary import Pieces
from assistant.model.wire import Said

# Pieces of text that come faster than they could be read are said together.
_LEAST_SECONDS = 0.02


class Voice:
    """Says one answer; bytes of a character are held back until it is whole."""

    def __init__(
        self,
        id_: int,
        pieces: Pieces,
        send: Callable[[Said], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._id = id_
        self._pieces = pieces
        self._send = send
        self._clock = clock
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        self._last = float("-inf")

    def say(self, tokens: Sequence[int]) -> None:
        for token in tokens:
            data = self._pieces.data(token)
            if self._pieces.is_mark(token):
                self.finish()
                self._send(Said(self._id, data.decode("utf-8", "replace"), mark=True))
            else:
                self._text += self._decoder.decode(data)
        if self._clock() - self._last >= _LEAST_SECONDS:
            self.catch_up()

    def catch_up(self) -> None:
        """Say what was held back, but for a character that is not whole."""
        if self._text:
            self._send(Said(self._id, self._text))
            self._text = ""
            self._last = self._clock()

    def finish(self) -> None:
        """Say all that was held back."""
        self._text += self._decoder.decode(b"", final=True)
        self.catch_up()
