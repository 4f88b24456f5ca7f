"""Files that one service has and another may send along, without either knowing the other."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from zoneinfo import ZoneInfo

from connectors.base import Needs, Outcome, Question, failed

_NONE = failed(Needs.UNAVAILABLE, "The files service may not be used for that, so no file can go along.")


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


class Lender:
    """The files service of now; where there is none, or it may not share, nothing is lent."""

    def __init__(self, now: Callable[[], FileFinder | None] = lambda: None) -> None:
        self._now = now

    def find(self, said: str, most: int, argument: str, zone: ZoneInfo) -> Lent | Question | Outcome:
        finder = self._now()
        return finder.find(said, most, argument, zone) if finder else _NONE

    def read(self, lent: Lent) -> bytes | Outcome:
        finder = self._now()
        return finder.read(lent) if finder else _NONE
