"""The one thread that writes the index: it builds it, and then follows what changes."""

import os
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from connectors.clean import clean_line
from connectors.files.disk.crawl import Entry, Kind, Listing, crawl, entry_of
from connectors.files.disk.jail import Jail
from connectors.files.disk.versions import read_up_to
from connectors.files.documents.extract import Unreadable, extract
from connectors.files.documents.kinds import kind_by
from connectors.files.errors import FilesError
from connectors.files.finding.words import searchable
from connectors.files.index.store import Store
from connectors.files.index.watch import Watch
from connectors.files.places import Place, Root
from connectors.files.text import decode

_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_SNIFF = 8192

Job = Place | Root | Watch | threading.Event | None
"""A place to look at, a folder to go through, a watch to tend, a mark that all before is done, the end."""


class Worker:
    """Keeps the index in step with the folders; what it cannot do it notes, and it never raises.

    `taken` is told of a place before it is looked at: what changes there from then on is another job.
    """

    def __init__(
        self,
        folder: Path,
        roots: Sequence[Root],
        jail: Jail,
        text_limit: int,
        jobs: "queue.SimpleQueue[Job]",
        taken: Callable[[Place], None],
    ) -> None:
        self._folder = folder
        self._roots = {root: root.real for root in roots}
        self._jail = jail
        self._limit = text_limit
        self._jobs = jobs
        self._taken = taken
        self._thread = threading.Thread(target=self._run, name="files-index", daemon=True)
        self._stopping = threading.Event()
        self.trouble = ""
        self.unreadable: dict[Place, str] = {}

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        try:
            store = Store(self._folder, self._limit)
            try:
                store.keep_only(set(self._roots.values()))
                while (job := self._jobs.get()) is not None and not self._stopping.is_set():
                    self._do(store, job)
                    if self._jobs.empty():
                        store.commit()
            finally:
                store.close()
        # The top of a thread: whatever it was, the folders can still be searched without an index.
        except Exception as error:
            self.trouble = clean_line(str(error), 200) or type(error).__name__

    def _do(self, store: Store, job: Place | Root | Watch | threading.Event) -> None:
        match job:
            case Root():
                self._look_through(store, Place(job))
            case Place():
                self._taken(job)
                self._look_at(store, job)
            case Watch():
                job.tend()
            case threading.Event():
                store.commit()
                job.set()

    def _look_through(self, store: Store, start: Place) -> None:
        real = self._roots[start.root]
        for listing in crawl(self._jail, start):
            if self._stopping.is_set():
                return
            if listing.trouble is not None:
                # A folder that the first write is to make is no trouble before.
                if not (start.root.make and listing.folder == Place(start.root)):
                    self.unreadable[listing.folder] = listing.trouble.text
                continue
            self.unreadable.pop(listing.folder, None)
            store.reconcile(real, listing, self._text_of)
        store.commit()

    def _look_at(self, store: Store, place: Place) -> None:
        """Bring one place up to date; what has gone is forgotten, but not a whole folder that is away."""
        real = self._roots[place.root]
        try:
            status = self._jail.status(place)
        except FilesError:
            if self._jail.find(Place(place.root)) is not None:
                store.remove(real, place)
            return
        if (entry := entry_of(place.name, status)).kind is Kind.FOLDER:
            self._look_through(store, place)
        if place.relative:
            with suppress(FilesError), self._jail.folder(place.parent) as descriptor:
                store.update(real, Listing(place.parent, (entry,), descriptor), self._text_of)

    def _text_of(self, entry: Entry, folder: int) -> str:
        """The searchable text of a file, or nothing for what is no text or cannot be read."""
        if entry.kind is not Kind.FILE or not entry.size or not self._limit:
            return ""
        try:
            descriptor = os.open(entry.name, _OPEN, dir_fd=folder)
        except OSError:
            return ""
        try:
            data = read_up_to(descriptor, min(self._limit, _SNIFF))
            if decode(data, cut=True) is None:
                return self._text_of_document(entry.name, data, descriptor)
            if len(data) == _SNIFF:
                data += read_up_to(descriptor, self._limit - _SNIFF)
        except OSError:
            return ""
        finally:
            os.close(descriptor)
        text = decode(data, cut=True)
        return searchable(text.text) if text else ""

    def _text_of_document(self, name: bytes, start: bytes, descriptor: int) -> str:
        kind = kind_by(name, start)
        if kind is None or not kind.readable:
            return ""
        try:
            return searchable(extract(descriptor, kind, self._limit))
        except Unreadable:
            return ""
