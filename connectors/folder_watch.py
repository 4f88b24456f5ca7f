"""Watches folders of settings, so that a change holds as soon as it is saved."""

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

_SECONDS = 2.0
_QUIET = 0.2
_CHANGES = frozenset({"created", "modified", "moved", "deleted", "closed"})

log = logging.getLogger(__name__)


class FolderWatch:
    """Calls what belongs to a folder, on a thread of its own, soon after anything in it has changed.

    One system watch serves all the folders. Changes within `quiet` seconds are one: an editor that saves by
    renaming takes its file away for a moment.
    """

    def __init__(self, folders: Mapping[Path, Callable[[], None]], quiet: float = _QUIET) -> None:
        self._folders = {folder: _Handler(changed, quiet) for folder, changed in folders.items()}
        self._observer: BaseObserver | None = None

    def start(self) -> None:
        """Begin; where the system gives no word of changes, look again and again."""
        if self._observer is None:
            for folder in self._folders:
                with suppress(OSError):
                    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._observer = self._watching(Observer) or self._watching(_polling)

    def close(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
            self._observer = None
        for handler in self._folders.values():
            handler.end()

    def _watching(self, make: Callable[[], BaseObserver]) -> BaseObserver | None:
        try:
            observer = make()
        except OSError:  # No instance of inotify is left.
            return None
        try:
            for folder, handler in self._folders.items():
                observer.schedule(handler, str(folder))
            observer.start()
        except (
            OSError,
            RuntimeError,
        ):  # No more watches, or no thread, can be had: what was taken goes back.
            with suppress(OSError, RuntimeError):
                observer.stop()
            return None
        return observer


class _Handler(FileSystemEventHandler):
    """Gathers the changes of one folder."""

    def __init__(self, changed: Callable[[], None], quiet: float) -> None:
        self._changed = changed
        self._quiet = quiet
        self._lock = threading.Lock()
        self._due: threading.Timer | None = None

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type not in _CHANGES:
            return
        with self._lock:
            if self._due is None:
                self._due = threading.Timer(self._quiet, self._tell)
                self._due.daemon = True
                self._due.start()

    def end(self) -> None:
        with self._lock:
            if self._due is not None:
                self._due.cancel()

    def _tell(self) -> None:
        with self._lock:
            self._due = None
        try:
            self._changed()
        except Exception:  # An error here would end the watching of every folder, unseen.
            log.exception("a change of settings could not be dealt with")


def _polling() -> BaseObserver:
    return PollingObserver(timeout=_SECONDS)
