"""The plain line waits out what is held, counting the seconds; stopping it means that nothing goes out."""

import asyncio
import sys
from collections.abc import Callable
from math import ceil
from typing import Any

from permissions.holding import Released
from tui.home import Home

_TICK = 1.0


class WaitingOut:
    """Follows what is held in one turn, and keeps how each ended."""

    def __init__(self, home: Home, write: Callable[[str], object]) -> None:
        self._home = home
        self._write = write
        self.ended: list[Released] = []
        home.watch_held(self._heard)

    @property
    def well(self) -> bool:
        """False if something that was held did not go out."""
        return all(released.outcome is not None and released.outcome.ok for released in self.ended)

    async def wait(self) -> None:
        """Return when nothing is held any more; cancelled, it takes back all that has not gone out."""
        over = asyncio.ensure_future(self._home.settled())
        try:
            while not over.done():
                self._count()
                await asyncio.wait({over}, timeout=_TICK)
        except asyncio.CancelledError:
            self.take_back()
            raise
        finally:
            over.cancel()
            _line("")

    def take_back(self) -> None:
        """Nothing that still waits goes out."""
        for waiting in self._home.held():
            self._home.withdraw(waiting.id)

    def rows(self) -> list[dict[str, Any]]:
        """How each ended, for JSON."""
        return [
            {
                "title": released.held.title,
                "sent": released.outcome is not None and released.outcome.ok,
                "text": released.outcome.text if released.outcome else "Taken back, not sent.",
            }
            for released in self.ended
        ]

    def _heard(self, released: Released | None) -> None:
        if released is None:
            return
        self.ended.append(released)
        _line("")
        outcome, title = released.outcome, released.held.title
        if outcome is None:
            self._write(f"  – taken back, not sent: {title}")
        else:
            self._write(f"  ✓ {outcome.text}" if outcome.ok else f"  ✗ {title}: {outcome.text}")

    def _count(self) -> None:
        waiting = self._home.held()
        if not waiting:
            return
        seconds = ceil(waiting[0].left)
        more = f" and {len(waiting) - 1} more" if len(waiting) > 1 else ""
        _line(f"  ◷ {seconds // 60}:{seconds % 60:02}  {waiting[0].title}{more}  (Ctrl+C: not sent)")


def _line(text: str) -> None:
    """One line that is written over; silent where nobody looks."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
