"""What is in the calendars now: items are read again only when they change, parsed only when needed."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from connectors.calendar.expand import Occurrence, expand, simple
from connectors.calendar.moments import aware
from connectors.calendar.parse import Broken, Parsed, parse
from connectors.calendar.scan import Skim, skim
from connectors.calendar.store import Collection, Place, Stamp, Store, Unreadable, digest

_SECONDS_PER_FILE = 1.0
_SECONDS_IN_ALL = 20.0
_TOO_LONG = "it takes too long to work out"


@dataclass(frozen=True, slots=True)
class Entry:
    """One version of one file."""

    place: Place
    stamp: Stamp
    data: bytes
    version: str
    skim: Skim


@dataclass(frozen=True, slots=True)
class View:
    """The occurrences in a span, in order, and a line for each file that could not be read in full."""

    occurrences: tuple[Occurrence, ...]
    problems: tuple[str, ...]


def anything(entry: Entry) -> bool:
    """Take every file."""
    return True


class Index:
    """The calendars in memory. Not safe for use by two threads at once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: dict[Place, Entry] = {}
        self._parsed: dict[Place, tuple[str, Parsed | Broken]] = {}
        self._unreadable: tuple[str, ...] = ()
        # For stores that tell whether anything changed: which version of a calendar is known, and as what.
        self._versions: dict[str, Stamp] = {}
        self._by_collection: dict[str, dict[Place, Entry]] = {}
        self.collections: tuple[Collection, ...] = ()
        # What could not be brought up to date when it was last tried.
        self.outdated: tuple[str, ...] = ()

    def refresh(self, *, at_once: bool = False) -> None:
        """Have the calendars brought up to date and look at them. Raises StoreError where all of it fails."""
        self.look(self._store.refresh(at_once=at_once))

    def look(self, said: Iterable[str] = ()) -> None:
        """Look at the calendars as they are known, without asking any server.

        `said` is what is known to be out of date. Raises StoreError where the whole of them cannot be read.
        """
        self.outdated = tuple(said)
        unreadable = list(said)
        self.collections = self._store.collections()
        entries: dict[Place, Entry] = {}
        versions: dict[str, Stamp] = {}
        for collection in self.collections:
            try:
                version = self._store.version(collection.name)
                if version is not None and self._versions.get(collection.name) == version:
                    entries |= self._by_collection[collection.name]
                    versions[collection.name] = version
                    continue
                found, failed = self._read(collection.name)
            except Unreadable as error:
                unreadable.append(str(error))
                continue
            entries |= found
            unreadable += failed
            if version is not None and not failed:
                versions[collection.name] = version
                self._by_collection[collection.name] = found
        self._entries, self._versions = entries, versions
        self._by_collection = {name: self._by_collection[name] for name in versions}
        self._parsed = {place: kept for place, kept in self._parsed.items() if place in entries}
        self._unreadable = tuple(unreadable)

    def _read(self, collection: str) -> tuple[dict[Place, Entry], list[str]]:
        """The items of one calendar, and a sentence for each that cannot be opened. Raises Unreadable."""
        entries: dict[Place, Entry] = {}
        failed: list[str] = []
        for place, stamp in self._store.items(collection):
            try:
                if entry := self._entry(place, stamp):
                    entries[place] = entry
            except Unreadable as error:
                failed.append(str(error))
        return entries, failed

    @property
    def entries(self) -> Iterable[Entry]:
        return self._entries.values()

    @property
    def unreadable(self) -> tuple[str, ...]:
        """A sentence for each folder or file that could not be opened."""
        return self._unreadable

    def get(self, place: Place) -> Entry | None:
        return self._entries.get(place)

    def displayname(self, collection: str) -> str:
        """What a calendar is called (clean)."""
        return next((each.displayname for each in self.collections if each.name == collection), collection)

    def parsed(self, entry: Entry) -> Parsed:
        """What a file holds. Raises Broken."""
        version, found = self._parsed.get(entry.place, ("", Broken()))
        if version != entry.version:
            try:
                found = parse(entry.data)
            except Broken as error:
                found = error
            self._parsed[entry.place] = (entry.version, found)
        if isinstance(found, Broken):
            raise found
        return found

    def between(
        self,
        start: datetime,
        end: datetime,
        zone: ZoneInfo,
        take: Callable[[Entry], bool] = anything,
    ) -> View:
        """The occurrences that overlap a span of exact times, in the files that `take` accepts."""
        first, last = start.date(), end.date()
        found: list[Occurrence] = []
        problems = list(self._unreadable)
        spent = 0.0
        for entry in self._entries.values():
            if not entry.skim.events or not entry.skim.may_touch(first, last) or not take(entry):
                continue
            if spent > _SECONDS_IN_ALL:
                problems.append(f"{entry.place} was not looked at: the calendar takes too long to work out.")
                continue
            occurrences, wrong, seconds = self._expand(entry, start, end)
            spent += seconds
            found += occurrences
            problems += [f"{entry.place}: {reason}." for reason in wrong]
        found.sort(key=lambda each: (aware(each.start, zone), aware(each.end, zone), each.title, each.place))
        return View(tuple(found), tuple(problems))

    def doubtful(self) -> tuple[str, ...]:
        """A line for each file that is plainly not well-formed or cannot be opened."""
        problems = list(self._unreadable)
        for entry in self._entries.values():
            if entry.skim.sound:
                continue
            try:
                wrong: Iterable[str] = self.parsed(entry).problems
            except Broken as error:
                wrong = (str(error),)
            problems += [f"{entry.place}: {reason}." for reason in wrong]
        return tuple(problems)

    def _entry(self, place: Place, stamp: Stamp) -> Entry | None:
        known = self._entries.get(place)
        if known is not None and known.stamp == stamp:
            return known
        data = self._store.read(place)
        return None if data is None else Entry(place, stamp, data, digest(data), skim(data))

    def _expand(
        self, entry: Entry, start: datetime, end: datetime
    ) -> tuple[list[Occurrence], list[str], float]:
        """The occurrences in a file, what is wrong with it, and the seconds of work that they took."""
        try:
            parsed = self.parsed(entry)
        except Broken as error:
            return [], [str(error)], 0.0
        if simple(parsed):
            # To ask for the time takes longer than this.
            return (*expand(entry.place, parsed, start, end), 0.0)
        begun = time.thread_time()
        result = expand(entry.place, parsed, start, end)
        took = time.thread_time() - begun
        if took > _SECONDS_PER_FILE:
            self._parsed[entry.place] = (entry.version, Broken(_TOO_LONG))
            return [], [_TOO_LONG], took
        return (*result, took)
