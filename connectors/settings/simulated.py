"""A device that exists in memory only: for the demo world and for tests."""

from collections.abc import Mapping

from connectors.settings.device import BOUNDS, Value
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


class SimulatedDevice:
    """All settings work; airplane mode turns the radios off, as it does on a real one."""

    def __init__(self, state: Mapping[Setting, Value] = USUAL) -> None:
        self._state = dict(state)

    def online(self) -> bool:
        """True if there is a network to send through."""
        return bool(self._state.get(Setting.WIFI))

    async def probe(self) -> Mapping[Setting, str]:
        return {setting: "" if setting in self._state else "this device has none" for setting in Setting}

    async def read(self, setting: Setting) -> Value:
        return self._state[setting]

    async def write(self, setting: Setting, value: Value) -> None:
        self._state[setting] = int(value) if setting in BOUNDS else bool(value)
        if setting is Setting.AIRPLANE_MODE and value:
            self._state |= {
                radio: False for radio in (Setting.WIFI, Setting.BLUETOOTH) if radio in self._state
            }
        if setting is Setting.WIFI and value and Setting.AIRPLANE_MODE in self._state:
            self._state[Setting.AIRPLANE_MODE] = False
