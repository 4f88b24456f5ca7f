"""Wi-Fi by NetworkManager, Bluetooth by BlueZ, airplane mode by GNOME's settings daemon."""

from collections.abc import Mapping

from dbus_fast import Variant

from connectors.settings.device import DeviceError, Value
from connectors.settings.linux.bus import Bus, Connection, plain

_NETWORK = "org.freedesktop.NetworkManager"
_NETWORK_PATH = "/org/freedesktop/NetworkManager"
_WIFI_DEVICE = 2
_BLUEZ = "org.bluez"
_ADAPTER = "org.bluez.Adapter1"
_DEVICE = "org.bluez.Device1"
_PERIPHERAL = 5
_HID = ("00001124-", "00001812-")
_RFKILL = "org.gnome.SettingsDaemon.Rfkill"
_RFKILL_PATH = "/org/gnome/SettingsDaemon/Rfkill"


class WifiPart:
    """Wi-Fi as NetworkManager switches it; without a Wi-Fi adapter the switch would do nothing."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def why_not(self) -> str:
        async with self._bus.open() as bus:
            devices = plain((await bus.call(_NETWORK, _NETWORK_PATH, _NETWORK, "GetDevices"))[0])
            for path in devices if isinstance(devices, list) else []:
                kind = await bus.get(_NETWORK, str(path), f"{_NETWORK}.Device", "DeviceType")
                if kind == _WIFI_DEVICE:
                    return ""
        return "there is no Wi-Fi adapter in this computer"

    async def read(self) -> Value:
        async with self._bus.open() as bus:
            return bool(await bus.get(_NETWORK, _NETWORK_PATH, _NETWORK, "WirelessEnabled"))

    async def write(self, value: Value) -> None:
        async with self._bus.open() as bus:
            if value and not await bus.get(_NETWORK, _NETWORK_PATH, _NETWORK, "WirelessHardwareEnabled"):
                raise DeviceError("a switch or key on the computer itself keeps Wi-Fi off")
            wanted = Variant("b", bool(value))
            await bus.set(_NETWORK, _NETWORK_PATH, _NETWORK, "WirelessEnabled", wanted)


class BluetoothPart:
    """All Bluetooth adapters together: on when one is."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def why_not(self) -> str:
        async with self._bus.open() as bus:
            return "" if await _adapters(bus) else "there is no Bluetooth adapter in this computer"

    async def read(self) -> Value:
        async with self._bus.open() as bus:
            return any((await _adapters(bus)).values())

    async def write(self, value: Value) -> None:
        async with self._bus.open() as bus:
            for path in await _adapters(bus):
                await bus.set(_BLUEZ, path, _ADAPTER, "Powered", Variant("b", bool(value)))

    async def has_input(self) -> bool:
        """Whether something to type or point with is connected."""
        async with self._bus.open() as bus:
            devices = [each[_DEVICE] for each in (await _objects(bus)).values() if _DEVICE in each]
        return any(each.get("Connected") and _is_input(each) for each in devices)


class AirplanePart:
    """Airplane mode where the desktop offers it."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def why_not(self) -> str:
        async with self._bus.open() as bus:
            if not await bus.is_owned(_RFKILL):
                return "this desktop offers no airplane mode"
            has = await bus.get(_RFKILL, _RFKILL_PATH, _RFKILL, "HasAirplaneMode")
            return "" if has else "there is no radio in this computer"

    async def read(self) -> Value:
        async with self._bus.open() as bus:
            return bool(await bus.get(_RFKILL, _RFKILL_PATH, _RFKILL, "AirplaneMode"))

    async def write(self, value: Value) -> None:
        async with self._bus.open() as bus:
            await bus.set(_RFKILL, _RFKILL_PATH, _RFKILL, "AirplaneMode", Variant("b", bool(value)))


async def _adapters(bus: Connection) -> dict[str, bool]:
    """Every adapter's path and whether it is powered."""
    objects = await _objects(bus)
    return {
        path: bool(objects[path][_ADAPTER].get("Powered"))
        for path in sorted(objects)
        if _ADAPTER in objects[path]
    }


async def _objects(bus: Connection) -> dict[str, dict[str, dict[str, object]]]:
    """All that BlueZ knows: the properties by interface, by path."""
    found = await bus.call(_BLUEZ, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    objects = plain(found[0])
    return {str(path): each for path, each in objects.items()} if isinstance(objects, dict) else {}


def _is_input(device: Mapping[str, object]) -> bool:
    """Whether a device is a peripheral: by its icon, its class (major class 5) or its HID service."""
    kind, services = device.get("Class"), device.get("UUIDs")
    return (
        str(device.get("Icon", "")).startswith("input-")
        or (isinstance(kind, int) and (kind >> 8) & 0x1F == _PERIPHERAL)
        or (isinstance(services, list) and any(str(each).startswith(_HID) for each in services))
    )
