"""Watches the folder of rules, so that a change holds as soon as it is saved."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

_SECONDS = 2.0
_CHANGES = frozenset({"created", "modified", "moved", "deleted", "closed"})


class RuleWatch(FileSystemEventHandler):
    """Calls `changed` on a thread of its own after anything in the folder has changed."""

    def __init__(self, folder: Path, changed: Callable[[], None]) -> None:
        self._folder = folder
        self._changed = changed
        self._observer: BaseObserver | None = None

    def start(self) -> None:
        """Begin; where the system gives no word of changes, look again and again."""
        if self._observer is None:
            with suppress(OSError):
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._observer = self._watching(Observer) or self._watching(_polling)

    def _watching(self, make: Callable[[], BaseObserver]) -> BaseObserver | None:
        try:
            observer = make()
            observer.schedule(self, str(self._folder))
            observer.start()
        except (OSError, RuntimeError):  # No more watches, or no thread, can be had.
            return None
        return observer

    def close(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
            self._observer = None

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in _CHANGES:
            self._changed()


def _polling() -> BaseObserver:
    return PollingObserver(timeout=_SECONDS)
