"""A gate over a machine whose Wi-Fi may be turned off on trial, and processes that are killed meanwhile."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from connectors.base import Call, Context, Outcome, Prepared, Question
from connectors.settings.connector import SettingsConnector
from connectors.settings.device import DeviceError, Value
from connectors.settings.simulated import SimulatedDevice
from connectors.settings.tools import Setting
from permissions.gate import Gate
from permissions.grants import GrantBook
from permissions.journal import Journal
from permissions.provenance import Provenance
from permissions.words import GoalRef, Refused
from tests.permissions.fakes import NOW, ZONE, yes

GOAL = GoalRef("goal-1", "turn off the wifi")
BRIEF = 0.05


class Machine(SimulatedDevice):
    """A device with Wi-Fi on, remembered in a file; `stubborn` writes that turn it on fail."""

    def __init__(self, folder: Path) -> None:
        super().__init__({Setting.WIFI: True, Setting.VOLUME: 50}, file=folder / "device.json")
        self.stubborn = 0

    async def write(self, setting: Setting, value: Value) -> None:
        if value and self.stubborn:
            self.stubborn -= 1
            raise DeviceError("the adapter is busy")
        await super().write(setting, value)


class Desk:
    """A gate over one machine, and one typed goal."""

    def __init__(self, folder: Path) -> None:
        self.machine = Machine(folder)
        self.journal = Journal(folder / "journal.db", lambda: NOW)
        self.gate = Gate(
            [SettingsConnector(self.machine, patience=0)], self.journal, GrantBook(), lambda: NOW
        )
        self.gate.trials.pause = 0
        self.asked: list[Question] = []

    async def prepared(self, setting: str = "wifi", value: str = "off") -> Prepared:
        call = self.gate.make_call("settings.set", {"setting": setting, "value": value})
        assert isinstance(call, Call)
        found = await self.gate.prepare(call, Context(NOW, ZONE))
        assert isinstance(found, Prepared), found
        return replace(found, trial=replace(found.trial, seconds=BRIEF)) if found.trial else found

    async def turn(
        self, answer: Callable[[], Awaitable[bool]], setting: str = "wifi", value: str = "off"
    ) -> Outcome:
        """The whole way of a call; the person says yes, and then `answer` to whether it is kept."""

        async def ask(question: Question) -> bool:
            self.asked.append(question)
            return await answer()

        provenance = Provenance()
        provenance.say(GOAL.text)
        request = self.gate.request(await self.prepared(setting, value), provenance, GOAL)
        ticket = self.gate.settle(request, yes(request))
        if isinstance(ticket, Refused):
            return Outcome(ok=False, text=ticket.reason)
        return await self.gate.perform(ticket, ask)

    @property
    def wifi(self) -> bool:
        return self.machine.online()

    @property
    def promised(self) -> tuple[str, ...]:
        return self.journal.trials.ids()


class Mortal(Machine):
    """Kills its process before or after it has turned Wi-Fi off."""

    def __init__(self, folder: Path, when: str) -> None:
        super().__init__(folder)
        self._when = when

    async def write(self, setting: Setting, value: Value) -> None:
        if self._when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        await super().write(setting, value)
        if self._when == "after":
            os.kill(os.getpid(), signal.SIGKILL)


def dies(folder: Path, when: str) -> None:
    """A process that is killed around or after the deed; only what is on the disk is left of it."""

    async def killed() -> bool:
        os.kill(os.getpid(), signal.SIGKILL)
        return True

    child = os.fork()
    if child == 0:
        desk = Desk(folder)
        desk.machine = Mortal(folder, when)
        desk.gate._toolbox.service("settings")._device = desk.machine
        asyncio.run(desk.turn(killed))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
