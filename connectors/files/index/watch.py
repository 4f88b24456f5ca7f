"""Being told of changes to the folders as they happen, as far as the system allows it.

The system's watches are few and shared by all programs of an account: inotify(7) gives each account so many
instances and so many watched folders. watchdog passes silently over inner folders for which none was left,
and tells only its log of events that were lost, so that both are looked for here.
"""

import errno
import logging
import os
import queue
import stat
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

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

_HEARD_SECONDS = 2.0
_WHY = {
    errno.ENOSPC: "no more folders can be watched on this system (the limit is fs.inotify.max_user_watches)",
    errno.EMFILE: "other programs watch all that may be watched (the limit is fs.inotify.max_user_instances)",
}

_log = logging.getLogger("watchdog")
# With no handler at all, Python would print the library's remarks over the screen.
_log.addHandler(logging.NullHandler())


class _Handler(FileSystemEventHandler):
    """Passes on which place an event is about. An exception here would end the observer's thread for good."""

    def __init__(self, root: Root, changed: Callable[[Place], None], grown: Callable[[bytes], None]) -> None:
        self._root = root
        self._start = root.real.rstrip(b"/") + b"/"
        self._changed = changed
        self._grown = grown

    def on_any_event(self, event: FileSystemEvent) -> None:
        with suppress(Exception):
            for path in (event.src_path, event.dest_path):
                raw = os.fsencode(path)
                if raw.startswith(self._start) and b"/." not in raw[len(self._start) - 1 :]:
                    self._changed(Place(self._root, raw[len(self._start) :]))
            if event.is_directory and event.event_type != "deleted":
                self._grown(os.fsencode(event.dest_path or event.src_path))


class _Ear(FileSystemEventHandler):
    """Hears that anything at all is heard."""

    def __init__(self) -> None:
        self.heard = threading.Event()

    def on_any_event(self, event: FileSystemEvent) -> None:
        self.heard.set()


class _Remarks(logging.Handler):
    """Takes the library's warnings: that events were lost is told nowhere else."""

    def __init__(self, lost: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self._lost = lost

    def emit(self, record: logging.LogRecord) -> None:
        self._lost()


class Watch:
    """Watches the folders until stopped.

    `changed` is told the places of changes, and every folder where some may have been missed. `again` is
    called from any thread when `tend` should be, and not again before it was. `spare` is a folder of our own
    in which is tried whether changes are heard of.
    """

    def __init__(
        self,
        roots: Sequence[Root],
        changed: Callable[[Place], None],
        *,
        again: Callable[[], None],
        spare: Path,
    ) -> None:
        self._roots = roots
        self._changed = changed
        self._again = again
        self._spare = spare
        self._observer: BaseObserver | None = None
        self._watched: dict[Root, tuple[str, str]] = {}
        self._asked = threading.Event()
        self._missed = threading.Event()
        self._grown: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._remarks = _Remarks(self._lost)
        self.trouble = ""

    def tend(self) -> None:
        """Begin, or begin anew where it is needed, and make sure that changes are heard of.

        Takes a while in large folders. Past the system's limits nothing is watched, and `trouble` says why:
        hearing of some changes would pass for hearing of all, and other programs need their share.
        """
        self._asked.clear()
        if not self.works:
            self._restart()
        if (observer := self._observer) is not None and (why := self._deaf(observer)):
            self.stop()
            self.trouble = why
        if self._missed.is_set():
            self._missed.clear()
            for root in self._roots:
                self._changed(Place(root))

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
        _log.removeHandler(self._remarks)
        if observer is not None:
            observer.stop()
            observer.join()

    def _restart(self) -> None:
        self.stop()
        self.trouble = ""
        # A folder moved away and back makes watchdog warn of a thing that is harmless; a terminal program's
        # screen is no place for that.
        warnings.filterwarnings("ignore", message="Callback with id", category=RuntimeWarning)
        _log.addHandler(self._remarks)
        try:
            # One instance of inotify serves all the folders; where there is none, this is where it shows.
            observer = Observer()
        except OSError as error:
            self.trouble = _why(error)
            return
        try:
            for root in self._roots:
                if seen := _identity(root):
                    path = os.fsdecode(root.real)
                    handler = _Handler(root, self._changed, self._is_new)
                    observer.schedule(handler, path, recursive=True, event_filter=_KINDS)
                    self._watched[root] = (path, seen)
            observer.start()
        except (OSError, RuntimeError) as error:
            with suppress(OSError, RuntimeError):
                observer.stop()
            self.trouble = _why(error)
            return
        self._observer = observer

    def _deaf(self, observer: BaseObserver) -> str:
        """Why changes are not heard of, or nothing.

        One more folder is watched and changed. Where no watch is left for it, there may have been none for
        other folders before; where nothing is heard, the library's thread has died. The folders that have
        come are looked at meanwhile, as it may have been this watch that they lacked.
        """
        try:
            with tempfile.TemporaryDirectory(prefix="heard-", dir=self._spare) as folder:
                watch = observer.schedule(ear := _Ear(), folder)
                try:
                    os.mkdir(os.path.join(folder, "sound"))
                    if why := self._unwatched(observer):
                        return why
                    heard = ear.heard.wait(_HEARD_SECONDS)
                finally:
                    observer.unschedule(watch)
        except (OSError, RuntimeError, KeyError) as error:
            return _why(error)
        return "" if heard else "the system says nothing of them"

    def _unwatched(self, observer: BaseObserver) -> str:
        """Why a folder that has come since is not watched, or nothing.

        To watch a folder again takes nothing more where it is watched, and is refused where there is no room.
        """
        while not self._grown.empty():
            folder = os.fsdecode(self._grown.get())
            try:
                again = observer.schedule(
                    FileSystemEventHandler(), folder, recursive=True, event_filter=_KINDS
                )
                observer.unschedule(again)
            except (OSError, RuntimeError, KeyError) as error:
                if os.path.isdir(folder):
                    return _why(error)
        return ""

    def _is_new(self, folder: bytes) -> None:
        self._grown.put(folder)
        self._ask()

    def _lost(self) -> None:
        self._missed.set()
        self._ask()

    def _ask(self) -> None:
        if not self._asked.is_set():
            self._asked.set()
            self._again()


def _why(error: Exception) -> str:
    """The system's refusal in words that go on from "as"."""
    if isinstance(error, OSError):
        return _WHY.get(error.errno or 0) or f"the system does not tell of them ({error.strerror})"
    return "the system does not tell of them"


def _identity(root: Root) -> str:
    """Which folder it is that is there now, or nothing."""
    try:
        status = os.stat(root.path)
    except OSError:
        return ""
    return identity(status) if stat.S_ISDIR(status.st_mode) else ""
