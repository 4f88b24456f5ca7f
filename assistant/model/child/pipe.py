"""The two ends of the pipe in the model's process, and what is heard on it while the model works."""

import os
import threading
from collections.abc import Iterator
from queue import SimpleQueue
from typing import BinaryIO

from assistant.model.wire import Cancel, Count, Event, Generate, Load, Prepare, decode_request, encode_event


class Pipe:
    """Reads requests in a thread of its own, so that a cancel is heard while the model works.

    When the other side goes away the process ends at once, whatever it is doing.
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._cancelled: set[int] = set()
        self._waiting: SimpleQueue[Load | Generate | Prepare | Count] = SimpleQueue()

    @classmethod
    def take_over(cls, stdin: int, stdout: int, stderr: int) -> "Pipe":
        """Keep the pipe to ourselves: what libraries print on standard output goes to standard error."""
        source, sink = os.fdopen(os.dup(stdin), "rb"), os.fdopen(os.dup(stdout), "wb")
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, stdin)
        os.close(null)
        os.dup2(stderr, stdout)
        pipe = cls(source, sink)
        threading.Thread(target=pipe._listen, name="requests", daemon=True).start()
        return pipe

    def requests(self) -> Iterator[Load | Generate | Prepare | Count]:
        """The requests in the order they came; never ends, because the process does."""
        while True:
            yield self._waiting.get()

    def send(self, event: Event) -> None:
        try:
            self._sink.write(encode_event(event))
            self._sink.flush()
        except BrokenPipeError:
            os._exit(0)

    def cancelled(self, id_: int) -> bool:
        return id_ in self._cancelled

    def _listen(self) -> None:
        for line in self._source:
            match decode_request(line):
                case Cancel(id=id_):
                    self._cancelled.add(id_)
                case request:
                    self._waiting.put(request)
        os._exit(0)
