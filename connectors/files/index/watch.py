"""Being told of changes to the folders as they happen, as far as the system allows it."""

import logging
import os
import stat
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from connectors.files.disk.versions import identity
from connectors.files.places import Place, Root

# Opening, reading and attributes are left out: the index opens files itself and would hear its own steps.
# Where the end of writing is told, each write need not be: a log file would never leave the index in peace.
_KINDS: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileMovedEvent,
    FileClosedEvent if sys.platform == "linux" else FileModifiedEvent,
]

# With no handler at all, Python would print the library's remarks over the screen.
logging.getLogger("watchdog").addHandler(logging.NullHandler())


class _Handler(FileSystemEventHandler):
    """Passes on which place an event is about. An exception here would end the observer's thread for good."""

    def __init__(self, root: Root, real: bytes, changed: Callable[[Place], None]) -> None:
        self._root = root
        self._start = real.rstrip(b"/") + b"/"
        self._changed = changed

    def on_any_event(self, event: FileSystemEvent) -> None:
        with suppress(Exception):
            for path in (event.src_path, event.dest_path):
                raw = os.fsencode(path)
                if raw.startswith(self._start) and b"/." not in raw[len(self._start) - 1 :]:
                    self._changed(Place(self._root, raw[len(self._start) :]))


class Watch:
    """Watches the folders until stopped."""

    def __init__(self, roots: Sequence[Root], changed: Callable[[Place], None]) -> None:
        self._roots = roots
        self._changed = changed
        self._observer: BaseObserver | None = None
        self._watched: dict[Root, tuple[str, str]] = {}

    def restart(self) -> None:
        """Begin anew, which takes a while in large folders; past inotify's limits nothing is watched."""
        self.stop()
        # A folder moved away and back makes watchdog warn of a thing that is harmless; a terminal program's
        # screen is no place for that.
        warnings.filterwarnings("ignore", message="Callback with id", category=RuntimeWarning)
        observer = Observer()
        try:
            for root in self._roots:
                if seen := _identity(root):
                    path = os.fsdecode(root.real)
                    handler = _Handler(root, root.real, self._changed)
                    observer.schedule(handler, path, recursive=True, event_filter=_KINDS)
                    self._watched[root] = (path, seen)
            observer.start()
        except (OSError, RuntimeError):
            with suppress(RuntimeError):
                observer.stop()
            return
        self._observer = observer

    @property
    def works(self) -> bool:
        """Whether every folder that is there is listened to.

        An observer stays alive when the thread that listens to a folder has died with it, and a folder put in
        the place of another is not the one that is listened to.
        """
        observer = self._observer
        if observer is None or not observer.is_alive():
            return False
        alive = {emitter.watch.path for emitter in observer.emitters if emitter.is_alive()}
        heard = {(root, seen) for root, (path, seen) in self._watched.items() if path in alive}
        return {(root, seen) for root in self._roots if (seen := _identity(root))} <= heard

    def stop(self) -> None:
        observer, self._observer = self._observer, None
        self._watched = {}
        if observer is not None:
            observer.stop()
            observer.join()


def _identity(root: Root) -> str:
    """Which folder it is that is there now, or nothing."""
    try:
        status = os.stat(root.path)
    except OSError:
        return ""
    return identity(status) if stat.S_ISDIR(status.st_mode) else ""
