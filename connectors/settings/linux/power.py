"""Power saving by power-profiles-daemon, under its new name or its old."""

from dbus_fast import Variant

from connectors.settings.device import DeviceError, Value
from connectors.settings.linux.bus import Bus, Connection

_NAMES = ("org.freedesktop.UPower.PowerProfiles", "net.hadess.PowerProfiles")
_SAVER = "power-saver"
_USUAL = "balanced"


class PowerSaverPart:
    """The power-saver profile, and back to the profile that was in force before."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._before = _USUAL

    async def why_not(self) -> str:
        async with self._bus.open() as bus:
            service = await _service(bus)
            found = await bus.get(service, _path(service), service, "Profiles")
        profiles = [each.get("Profile") for each in found] if isinstance(found, list) else []
        return "" if _SAVER in profiles else "this computer has no power saver"

    async def read(self) -> Value:
        async with self._bus.open() as bus:
            return await _profile(bus) == _SAVER

    async def write(self, value: Value) -> None:
        async with self._bus.open() as bus:
            service, now = await _service(bus), await _profile(bus)
            if value and now != _SAVER:
                self._before = now
            wanted = Variant("s", _SAVER if value else self._before)
            await bus.set(service, _path(service), service, "ActiveProfile", wanted)


async def _service(bus: Connection) -> str:
    for name in _NAMES:
        try:
            await bus.get(name, _path(name), name, "ActiveProfile")
        except DeviceError:
            continue
        return name
    raise DeviceError("the power profiles service is not running")


async def _profile(bus: Connection) -> str:
    service = await _service(bus)
    return str(await bus.get(service, _path(service), service, "ActiveProfile"))


def _path(service: str) -> str:
    return "/" + service.replace(".", "/")
