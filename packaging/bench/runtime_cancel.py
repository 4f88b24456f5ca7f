"""How long the model's process takes to stop, while it reads and while it answers."""

import asyncio
import random
import statistics
import time

from assistant.model.host.engine import spare_threads
from assistant.model.host.process import Process
from assistant.model.spec import ModelSpec
from assistant.model.wire import Cancel, Ended, Generate, Load, Opened, Ready, Said, Sampling

_SEED = 3
# More than can be answered while it is waited for.
_MANY = 4000


class Stopping:
    """One model whose answers are stopped at moments drawn by chance."""

    def __init__(self, process: Process, prompt: str) -> None:
        self._process = process
        self._prompt = prompt
        self._chance = random.Random(_SEED)
        self._count = 0

    @classmethod
    async def load(cls, spec: ModelSpec, prompt: str) -> "Stopping":
        process = await Process.start()
        process.send(Load(str(spec.path), None, spec.context, spare_threads()))
        while not isinstance(await process.receive(), Ready):
            pass
        return cls(process, prompt)

    async def reading(self, times: int) -> list[float]:
        """Seconds from a cancel within the prompt to the end of the answer."""
        return [await self._stop(f"{number} {self._prompt}", 2.0, Opened) for number in range(times)]

    async def answering(self, times: int) -> list[float]:
        """Seconds from a cancel within the answer to its end."""
        return [await self._stop(self._prompt[:200], 0.3, Said) for _ in range(times)]

    async def close(self) -> None:
        await self._process.kill()

    async def _stop(self, prompt: str, within: float, after: type[Opened] | type[Said]) -> float:
        self._count += 1
        self._process.send(Generate(self._count, prompt, _MANY, Sampling(temperature=0.7), seed=_SEED))
        while True:
            event = await self._process.receive()
            if isinstance(event, after):
                break
        await asyncio.sleep(self._chance.uniform(0, within))
        began = time.perf_counter()
        self._process.send(Cancel(self._count))
        while not isinstance(event, Ended) or event.id != self._count:
            event = await self._process.receive()
            assert event is not None
        return time.perf_counter() - began


def slow(times: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(times, n=20)[-1]
