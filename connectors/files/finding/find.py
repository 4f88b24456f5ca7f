"""Which file or folder is meant by what a person called it; where several fit, the person is asked."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol
from zoneinfo import ZoneInfo

from connectors.base import Needs, Option, Question
from connectors.clean import clean_line
from connectors.files import show
from connectors.files.disk.crawl import ANY, Entry, Kind, crawl, kind_of
from connectors.files.disk.jail import Jail
from connectors.files.errors import Refused, Unsettled
from connectors.files.finding.matching import (
    Fit,
    Wanted,
    fit,
    fits_path,
    lies_around,
    lies_in,
    placed,
    plainer,
    wanted,
)
from connectors.files.finding.words import stem, suffix, tokens
from connectors.files.places import SCHEME, Place, Places

FILES = frozenset({Kind.FILE, Kind.LINK, Kind.OTHER})
FOLDERS = frozenset({Kind.FOLDER})
MOST_OPTIONS = 20


class Names(Protocol):
    """What knows names without walking; `sure` says that what it does not find is not there."""

    @property
    def sure(self) -> bool: ...

    def named(
        self, folded: str, stem: str, words: tuple[str, ...], around: tuple[str, ...] = ()
    ) -> tuple[Place, ...] | None:
        """All places that might be meant, in folders with the words `around`, or None when it cannot tell."""
        ...

    def along(self, words: tuple[str, ...]) -> tuple[Place, ...] | None:
        """All places with these words in their path, the root's name apart, or None when it cannot tell."""
        ...


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a walk through the folders goes before it gives up."""

    entries: int = 200_000
    seconds: float = 2.0


@dataclass(frozen=True, slots=True)
class Found:
    """The places that fit best, nearest first; `fit` is None where nothing does."""

    places: tuple[Place, ...] = ()
    fit: Fit | None = None


class Walk:
    """A bounded walk through folders; `cut` tells afterwards that there was more."""

    def __init__(
        self, jail: Jail, starts: Iterable[Place], bounds: Bounds, clock: Callable[[], float]
    ) -> None:
        self._jail = jail
        self._starts = starts
        self._bounds = bounds
        self._clock = clock
        self.cut = False
        self.seen = 0

    def __iter__(self) -> Iterator[tuple[Place, Entry]]:
        deadline = self._clock() + self._bounds.seconds
        for start in self._starts:
            for listing in crawl(self._jail, start):
                for entry in listing.entries:
                    if self.seen >= self._bounds.entries or self._clock() > deadline:
                        self.cut = True
                        return
                    self.seen += 1
                    yield listing.folder.child(entry.name), entry


class Finder:
    """Finds what was called somehow, the surest way first.

    By handle, exact path, name, name without its suffix, words of the name; by one of these in a folder said
    after it; by words of the path.
    """

    def __init__(
        self,
        places: Places,
        jail: Jail,
        names: Names,
        bounds: Bounds,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._places = places
        self._jail = jail
        self._names = names
        self._bounds = bounds
        self._clock = clock

    def walk(self, start: Place | None = None) -> Walk:
        """A walk from a folder, or through all of them."""
        starts = [start] if start else [Place(root) for root in self._places.roots]
        return Walk(self._jail, starts, self._bounds, self._clock)

    def find(self, expression: str, kinds: frozenset[Kind] = ANY) -> Found:
        """All that fits best. Raises Refused for a path that is malformed or leads outside."""
        return self._find(expression, kinds, _Once(self.walk()))

    def _find(self, expression: str, kinds: frozenset[Kind], walked: "_Once") -> Found:
        for said in dict.fromkeys((expression, plainer(expression))):
            if (found := self._meant(said, kinds, walked)).places:
                return found
        if expression.startswith((SCHEME, "/", "~")):
            return Found()
        if (inside := placed(expression)) and (found := self._called(inside, kinds, walked)).places:
            return found
        return self._along(tokens(plainer(expression)), kinds, walked)

    def _meant(self, said: str, kinds: frozenset[Kind], walked: "_Once") -> Found:
        there = tuple(place for place in self._places.readings(said) if self._is(place, kinds))
        if said.startswith(("/", "~")) or (there and said.startswith(SCHEME)):
            return Found(there, Fit.EXACT if there else None)
        roots = tuple(place for place in there if not place.relative)
        if roots or (there and "/" in said.strip("/")):
            return Found(roots or there, Fit.EXACT)
        return self._called(wanted(said.removeprefix(SCHEME)), kinds, walked)

    def one(self, expression: str, kinds: frozenset[Kind], argument: str, zone: ZoneInfo) -> Place:
        """The only place that fits. Raises Unsettled when several do, Refused when none does."""
        walked = _Once(self.walk())
        found = self._find(expression, kinds, walked)
        if len(found.places) == 1:
            return found.places[0]
        shown = clean_line(expression, 200)
        if found.places:
            raise Unsettled(self.question(f"Which “{shown}” do you mean?", found.places, argument, zone))
        raise self._nothing(expression, kinds, argument, zone, walked)

    def question(self, text: str, places: tuple[Place, ...], argument: str, zone: ZoneInfo) -> Question:
        """Ask which of these places is meant."""
        options = []
        for place in places[:MOST_OPTIONS]:
            if (status := self._jail.find(place)) is not None:
                options.append(
                    Option(place.shown, {argument: place.handle}, show.describe(place, status, zone))
                )
        if len(places) > MOST_OPTIONS:
            text += f" These are {MOST_OPTIONS} of {len(places)}; a longer name finds fewer."
        return Question(text, tuple(options), argument)

    def _nothing(
        self, expression: str, kinds: frozenset[Kind], argument: str, zone: ZoneInfo, walked: "_Once"
    ) -> Exception:
        shown = clean_line(expression, 200)
        if kinds != ANY and (other := self._find(expression, ANY - kinds, walked)).fit == Fit.EXACT:
            what = "a folder" if kinds == FILES else "not a folder"
            return Refused(Needs.INVALID, f"“{other.places[0].shown}” is {what}.")
        exact = expression.startswith((SCHEME, "/", "~"))
        if suffix(expression) and not exact and (near := self._find(stem(expression), kinds, walked)).places:
            text = f"There is no “{shown}”. Do you mean one of these?"
            return Unsettled(self.question(text, near.places, argument, zone))
        if away := self._jail.away(self._places.roots):
            return Refused(Needs.UNAVAILABLE, f"“{shown}” was not found, but not all is there. {away[0]}")
        names = ", ".join(self._places.names)
        noun = "folder" if kinds == FOLDERS else "file"
        more = " Not everything could be looked through." if walked.cut else ""
        return Refused(Needs.NOT_FOUND, f"There is no {noun} called “{shown}” in {names}.{more}")

    def _called(self, wanted: Wanted, kinds: frozenset[Kind], walked: "_Once") -> Found:
        if not wanted.name:
            return Found()
        around = self._below_roots(word for folder in wanted.around for word in folder)
        known = self._names.named(wanted.folded, wanted.stem, wanted.words, around)
        return self._best(wanted, self._candidates(known, kinds, walked))

    def _best(self, wanted: Wanted, places: list[Place]) -> Found:
        fits = {
            place: fit(wanted, place.name)
            for place in places
            if lies_in(wanted.folders, place.folders) and lies_around(wanted.around, place.folders)
        }
        best = min((one for one in fits.values() if one is not None), default=None)
        if best is None:
            return Found()
        fitting = [place for place, one in fits.items() if one == best]
        return Found(_nearest_first(fitting), best)

    def _along(self, words: tuple[str, ...], kinds: frozenset[Kind], walked: "_Once") -> Found:
        """What has all the words in its path; of two that lie in one another only the outer one."""
        below = self._below_roots(words)
        if len(words) < 2 or not below:
            return Found()
        candidates = self._candidates(self._names.along(below), kinds, walked)
        found = {place for place in candidates if fits_path(words, (*place.folders, place.name))}
        outer = [place for place in found if not any(place.is_within(one) for one in found - {place})]
        return Found(_nearest_first(outer), Fit.PATH) if outer else Found()

    def _candidates(
        self, known: tuple[Place, ...] | None, kinds: frozenset[Kind], walked: "_Once"
    ) -> list[Place]:
        places = [place for place in known or () if self._is(place, kinds)]
        if known is None or not self._names.sure:
            places += [place for place, entry in walked.all() if entry.kind in kinds]
        return list(dict.fromkeys(places))

    def _below_roots(self, words: Iterable[str]) -> tuple[str, ...]:
        """The words that do not stand in a root's name, which is no part of the paths that are known."""
        roots = {word for root in self._places.roots for word in tokens(root.name)}
        return tuple(word for word in words if word not in roots)

    def _is(self, place: Place, kinds: frozenset[Kind]) -> bool:
        status = self._jail.find(place)
        return status is not None and kind_of(status) in kinds


def _nearest_first(places: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(sorted(places, key=lambda place: (len(place.parts), place.shown)))


class _Once:
    """A walk that is gone only when it is needed, and once, however many questions it answers."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._found: list[tuple[Place, Entry]] | None = None

    def all(self) -> list[tuple[Place, Entry]]:
        if self._found is None:
            self._found = list(self._walk)
        return self._found

    @property
    def cut(self) -> bool:
        return self._walk.cut
