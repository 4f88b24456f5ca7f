"""The settings of a Mac, by the commands that Apple documents. Untested on a real Mac.

networksetup(8) for Wi-Fi, osascript(1) with `set volume` for sound and System Events for dark mode,
defaults(1) to read it, pmset(1) for the low power mode. Their output is read as in the samples of the tests.
"""

import re
from collections.abc import Mapping, Sequence

from connectors.settings.commands.device import CommandDevice, Part, Plain
from connectors.settings.commands.run import Commands, Result, Run
from connectors.settings.config import Config
from connectors.settings.device import DeviceError, Value
from connectors.settings.tools import Setting

_PORT = re.compile(r"^Hardware Port: (?:Wi-Fi|AirPort)\nDevice: (?P<device>\w+)$", re.MULTILINE)
_POWER = re.compile(r": (?P<power>On|Off)\s*$")
_LOW_POWER = re.compile(r"^\s*lowpowermode\s+(?P<on>[01])\s*$", re.MULTILINE)
_STYLE = ("defaults", "read", "-g", "AppleInterfaceStyle")
_LIGHT = "does not exist"
_NO_COMMAND = "macOS has no command for it"
_LACKING = (Setting.BLUETOOTH, Setting.BRIGHTNESS, Setting.DO_NOT_DISTURB, Setting.AIRPLANE_MODE)
MISSING: Mapping[Setting, str] = dict.fromkeys(_LACKING, _NO_COMMAND)


def script(line: str) -> Sequence[str]:
    """One line of AppleScript as a command."""
    return ("osascript", "-e", line)


def wifi_device(ports: str) -> str:
    """The name of the Wi-Fi adapter among the ports that networksetup lists. Raises DeviceError."""
    if found := _PORT.search(ports):
        return found["device"]
    raise DeviceError("there is no Wi-Fi adapter in this computer")


def power(said: str) -> bool:
    """On or off, as `networksetup -getairportpower` says it. Raises DeviceError."""
    if found := _POWER.search(said):
        return found["power"] == "On"
    raise DeviceError("networksetup says neither on nor off")


def volume(result: Result) -> int:
    """The output volume in percent; some outputs, such as HDMI, have none. Raises DeviceError."""
    said = result.good()
    if not said.isdecimal():
        raise DeviceError("the sound output has no volume of its own")
    return int(said)


def muted(result: Result) -> bool:
    """Whether the output is muted. Raises DeviceError."""
    said = result.good()
    if said not in ("true", "false"):
        raise DeviceError("the sound output cannot be muted")
    return said == "true"


def dark(result: Result) -> bool:
    """Whether dark mode is on; in light mode the key is not there at all. Raises DeviceError."""
    if result.code and _LIGHT in result.err:
        return False
    return result.good() == "Dark"


def low_power(result: Result) -> bool:
    """Whether the low power mode is on, as `pmset -g` lists it. Raises DeviceError."""
    if found := _LOW_POWER.search(result.good()):
        return found["on"] == "1"
    raise DeviceError("this Mac has no low power mode")


class Wifi:
    """Wi-Fi of the first adapter."""

    async def read(self, run: Run) -> Value:
        device = await self._device(run)
        return power((await run(("networksetup", "-getairportpower", device))).good())

    async def write(self, run: Run, value: Value) -> None:
        device = await self._device(run)
        (await run(("networksetup", "-setairportpower", device, "on" if value else "off"))).good()

    async def _device(self, run: Run) -> str:
        return wifi_device((await run(("networksetup", "-listallhardwareports"))).good())


class LowPower:
    """The low power mode, which only an administrator may set."""

    async def read(self, run: Run) -> Value:
        if (await run(("id", "-u"))).good() != "0":
            raise DeviceError("only an administrator may set it")
        return low_power(await run(("pmset", "-g")))

    async def write(self, run: Run, value: Value) -> None:
        (await run(("pmset", "-a", "lowpowermode", "1" if value else "0"))).good()


PARTS: Mapping[Setting, Part] = {
    Setting.WIFI: Wifi(),
    Setting.VOLUME: Plain(
        script("output volume of (get volume settings)"),
        volume,
        lambda value: script(f"set volume output volume {int(value)}"),
    ),
    Setting.MUTE: Plain(
        script("output muted of (get volume settings)"),
        muted,
        lambda value: script(f"set volume output muted {'true' if value else 'false'}"),
    ),
    Setting.DARK_MODE: Plain(
        _STYLE,
        dark,
        lambda value: script(
            'tell application "System Events" to tell appearance preferences to set dark mode to '
            + ("true" if value else "false")
        ),
    ),
    Setting.POWER_SAVER: LowPower(),
}


def mac_device(config: Config | None = None, run: Run | None = None) -> CommandDevice:
    """This Mac."""
    return CommandDevice(PARTS, MISSING, run or Commands((config or Config()).timeout))
