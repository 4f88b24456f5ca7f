"""Run by a test in a process of its own: GNOME's airplane mode, which dies as soon as it is told to change.

Its state is in the file given; "changes" as the last argument has it change before it dies.
"""

import asyncio
import os
import sys
from pathlib import Path

from dbus_fast import BusType, PropertyAccess
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_property

NAME = "org.gnome.SettingsDaemon.Rfkill"
PATH = "/org/gnome/SettingsDaemon/Rfkill"


class Rfkill(ServiceInterface):
    def __init__(self, state: Path, *, changes: bool) -> None:
        super().__init__(NAME)
        self.state = state
        self.changes = changes

    @dbus_property()
    def AirplaneMode(self) -> "b":  # noqa: F821
        return self.state.read_text() == "on"

    @AirplaneMode.setter
    def AirplaneMode(self, value: "b") -> None:  # noqa: F821
        if self.changes:
            self.state.write_text("on" if value else "off")
        os._exit(0)

    @dbus_property(access=PropertyAccess.READ)
    def HasAirplaneMode(self) -> "b":  # noqa: F821
        return True


async def main(address: str, state: str, how: str) -> None:
    bus = await MessageBus(address, bus_type=BusType.SYSTEM).connect()
    bus.export(PATH, Rfkill(Path(state), changes=how == "changes"))
    await bus.request_name(NAME)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await bus.wait_for_disconnect()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
