"""A thread beside the calls that keeps one account in step, and what it last told."""

import threading
from abc import ABC, abstractmethod

from connectors.messaging.report import Report


class Watch(ABC):
    """One thread for one account; `run` goes on until `stopping` is set, and tells how it is doing."""

    def __init__(self, name: str) -> None:
        self.report = Report()
        self.stopping = threading.Event()
        self._told = threading.Event()
        self._thread = threading.Thread(target=self.run, name=name, daemon=True)

    @abstractmethod
    def run(self) -> None:
        """Keep the account in step."""

    def start(self) -> None:
        """Begin; more than once does nothing."""
        if not self._thread.ident:
            self._thread.start()

    def settle(self, seconds: float) -> Report:
        """Wait at most so long for word from the server."""
        self.start()
        self._told.wait(seconds)
        return self.report

    def tell(self, report: Report) -> None:
        """Say how the account is doing now."""
        self.report = report
        self._told.set()

    def ended(self, seconds: float) -> None:
        """Wait at most so long for the thread to end, if it was begun."""
        if self._thread.ident:
            self._thread.join(seconds)
