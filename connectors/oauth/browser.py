"""What opens a page in this machine's browser."""

from typing import Protocol


class Browser(Protocol):
    def __call__(self, url: str) -> bool:
        """Open a page; False if there is no browser."""
        ...
