"""How an account is doing, and what keeps it in step beside the calls."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Report:
    """How an account is doing: when all of it was last known (None: not yet), and what is in the way."""

    known: datetime | None = None
    trouble: str = ""


class Watching(Protocol):
    """What keeps an account in step beside the calls."""

    @property
    def report(self) -> Report: ...

    def start(self) -> None: ...

    def close(self) -> None: ...

    def settle(self, seconds: float) -> Report:
        """Wait at most so long for word from the server."""
        ...
