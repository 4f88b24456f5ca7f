"""A thread that does one account's requests, one after the other, and never keeps the program from ending."""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """A thread of its own, begun with the first piece of work."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._work: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self._begun = threading.Lock()
        self._thread: threading.Thread | None = None

    def begin(self, work: Callable[[], T]) -> Future[T]:
        """Have a piece of work done; what comes of it is in the future."""
        future: Future[T] = Future()
        self._work.put((future, work))
        with self._begun:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
        return future

    def end(self) -> None:
        """Let the thread end once all work is done."""
        self._work.put(None)

    def _run(self) -> None:
        while (given := self._work.get()) is not None:
            future, work = given
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            # Whatever went wrong belongs to whoever waits for the future.
            except BaseException as error:
                future.set_exception(error)
