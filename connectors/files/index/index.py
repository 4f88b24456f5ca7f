"""The index as the rest of the files service sees it: answers while it is sound, and says when it is not."""

import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from connectors.files.disk.jail import Jail
from connectors.files.index.lookup import Hits, Lookup
from connectors.files.index.watch import Watch
from connectors.files.index.worker import Job, Worker
from connectors.files.places import Place, Places

Answer = TypeVar("Answer")

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_SETTLE_SECONDS = 0.5
_RESCAN_WATCHED = 600.0
# Where changes are not heard of, an answer may be this old; the system's limits are tried again now and then.
_RESCAN_UNWATCHED = 1.0
_TRY_TO_WATCH = 15.0


class Index:
    """Names and texts of all files, in a cache folder; started once, and stopped at the end.

    With `wanted` false it is never built. `clock` gives seconds for deciding when the folders are gone
    through again, should a change have been missed.
    """

    def __init__(
        self,
        cache: Path,
        places: Places,
        jail: Jail,
        *,
        text_limit: int,
        wanted: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._roots = places.roots
        self._clock = clock
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._watch = Watch(self._roots, self._heard, again=self._tend, spare=cache)
        self._heard_of: set[Place] = set()
        self._worker = Worker(cache, self._roots, jail, text_limit, self._jobs, self._heard_of.discard)
        self._lookup = Lookup(cache, self._roots)
        self._built = threading.Event()
        self._started = False
        self._looked = 0.0
        self._tried = 0.0
        self._current = threading.Event()
        self._current.set()
        self._wanted = wanted
        self._lost = "" if wanted else "it is switched off"

    def start(self) -> None:
        """Begin to build and to follow changes, in the background. Asking again does nothing."""
        if self._wanted and not self._started:
            self._started = True
            self._look_through(self._clock())
            self._jobs.put(self._built)
            self._worker.start()

    def stop(self) -> None:
        if self._started:
            self._worker.stop()
            self._watch.stop()

    @property
    def complete(self) -> bool:
        """Whether every folder has been gone through, so that what is not found is not there."""
        return self._built.is_set() and not self.trouble

    @property
    def trouble(self) -> str:
        """Why there is no index, or nothing."""
        return self._worker.trouble or self._lost

    @property
    def watched(self) -> bool:
        """Whether changes are heard of as they happen."""
        return self._watch.works

    @property
    def unheard(self) -> str:
        """Why changes are not heard of as they happen, or nothing where they are or that is not known."""
        return "" if self.watched else self._watch.trouble

    @property
    def behind(self) -> bool:
        """Whether changes may be missing from the last answer, as they were still being looked at."""
        return not self._current.is_set()

    def unreadable(self) -> tuple[Place, ...]:
        """The folders that could not be gone through."""
        return tuple(self._worker.unreadable)

    def touched(self, *places: Place) -> None:
        """Something was changed at these places: look there again."""
        if self._started and not self.trouble:
            for place in places:
                self._heard(place)

    @property
    def sure(self) -> bool:
        """Whether what is not in the index is not there: all is in it, and changes are heard of."""
        return self.complete and self.watched

    def named(
        self, folded: str, stem: str, words: tuple[str, ...], around: tuple[str, ...] = ()
    ) -> tuple[Place, ...] | None:
        """All places that might be meant by a name, or None when it cannot be told from an index."""
        self._freshen()
        question = partial(self._lookup.named, folded, stem, words, around)
        return self._ask(question) if self.complete else None

    def along(self, words: tuple[str, ...]) -> tuple[Place, ...] | None:
        """All places with these words in their path, or None when it cannot be told from an index."""
        self._freshen()
        return self._ask(partial(self._lookup.along, words)) if self.complete else None

    def search(self, text: str, within: Place | None, limit: int) -> Hits | None:
        """What is known so far to hold these words, or None when it cannot be told from an index."""
        self._freshen()
        return self._ask(lambda: self._lookup.search(text, within, limit)) if self._started else None

    def _ask(self, question: Callable[[], Answer]) -> Answer | None:
        try:
            return question() if not self.trouble else None
        except sqlite3.Error as error:
            # While it is being built, or busy, another time may do; else the whole index has been lost.
            if self.complete and error.sqlite_errorcode not in _BUSY:
                self._lost = str(error)
            return None

    def _freshen(self) -> None:
        """Wait shortly for changes under way; now and then go through all again, in the background.

        Where changes are not heard of, going through all is the only way to know of them, and waited for.
        """
        if not self.complete:
            return
        works, now = self._watch.works, self._clock()
        old = now - self._looked > (_RESCAN_WATCHED if works else _RESCAN_UNWATCHED)
        if old and not works and self._current.is_set():
            self._look_through(now)
        if self._current.is_set():
            self._current = threading.Event()
            self._jobs.put(self._current)
        self._current.wait(_SETTLE_SECONDS)
        if old and works:
            self._look_through(now)

    def _look_through(self, now: float) -> None:
        self._looked = now
        if not self._watch.trouble or now - self._tried > _TRY_TO_WATCH:
            self._tried = now
            self._tend()
        for root in self._roots:
            self._jobs.put(root)

    def _heard(self, place: Place) -> None:
        """Look at a place once, however often something happened there before it is looked at."""
        if place not in self._heard_of:
            self._heard_of.add(place)
            self._jobs.put(place)

    def _tend(self) -> None:
        self._jobs.put(self._watch)
