"""Work that is done again and again beside the calls, quietly."""

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

_PARTING = 5.0


class Periodic:
    """Does `work` every so many seconds on a thread of its own, from the first time on; 0 does nothing."""

    def __init__(self, name: str, work: Callable[[], None], seconds: float) -> None:
        self._name = name
        self._work = work
        self._seconds = seconds
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin; more than once does nothing."""
        if self._thread is None and self._seconds > 0:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End; what is being done is waited for only a moment."""
        self._over.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_PARTING)

    def _run(self) -> None:
        while not self._over.wait(self._seconds):
            try:
                self._work()
            except Exception:  # The next time may go better, and nobody waits for this one.
                log.exception("%s could not be kept in step", self._name)
