"""What every device promises, held against the simulated one and a whole Linux desktop of private servers."""

import asyncio
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from dbus_fast import Variant

from connectors.settings.config import Config
from connectors.settings.device import BOUNDS, Device
from connectors.settings.linux import LinuxDevice
from connectors.settings.simulated import USUAL, SimulatedDevice
from connectors.settings.tools import Setting
from tests.missing import missing

RFKILL = "org.gnome.SettingsDaemon.Rfkill"
RFKILL_PATH = "/org/gnome/SettingsDaemon/Rfkill"
NETWORK = "org.freedesktop.NetworkManager"
LOGIND = "org.freedesktop.login1"
SESSION_PATH = "/org/freedesktop/login1/session/auto"
SESSION = "org.freedesktop.login1.Session"
PROFILES = "net.hadess.PowerProfiles"


async def furnish(bus: Any, backlights: str) -> None:
    """Tell the mocks what this computer has."""
    await bus.tell(NETWORK, "/org/freedesktop/NetworkManager", "AddWiFiDevice", "ssu", ["d0", "wlan0", 100])
    async with bus.bus.open() as connection:
        adapter = ["hci0", "laptop"]
        await connection.call("org.bluez", "/org/bluez", "org.bluez.Mock", "AddAdapter", "ss", adapter)
    for name, value in (("AirplaneMode", False), ("HasAirplaneMode", True)):
        await bus.tell(RFKILL, RFKILL_PATH, "AddProperty", "ssv", [RFKILL, name, Variant("b", value)])
    profiles = [{"Profile": Variant("s", name)} for name in ("power-saver", "balanced")]
    changed = {"Profiles": Variant("aa{sv}", profiles), "ActiveProfile": Variant("s", "balanced")}
    path = "/" + PROFILES.replace(".", "/")
    await bus.tell(PROFILES, path, "UpdateProperties", "sa{sv}", [PROFILES, changed])
    manager = "/org/freedesktop/login1"
    await bus.tell(LOGIND, manager, "AddObject", "ssa{sv}a(ssss)", [SESSION_PATH, SESSION, {}, []])
    code = f"open('{backlights}/' + args[1] + '/brightness', 'w').write(str(int(args[2])))"
    await bus.tell(LOGIND, SESSION_PATH, "AddMethod", "sssss", [SESSION, "SetBrightness", "ssu", "", code])


@pytest.fixture(scope="module")
def desktop(
    private_bus: Any, module_sound: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LinuxDevice]:
    """A Linux desktop on which every setting is there."""
    if shutil.which("gsettings") is None:
        missing("there is no gsettings (Debian: libglib2.0-bin, gsettings-desktop-schemas)")
    folder = tmp_path_factory.mktemp("desktop")
    screen = folder / "backlights" / "screen"
    screen.mkdir(parents=True)
    for file, text in (("type", "raw"), ("brightness", "80"), ("max_brightness", "100")):
        (screen / file).write_text(text)
    for name, *arguments in (
        (NETWORK, "--template", "networkmanager"),
        ("org.bluez", "--template", "bluez5"),
        (LOGIND, "--template", "logind"),
        (PROFILES, "--template", "power_profiles_daemon"),
        (RFKILL, RFKILL, RFKILL_PATH, RFKILL),
        ("org.gnome.Shell", "org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell"),
    ):
        private_bus.mock(name, *arguments)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("GSETTINGS_BACKEND", "keyfile")
        environment.setenv("XDG_CONFIG_HOME", str(folder))
        asyncio.run(furnish(private_bus, str(screen.parent)))
        yield LinuxDevice(
            Config(timeout=10.0),
            system_bus=private_bus.address,
            session_bus=private_bus.address,
            sound_server=module_sound.address,
            backlights=screen.parent,
        )
    private_bus.stop()


@pytest.fixture(params=["simulated", "linux"])
def device(request: pytest.FixtureRequest) -> Device:
    """Each kind of device in turn."""
    if request.param == "simulated":
        return SimulatedDevice(USUAL | {Setting.WIFI: True})
    found: LinuxDevice = request.getfixturevalue("desktop")
    return found


async def test_a_probe_knows_every_setting(device: Device) -> None:
    assert await device.probe() == dict.fromkeys(Setting, "")


@pytest.mark.parametrize("setting", list(Setting))
async def test_what_is_written_is_read_and_can_be_written_back(device: Device, setting: Setting) -> None:
    before = await device.read(setting)
    assert isinstance(before, bool) != (setting in BOUNDS)
    wanted = 37 if setting in BOUNDS else not before
    for value in (wanted, wanted, before):
        await device.write(setting, value)
        assert await device.read(setting) == value


@pytest.mark.parametrize("setting", list(BOUNDS))
async def test_a_percentage_goes_to_both_of_its_bounds(device: Device, setting: Setting) -> None:
    before = await device.read(setting)
    for value in (*BOUNDS[setting], before):
        await device.write(setting, value)
        assert await device.read(setting) == value
