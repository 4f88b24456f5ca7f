"""Watches the folder of rules, so that a change holds as soon as it is saved."""

from collections.abc import Callable
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

_CHANGES = frozenset({"created", "modified", "moved", "deleted", "closed"})


class RuleWatch(FileSystemEventHandler):
    """Calls `changed` on a thread of its own after anything in the folder has changed."""

    def __init__(self, folder: Path, changed: Callable[[], None]) -> None:
        self._folder = folder
        self._changed = changed
        self._observer: BaseObserver | None = None

    def start(self) -> None:
        """Begin; where watching is impossible, rules are read at the start only."""
        if self._observer is not None:
            return
        observer = Observer()
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            observer.schedule(self, str(self._folder))
            observer.start()
        except OSError:
            return
        self._observer = observer

    def close(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
            self._observer = None

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in _CHANGES:
            self._changed()
