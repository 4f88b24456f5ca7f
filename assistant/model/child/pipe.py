"""The two ends of the pipe in the model's process, and what is heard on it while the model works."""

import os
import threading
from collections.abc import Iterator
from queue import SimpleQueue
from typing import BinaryIO

from assistant.model.child.interrupt import Interrupt
from assistant.model.wire import (
    Alive,
    Cancel,
    Count,
    Event,
    Generate,
    Load,
    Ping,
    Prepare,
    decode_request,
    encode_event,
)

Work = Load | Generate | Prepare | Count


class Pipe:
    """Reads requests in a thread of its own, so that a cancel is heard while the model works.

    A cancel raises the interrupt at once if its request is the one worked on. When the other side goes away
    the process ends, whatever it is doing.
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO, interrupt: Interrupt) -> None:
        self._source = source
        self._sink = sink
        self._interrupt = interrupt
        self._state = threading.Lock()
        self._sending = threading.Lock()
        self._current: int | None = None
        self._cancelled: set[int] = set()
        self._waiting: SimpleQueue[Work] = SimpleQueue()

    @classmethod
    def take_over(cls, stdin: int, stdout: int, stderr: int, interrupt: Interrupt) -> "Pipe":
        """Keep the pipe to ourselves: what libraries print on standard output goes to standard error."""
        source, sink = os.fdopen(os.dup(stdin), "rb"), os.fdopen(os.dup(stdout), "wb")
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, stdin)
        os.close(null)
        os.dup2(stderr, stdout)
        pipe = cls(source, sink, interrupt)
        threading.Thread(target=pipe._listen, name="requests", daemon=True).start()
        return pipe

    def requests(self) -> Iterator[Work]:
        """The requests in the order they came; never ends, because the process does."""
        while True:
            request = self._waiting.get()
            self._take_up(None if isinstance(request, Load) else request.id)
            yield request

    @property
    def more(self) -> bool:
        """True if another request waits."""
        return not self._waiting.empty()

    def send(self, event: Event) -> None:
        try:
            with self._sending:
                self._sink.write(encode_event(event))
                self._sink.flush()
        except BrokenPipeError:
            os._exit(0)

    def cancelled(self, id_: int) -> bool:
        return id_ in self._cancelled

    def _take_up(self, id_: int | None) -> None:
        with self._state:
            self._current = id_
            self._interrupt.lower()
            if id_ in self._cancelled:
                self._interrupt.lift()

    def _cancel(self, id_: int) -> None:
        with self._state:
            self._cancelled.add(id_)
            if id_ == self._current:
                self._interrupt.lift()

    def _listen(self) -> None:
        for line in self._source:
            match decode_request(line):
                case Cancel(id=id_):
                    self._cancel(id_)
                case Ping():
                    self.send(Alive())
                case request:
                    self._waiting.put(request)
        os._exit(0)
