"""Run as a program: does the same small day again and again, and is killed one step later each time.

`killed FOLDER` makes FOLDER/1, FOLDER/2 and so on, each with a journal and `world.txt`, one line for every
effect that happened; the last one came to its end.
"""

import asyncio
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

from connectors.base import Call, Outcome, Prepared
from permissions.gate import Gate, Patience
from permissions.outbox import Outbox
from permissions.shelf import Shelf
from permissions.words import Asker
from tests.permissions.fakes import ANA, NO, Bench, FakeService
from tests.permissions.held import Instantly

WORLD = "world.txt"


class Death:
    """Kills this process at the chosen step."""

    def __init__(self, step: int) -> None:
        self._left = step

    def step(self, *_: object) -> None:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class LastingService(FakeService):
    """Its effects outlive it: each is a line in a file, on the disk before the answer comes."""

    def __init__(self, folder: Path, death: Death) -> None:
        super().__init__()
        self._world = folder / WORLD
        self._death = death

    async def perform(self, prepared: Prepared) -> Outcome:
        self._death.step()
        outcome = await super().perform(prepared)
        with self._world.open("a") as world:
            world.write(f"{prepared.call.id}\n")
            world.flush()
            os.fsync(world.fileno())
        self._death.step()
        return outcome


class Mortal(Instantly):
    """A clock whose pauses are steps, too."""

    def __init__(self, death: Death) -> None:
        super().__init__()
        self._death = death

    async def pause(self, seconds: float) -> None:
        self._death.step()
        await super().pause(seconds)


class MortalShelf(Shelf):
    """Keeping a call and dropping it are steps, too."""

    def __init__(self, folder: Path, death: Death) -> None:
        super().__init__(folder)
        self._death = death

    def keep(self, id: str, call: Call) -> None:
        self._death.step()
        super().keep(id, call)
        self._death.step()

    def drop(self, id: str) -> None:
        self._death.step()
        super().drop(id)
        self._death.step()


async def day(folder: Path, death: Death) -> None:
    """A deed, its undo, a look, a call that is denied, a send that goes out, and one that is taken back."""
    bench = Bench(folder, service=LastingService(folder, death))
    clock, patience = Mortal(death), Patience(hold=10)
    bench.journal.shelf = MortalShelf(folder / "journal.db.held", death)
    bench.gate = Gate(
        [bench.service],
        bench.journal,
        bench.grants,
        bench.clock,
        patience=patience,
        outbox=Outbox(clock, clock.pause),
    )
    bench.journal._database._open.set_trace_callback(death.step)
    deed = Call("deed", "messaging.write", {"thing": "note:1", "text": "milk"})
    outcome = await bench.run(deed)
    assert outcome.undo is not None
    await bench.run(replace(outcome.undo, id="undo"), asker=Asker.UNDO)
    await bench.run(Call("look", "messaging.read", {"thing": "note:1"}))
    await bench.run(Call("denied", "messaging.write", {"thing": "note:2", "text": "x"}), NO)
    await bench.run(Call("sent", "messaging.send", {"to": [ANA], "text": "hello"}))
    await bench.gate.outbox.settled()
    await bench.run(Call("taken back", "messaging.send", {"to": [ANA], "text": "wait"}))
    bench.gate.outbox.withdraw_all()
    await bench.gate.outbox.settled()


def main(base: Path) -> None:
    step = 0
    while True:
        step += 1
        folder = base / str(step)
        folder.mkdir()
        child = os.fork()
        if child == 0:
            asyncio.run(day(folder, Death(step)))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            sys.exit(status)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
