"""A Linux machine as a device: each setting by the service that keeps it."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from dbus_fast import BusType

from connectors.settings.config import Config
from connectors.settings.device import DeviceError, Value
from connectors.settings.linux.bus import Bus
from connectors.settings.linux.gnome import DARK_MODE, DO_NOT_DISTURB, GnomePart
from connectors.settings.linux.part import Part
from connectors.settings.linux.power import PowerSaverPart
from connectors.settings.linux.radios import AirplanePart, BluetoothPart, WifiPart
from connectors.settings.linux.screen import BACKLIGHTS, BrightnessPart
from connectors.settings.linux.sound import Mixer, MutePart, VolumePart
from connectors.settings.tools import Setting

_GRACE = 2.0


class LinuxDevice:
    """This machine; nothing is connected to before it is asked for. Addresses left out are the usual ones."""

    def __init__(
        self,
        config: Config | None = None,
        *,
        system_bus: str | None = None,
        session_bus: str | None = None,
        sound_server: str | None = None,
        backlights: Path = BACKLIGHTS,
    ) -> None:
        self._timeout = (config or Config()).timeout
        system = Bus(BusType.SYSTEM, self._timeout, system_bus)
        session = Bus(BusType.SESSION, self._timeout, session_bus)
        mixer = Mixer(self._timeout, sound_server)
        self._bluetooth = BluetoothPart(system)
        self._parts: Mapping[Setting, Part] = {
            Setting.WIFI: WifiPart(system),
            Setting.BLUETOOTH: self._bluetooth,
            Setting.VOLUME: VolumePart(mixer),
            Setting.MUTE: MutePart(mixer),
            Setting.BRIGHTNESS: BrightnessPart(system, backlights),
            Setting.DO_NOT_DISTURB: GnomePart(session, DO_NOT_DISTURB, self._timeout),
            Setting.DARK_MODE: GnomePart(session, DARK_MODE, self._timeout),
            Setting.AIRPLANE_MODE: AirplanePart(session),
            Setting.POWER_SAVER: PowerSaverPart(system),
        }

    async def probe(self) -> Mapping[Setting, str]:
        reasons = await asyncio.gather(*(self._why_not(part) for part in self._parts.values()))
        return dict(zip(self._parts, reasons, strict=True))

    async def read(self, setting: Setting) -> Value:
        return await self._parts[setting].read()

    async def write(self, setting: Setting, value: Value) -> None:
        await self._parts[setting].write(value)

    async def has_bluetooth_input(self) -> bool:
        return await self._bluetooth.has_input()

    async def _why_not(self, part: Part) -> str:
        try:
            async with asyncio.timeout(self._timeout + _GRACE):
                return await part.why_not()
        except DeviceError as error:
            return str(error)
        except TimeoutError:
            return "it does not answer in time"
