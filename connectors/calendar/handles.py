"""The short names by which events and tasks are picked: `event:home/3f9a1c2e@20261203T140000Z`."""

import os
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

from connectors.calendar.moments import Moment, from_key, key
from connectors.calendar.store import SUFFIX, Place

EVENT = "event"
TASK = "task"


@dataclass(frozen=True, slots=True)
class Handle:
    """An item and, of a series, the RECURRENCE-ID of one occurrence."""

    kind: str
    place: Place
    recurrence: Moment | None = None

    def __str__(self) -> str:
        spelled = f"{self.kind}:{spell(self.place)}"
        return spelled if self.recurrence is None else f"{spelled}@{key(self.recurrence)}"


def read_handle(text: str) -> Handle | None:
    """The handle that a text is, or None if it is none."""
    kind, colon, rest = text.strip().partition(":")
    spelled, at, occurrence = rest.partition("@")
    place = read_place(spelled)
    recurrence = from_key(occurrence) if at else None
    if not colon or kind not in (EVENT, TASK) or place is None or (at and recurrence is None):
        return None
    return Handle(kind, place, recurrence)


def spell(place: Place) -> str:
    """A place in plain ASCII, whatever bytes its names hold."""
    return f"{_spelled(place.collection)}/{_spelled(place.name.removesuffix(SUFFIX))}"


def read_place(spelled: str) -> Place | None:
    """The place that `spell` wrote, or None for anything that is not one file in one calendar."""
    collection, slash, item = spelled.partition("/")
    names = [os.fsdecode(unquote_to_bytes(part)) for part in (collection, item)]
    if not slash or any(not name or name.startswith(".") or "/" in name or "\0" in name for name in names):
        return None
    return Place(names[0], names[1] + SUFFIX)


def _spelled(name: str) -> str:
    return quote(os.fsencode(name), safe="")
