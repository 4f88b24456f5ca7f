"""What a place that keeps calendars has to offer, and the words for what it keeps."""

import hashlib
import os
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Protocol

from connectors.clean import clean_bytes, shorten
from connectors.stores import Moved, StoreError, Uncertain, Unreadable

__all__ = [
    "LONGEST_NAME",
    "SUFFIX",
    "Collection",
    "Moved",
    "Place",
    "Stamp",
    "Store",
    "StoreError",
    "Uncertain",
    "Unreadable",
    "digest",
]

SUFFIX = ".ics"
LONGEST_NAME = 60

# What tells one version of an item from another without reading it.
Stamp = Hashable


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where an item is kept: the calendar's name and the item's, each one part of a path."""

    collection: str
    name: str

    def __str__(self) -> str:
        names = (clean_bytes(os.fsencode(part)) for part in (self.collection, self.name))
        return "/".join(shorten(name, LONGEST_NAME) for name in names)


@dataclass(frozen=True, slots=True)
class Collection:
    """One calendar: its name, and its displayed name (clean, one line).

    `schedules` says that its server mails the people invited by itself, in the name of `me`; `invites` that
    it may be asked to invite more.
    """

    name: str
    displayname: str
    read_only: bool = False
    events: bool = True
    tasks: bool = True
    schedules: bool = False
    invites: bool = True
    me: str = ""


class Store(Protocol):
    """A keeper of calendars. Every method may raise StoreError; items are iCalendar files of one UID each."""

    def refresh(self, *, at_once: bool = False) -> tuple[str, ...]:
        """Look again at what is kept, with `at_once` even if that was just done.

        The sentences returned say what could not be looked at.
        """
        ...

    def outdated(self, collection: str) -> StoreError | None:
        """Why what is known of a calendar may be old; None where it was just looked at."""
        ...

    def collections(self) -> tuple[Collection, ...]: ...

    def items(self, collection: str) -> Iterable[tuple[Place, Stamp]]:
        """The items of one calendar; a stamp is another whenever an item's bytes are."""
        ...

    def version(self, collection: str) -> Stamp | None:
        """What is another whenever anything in a calendar is; None where each item has to be looked at."""
        ...

    def read(self, place: Place) -> bytes | None:
        """The bytes of an item, None where there is none."""
        ...

    def put(self, place: Place, data: bytes | None, expected: bytes | None) -> bytes | None:
        """Replace an item by `data` (None: remove it) if it still is `expected` (None: there is none).

        Returns the bytes that are kept now, which a server may have put in its own way. Raises Moved where it
        is something else, Uncertain where no answer came, and OSError as the file system says.
        """
        ...

    def new_name(self, collection: str, uid: str) -> str:
        """The name for a new item of this UID."""
        ...

    def make_collection(self, name: str, displayname: str) -> None:
        """Make a calendar; one that is there is left as it is."""
        ...

    def remove_collection(self, name: str, displayname: str) -> None:
        """Remove a calendar that holds nothing but the displayed name it was made with; else leave it."""
        ...

    def notices(self) -> tuple[str, ...]:
        """What a person should know of this store although nobody asked."""
        ...


def digest(data: bytes | None) -> str:
    """The version of an item: the sha256 of its bytes, or empty for none."""
    return "" if data is None else hashlib.sha256(data).hexdigest()
