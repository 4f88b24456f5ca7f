"""Files that one service has and another may send along or add to, without either knowing the other."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable
from zoneinfo import ZoneInfo

from connectors.base import Call, Needs, Outcome, Question, failed

_NONE = failed(Needs.UNAVAILABLE, "The files service may not be used for that, so no file can go along.")
_NOWHERE = failed(
    Needs.UNAVAILABLE, "The files service may not be written to, so nothing can be saved there."
)


@dataclass(frozen=True, slots=True)
class Lent:
    """A file as it was looked at: `handle` says where it is, `digest` is the SHA-256 of its bytes in hex.

    `name`, the whole `path`, and `kind` in words ("a PDF document") are clean; `media` is its MIME type,
    `size` in bytes, `changed` the day of its last change; `warnings` are what to look at twice.
    """

    handle: str
    name: str
    path: str
    kind: str
    media: str
    size: int
    digest: str
    changed: str
    warnings: tuple[str, ...] = ()


class FileFinder(Protocol):
    """What finds files for another service, and gives their bytes."""

    def find(self, said: str, most: int, argument: str, zone: ZoneInfo) -> Lent | Question | Outcome:
        """The file that words, a path or a handle mean, if it has at most so many bytes.

        The options of a question give `argument` a handle. Looks only.
        """
        ...

    def read(self, lent: Lent) -> bytes | Outcome:
        """The very bytes that were looked at, or why there are none any more."""
        ...


@runtime_checkable
class Lends(Protocol):
    """A service with files that others may send along."""

    @property
    def lending(self) -> FileFinder: ...


@runtime_checkable
class Invites(Protocol):
    """A service that invitations to events come to."""

    @property
    def invitations(self) -> FileFinder: ...


class Lender:
    """The files service of now; where there is none, or it may not share, nothing is lent but `none` said."""

    def __init__(self, now: Callable[[], FileFinder | None] = lambda: None, none: Outcome = _NONE) -> None:
        self._now = now
        self._none = none

    def find(self, said: str, most: int, argument: str, zone: ZoneInfo) -> Lent | Question | Outcome:
        finder = self._now()
        return finder.find(said, most, argument, zone) if finder else self._none

    def read(self, lent: Lent) -> bytes | Outcome:
        finder = self._now()
        return finder.read(lent) if finder else self._none


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a new file would go: `handle` says where, `name` and the whole `path` are clean.

    `kind` says in words what its bytes are, `folders` are those that would be made for it, `warnings` what to
    look at twice.
    """

    handle: str
    name: str
    path: str
    kind: str
    folders: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class FileTaker(Protocol):
    """What takes new files from another service."""

    def spot(
        self, name: str, data: bytes, folder: str, argument: str, zone: ZoneInfo
    ) -> Spot | Question | Outcome:
        """A free place for a file that somebody else named, in the folder that words mean (empty: the usual).

        Of the name only what is fit for one is used. The options of a question give `argument` a handle.
        Looks only.
        """
        ...

    def take(self, spot: Spot, data: bytes, call: Call) -> Outcome:
        """Make the file for a call, where nothing is yet; its outcome has the call that takes it back."""
        ...


@runtime_checkable
class Takes(Protocol):
    """A service that takes new files."""

    @property
    def taking(self) -> FileTaker: ...


class Receiver:
    """The files service of now; where there is none, or it may not be written to, nothing is taken."""

    def __init__(self, now: Callable[[], FileTaker | None] = lambda: None) -> None:
        self._now = now

    def spot(
        self, name: str, data: bytes, folder: str, argument: str, zone: ZoneInfo
    ) -> Spot | Question | Outcome:
        taker = self._now()
        return taker.spot(name, data, folder, argument, zone) if taker else _NOWHERE

    def take(self, spot: Spot, data: bytes, call: Call) -> Outcome:
        taker = self._now()
        return taker.take(spot, data, call) if taker else _NOWHERE


@dataclass(frozen=True, slots=True)
class Exchange:
    """The files that may be sent along, and what takes new ones."""

    files: FileFinder = field(default_factory=Lender)
    taker: FileTaker = field(default_factory=Receiver)
