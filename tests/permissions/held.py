"""What tests of held sends share: a clock that nobody can set, and a bench that holds."""

import asyncio
import heapq
import itertools
from pathlib import Path

from permissions.gate import Gate, Patience
from permissions.holding import Released
from permissions.outbox import Outbox
from tests.permissions.fakes import Bench


class Steady:
    """A monotonic clock and its pauses; both move only when told."""

    def __init__(self) -> None:
        self.now = 500.0
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def __call__(self) -> float:
        return self.now

    async def pause(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, next(self._order), woken))
        await woken

    async def pass_(self, seconds: float) -> None:
        """Let time pass, and let all that wakes do what it wants to."""
        self.now += seconds
        while self._sleepers and self._sleepers[0][0] <= self.now:
            _, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():
                woken.set_result(None)
        await ripples()

    async def startle(self) -> None:
        """Wake every sleeper although its time has not come."""
        sleepers, self._sleepers = self._sleepers, []
        for _, _, woken in sleepers:
            if not woken.done():
                woken.set_result(None)
        await ripples()


class Instantly:
    """A clock on which every pause is over at once, and none was too short."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def pause(self, seconds: float) -> None:
        self.now += seconds


async def ripples() -> None:
    """Let everything that is ready to run do so."""
    for _ in range(20):
        await asyncio.sleep(0)


class HoldingBench(Bench):
    """A bench whose gate holds sends for 30 seconds on a steady clock; `released` are those that ended."""

    def __init__(self, folder: Path, hold: float = 30) -> None:
        super().__init__(folder)
        self.steady = Steady()
        self.released: list[Released] = []
        self.hold_for(hold, Outbox(self.steady, self.steady.pause))

    def hold_for(self, seconds: float, outbox: Outbox) -> None:
        patience = Patience(look=0.05, read=0.05, effect=0.05, hold=seconds)
        self.gate = Gate([self.service], self.journal, self.grants, self.clock, self.policy, patience, outbox)
        self.gate.outbox.watchers.append(self._heard)

    def _heard(self, released: Released | None) -> None:
        if released is not None:
            self.released.append(released)
