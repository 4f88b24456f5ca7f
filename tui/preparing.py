"""Makes the model ready once, in the background or when the first goal needs it."""

import asyncio

from tui.house import House
from tui.model_state import Progress


class Preparation:
    """Whoever comes first prepares, others wait; a failure is raised to each, and tried anew by the next."""

    def __init__(self, house: House, progress: Progress) -> None:
        self._house = house
        self._progress = progress
        self._lock = asyncio.Lock()

    async def ensure(self) -> None:
        """Return when the model is ready."""
        async with self._lock:
            if not self._house.model_state().ready:
                await self._house.prepare_model(self._progress)
