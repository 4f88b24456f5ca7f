"""A device that exists in memory only: for the demo world and for tests."""

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path

from connectors.atomic import write_file
from connectors.base import Needs
from connectors.settings.device import BOUNDS, DeviceError, Value
from connectors.settings.tools import Setting

USUAL: Mapping[Setting, Value] = {
    Setting.WIFI: False,
    Setting.BLUETOOTH: True,
    Setting.VOLUME: 70,
    Setting.MUTE: False,
    Setting.BRIGHTNESS: 80,
    Setting.DO_NOT_DISTURB: False,
    Setting.DARK_MODE: False,
    Setting.AIRPLANE_MODE: False,
    Setting.POWER_SAVER: False,
}
_RADIOS = (Setting.WIFI, Setting.BLUETOOTH)


class SimulatedDevice:
    """The settings in `state` all work; airplane mode turns the radios off and back on, as on a real device.

    With `file` it is remembered there as JSON; a file that cannot be read counts as none. With
    `bluetooth_input` a keyboard is connected over Bluetooth.
    """

    def __init__(
        self,
        state: Mapping[Setting, Value] = USUAL,
        *,
        file: Path | None = None,
        bluetooth_input: bool = False,
    ) -> None:
        self._state = {**state, **_remembered(file, state)}
        self._silenced: dict[Setting, Value] = {}
        self._file = file
        self._bluetooth_input = bluetooth_input

    def online(self) -> bool:
        """True if there is a network to send through."""
        return bool(self._state.get(Setting.WIFI))

    async def has_bluetooth_input(self) -> bool:
        return self._bluetooth_input and bool(self._state.get(Setting.BLUETOOTH))

    async def probe(self) -> Mapping[Setting, str]:
        return {setting: "" if setting in self._state else "this device has none" for setting in Setting}

    async def read(self, setting: Setting) -> Value:
        self._check(setting)
        return self._state[setting]

    async def write(self, setting: Setting, value: Value) -> None:
        self._check(setting)
        self._state[setting] = int(value) if setting in BOUNDS else bool(value)
        if setting is Setting.AIRPLANE_MODE:
            self._silence_radios() if value else self._restore_radios()
        elif setting in _RADIOS and value and Setting.AIRPLANE_MODE in self._state:
            self._state[Setting.AIRPLANE_MODE] = False
        if self._file is not None:
            self._remember(self._file)

    def _check(self, setting: Setting) -> None:
        if setting not in self._state:
            raise DeviceError("this device has none")

    def _silence_radios(self) -> None:
        self._silenced = self._silenced or {r: self._state[r] for r in _RADIOS if r in self._state}
        self._state |= dict.fromkeys(self._silenced, False)

    def _restore_radios(self) -> None:
        self._state |= self._silenced
        self._silenced = {}

    def _remember(self, file: Path) -> None:
        text = json.dumps({setting.value: value for setting, value in self._state.items()}, indent=1)
        try:
            write_file(file, text.encode())
        except OSError as error:
            raise DeviceError("the device could not remember it", Needs.NO_SPACE) from error


def _remembered(file: Path | None, usual: Mapping[Setting, Value]) -> dict[Setting, Value]:
    kept: object = None
    if file is not None:
        with contextlib.suppress(OSError, ValueError):
            kept = json.loads(file.read_text("utf-8"))
    if not isinstance(kept, dict):
        return {}
    return {s: kept[s.value] for s, value in usual.items() if type(kept.get(s.value)) is type(value)}
