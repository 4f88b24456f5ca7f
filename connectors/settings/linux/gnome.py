"""Do not disturb and dark mode of a GNOME desktop, by its gsettings command."""

import asyncio
import os
import shutil
from dataclasses import dataclass

from connectors.base import Needs
from connectors.clean import clean_line
from connectors.settings.device import DeviceError, Value
from connectors.settings.linux.bus import Bus

_SHELL = "org.gnome.Shell"
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Key:
    """A switch in GNOME's settings, and the values that mean on and off."""

    schema: str
    name: str
    on: str
    off: str


DO_NOT_DISTURB = Key("org.gnome.desktop.notifications", "show-banners", on="false", off="true")
DARK_MODE = Key("org.gnome.desktop.interface", "color-scheme", on="'prefer-dark'", off="'default'")


class GnomePart:
    """One switch; without GNOME or a bus the command would succeed and change nothing, so it is unavailable.

    `timeout` is in seconds, for each run of the command.
    """

    def __init__(self, bus: Bus, key: Key, timeout: float) -> None:
        self._bus = bus
        self._key = key
        self._timeout = timeout

    async def why_not(self) -> str:
        if shutil.which("gsettings") is None:
            return "the command gsettings is missing"
        async with self._bus.open() as bus:
            if not await bus.is_owned(_SHELL):
                return "this desktop is not GNOME"
        allowed = await self._run("writable")
        return "" if allowed == "true" else "the administrator has fixed it"

    async def read(self) -> Value:
        return await self._run("get") == self._key.on

    async def write(self, value: Value) -> None:
        await self._run("set", self._key.on if value else self._key.off)

    async def _run(self, verb: str, *values: str) -> str:
        address = self._bus.address
        if address is None:
            raise DeviceError("there is no desktop session")
        try:
            process = await asyncio.create_subprocess_exec(
                "gsettings",
                verb,
                self._key.schema,
                self._key.name,
                *values,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": address},
            )
        except OSError as error:
            raise DeviceError("the command gsettings cannot be run") from error
        return await self._answer(process)

    async def _answer(self, process: asyncio.subprocess.Process) -> str:
        try:
            async with asyncio.timeout(self._timeout):
                out, trouble = await process.communicate()
        except TimeoutError as error:
            raise DeviceError("the desktop's settings do not answer in time", Needs.TIMEOUT) from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode != 0:
            said = clean_line(trouble.decode("utf-8", "replace").strip(), _SHOWN)
            raise DeviceError(f"GNOME's settings refused: {said}")
        return out.decode("utf-8", "replace").strip()
