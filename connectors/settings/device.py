"""What the settings service asks of a device, and how settings are called."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from connectors.base import Needs
from connectors.settings.tools import Setting

Value = bool | int
"""On or off, or a percentage from 0 to 100."""

NAMES: Mapping[Setting, str] = {
    Setting.WIFI: "Wi-Fi",
    Setting.BLUETOOTH: "Bluetooth",
    Setting.VOLUME: "the volume",
    Setting.MUTE: "mute",
    Setting.BRIGHTNESS: "the brightness",
    Setting.DO_NOT_DISTURB: "do not disturb",
    Setting.DARK_MODE: "dark mode",
    Setting.AIRPLANE_MODE: "airplane mode",
    Setting.POWER_SAVER: "power saver",
}

BOUNDS: Mapping[Setting, tuple[int, int]] = {Setting.VOLUME: (0, 100), Setting.BRIGHTNESS: (5, 100)}
"""The settings that are percentages, and how far they may go: a screen is never made black."""


class DeviceError(Exception):
    """The device would not do it; the text is a plain clause such as "the adapter is not there"."""

    def __init__(self, text: str, needs: Needs = Needs.UNAVAILABLE) -> None:
        super().__init__(text)
        self.needs = needs


class Device(Protocol):
    """A device with settings. Every method may raise DeviceError."""

    async def probe(self) -> Mapping[Setting, str]:
        """Every setting with an empty text if it is available here, or else the reason why not."""
        ...

    async def read(self, setting: Setting) -> Value: ...

    async def write(self, setting: Setting, value: Value) -> None:
        """Ask for a value; whether it took is seen by reading it again."""
        ...


@runtime_checkable
class WithInput(Protocol):
    """A device that can tell whether it is worked with over Bluetooth; may raise DeviceError."""

    async def has_bluetooth_input(self) -> bool:
        """Whether a keyboard, a mouse or the like is connected over Bluetooth now."""
        ...
