"""What every kind of undoing gives: what it would do, and the doing."""

from collections.abc import Callable
from dataclasses import dataclass

from connectors.base import Call, Outcome, Preview
from connectors.files.desk import Desk
from connectors.files.places import Place
from connectors.files.records import Record


@dataclass(frozen=True, slots=True)
class Look:
    """What taking a deed back would do: the things touched, how it looks, and a digest of what was seen."""

    places: tuple[Place, ...]
    preview: Preview
    basis: str
    undo: str | None


@dataclass(frozen=True, slots=True)
class Reversal:
    """How one kind of deed is taken back; both raise Refused."""

    look: Callable[[Desk, Record], Look]
    act: Callable[[Desk, Record, Call], Outcome]
