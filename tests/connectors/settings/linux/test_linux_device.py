"""The Linux device against real protocols: services on a private bus, a sound server, GNOME's own store."""

import asyncio
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from dbus_fast import Variant

from connectors.base import Needs
from connectors.settings.config import Config
from connectors.settings.connector import SettingsConnector
from connectors.settings.device import DeviceError
from connectors.settings.linux import LinuxDevice
from connectors.settings.tools import Setting
from tests.missing import missing

NETWORK = "org.freedesktop.NetworkManager"
NETWORK_PATH = "/org/freedesktop/NetworkManager"
BLUEZ = "org.bluez"
LOGIND = "org.freedesktop.login1"
SESSION_PATH = "/org/freedesktop/login1/session/auto"
RFKILL = "org.gnome.SettingsDaemon.Rfkill"
PROFILES = "net.hadess.PowerProfiles"


@pytest.fixture
def device(mocks: Any, no_bus: str, tmp_path: Path) -> LinuxDevice:
    """The Linux device on the private bus, without sound and without a screen."""
    return LinuxDevice(
        Config(timeout=5.0),
        system_bus=mocks.address,
        session_bus=mocks.address,
        sound_server=f"unix:{tmp_path}/nobody",
        backlights=tmp_path / "backlights",
    )


async def test_with_nothing_there_every_setting_says_why_and_nothing_is_waited_for(
    no_bus: str, tmp_path: Path
) -> None:
    device = LinuxDevice(
        system_bus=no_bus, session_bus=no_bus, sound_server=f"unix:{tmp_path}/nobody", backlights=tmp_path
    )
    started = time.monotonic()
    known = await device.probe()
    assert time.monotonic() - started < 5
    assert set(known) == set(Setting)
    assert all(known.values())
    assert known[Setting.WIFI] == "there is no system bus"
    assert known[Setting.VOLUME] == "the sound server is not running"
    assert known[Setting.BRIGHTNESS] == "there is no built-in screen whose brightness can be set"
    settings = SettingsConnector(device)
    await settings.probe()
    assert settings.tools == ()
    assert settings.notices()[0].text == "No setting is available here."


async def test_services_that_do_not_run_are_named(device: LinuxDevice) -> None:
    known = await device.probe()
    assert known[Setting.WIFI] == f"the service {NETWORK} is not running"
    assert known[Setting.BLUETOOTH] == f"the service {BLUEZ} is not running"
    assert known[Setting.POWER_SAVER] == "the power profiles service is not running"
    assert known[Setting.AIRPLANE_MODE] == "this desktop offers no airplane mode"


async def test_a_service_that_hangs_is_given_up(mocks: Any) -> None:
    process = await asyncio.to_thread(mocks.mock, NETWORK, "--template", "networkmanager")
    process.send_signal(signal.SIGSTOP)
    device = LinuxDevice(Config(timeout=0.5), system_bus=mocks.address, session_bus=mocks.address)
    started = time.monotonic()
    with pytest.raises(DeviceError) as caught:
        await device.read(Setting.WIFI)
    assert caught.value.needs is Needs.TIMEOUT
    assert (await device.probe())[Setting.WIFI] == "the service does not answer in time"
    assert time.monotonic() - started < 20


async def test_wifi_without_an_adapter_is_unavailable_although_the_switch_would_say_yes(
    mocks: Any, device: LinuxDevice, ask: Any
) -> None:
    await asyncio.to_thread(mocks.mock, NETWORK, "--template", "networkmanager")
    assert (await device.probe())[Setting.WIFI] == "there is no Wi-Fi adapter in this computer"
    outcome = await ask(SettingsConnector(device), "set", setting="wifi", value="on")
    assert outcome.text == "Wi-Fi is not available here: there is no Wi-Fi adapter in this computer."


async def test_wifi_is_switched_off_and_on_again(mocks: Any, device: LinuxDevice, do: Any, undo: Any) -> None:
    await asyncio.to_thread(mocks.mock, NETWORK, "--template", "networkmanager")
    await mocks.tell(NETWORK, NETWORK_PATH, "AddWiFiDevice", "ssu", ["d0", "wlan0", 100])
    settings = SettingsConnector(device)
    outcome = await do(settings, "set", setting="wifi", value="off")
    assert (outcome.ok, outcome.text) == (True, "Wi-Fi is off.")
    assert await mocks.get(NETWORK, NETWORK_PATH, NETWORK, "WirelessEnabled") is False
    assert (await undo(settings, outcome)).text == "Wi-Fi is on."
    assert await mocks.get(NETWORK, NETWORK_PATH, NETWORK, "WirelessEnabled") is True


async def test_a_real_network_manager_has_no_adapter_here_yet_its_switch_turns(
    network_manager: Any, no_bus: str, ask: Any
) -> None:
    device = LinuxDevice(system_bus=network_manager.address, session_bus=no_bus)
    assert (await device.probe())[Setting.WIFI] == "there is no Wi-Fi adapter in this computer"
    refused = await ask(SettingsConnector(device), "set", setting="wifi", value="off")
    assert refused.text == "Wi-Fi is not available here: there is no Wi-Fi adapter in this computer."
    for wanted in (False, True):
        await device.write(Setting.WIFI, wanted)
        async with asyncio.timeout(10):
            while await device.read(Setting.WIFI) is not wanted:  # noqa: ASYNC110 - it settles by itself
                await asyncio.sleep(0.05)


async def test_wifi_kept_off_by_a_key_on_the_computer_is_told(
    mocks: Any, device: LinuxDevice, do: Any
) -> None:
    await asyncio.to_thread(mocks.mock, NETWORK, "--template", "networkmanager")
    await mocks.tell(NETWORK, NETWORK_PATH, "AddWiFiDevice", "ssu", ["d0", "wlan0", 100])
    changed = {"WirelessEnabled": Variant("b", False), "WirelessHardwareEnabled": Variant("b", False)}
    await mocks.tell(NETWORK, NETWORK_PATH, "UpdateProperties", "sa{sv}", [NETWORK, changed])
    outcome = await do(SettingsConnector(device), "set", setting="wifi", value="on")
    assert outcome.text == (
        "Wi-Fi was not changed: a switch or key on the computer itself keeps Wi-Fi off. Wi-Fi is still off."
    )


async def test_bluetooth_needs_an_adapter_and_switches_it(
    mocks: Any, device: LinuxDevice, do: Any, undo: Any
) -> None:
    await asyncio.to_thread(mocks.mock, BLUEZ, "--template", "bluez5")
    assert (await device.probe())[Setting.BLUETOOTH] == "there is no Bluetooth adapter in this computer"
    async with mocks.bus.open() as bus:
        await bus.call(BLUEZ, "/org/bluez", "org.bluez.Mock", "AddAdapter", "ss", ["hci0", "laptop"])
    settings = SettingsConnector(device)
    before = await device.read(Setting.BLUETOOTH)
    outcome = await do(settings, "set", setting="bluetooth", value="off" if before else "on")
    assert outcome.ok
    assert await mocks.get(BLUEZ, "/org/bluez/hci0", "org.bluez.Adapter1", "Powered") is not before
    assert (await undo(settings, outcome)).ok
    assert await device.read(Setting.BLUETOOTH) is before


async def test_bluetooth_off_is_on_trial_while_a_keyboard_hangs_on_it(
    mocks: Any, device: LinuxDevice, ask: Any
) -> None:
    await asyncio.to_thread(mocks.mock, BLUEZ, "--template", "bluez5")
    path = "/org/bluez/hci0/dev_00_11_22_33_44_55"
    async with mocks.bus.open() as bus:
        await bus.call(BLUEZ, "/org/bluez", "org.bluez.Mock", "AddAdapter", "ss", ["hci0", "laptop"])
        body = ["hci0", "00:11:22:33:44:55", "My keyboard"]
        await bus.call(BLUEZ, "/org/bluez", "org.bluez.Mock", "AddDevice", "sss", body)
    await mocks.tell(
        BLUEZ, "/org/bluez/hci0", "UpdateProperties", "sa{sv}",
        ["org.bluez.Adapter1", {"Powered": Variant("b", True)}],
    )  # fmt: skip

    async def on_trial(**properties: Variant) -> bool:
        await mocks.tell(BLUEZ, path, "UpdateProperties", "sa{sv}", ["org.bluez.Device1", properties])
        prepared = await ask(SettingsConnector(device), "set", setting="bluetooth", value="off")
        return prepared.trial is not None

    gone, there = Variant("b", False), Variant("b", True)
    assert not await on_trial(Connected=gone, Icon=Variant("s", "input-keyboard"))
    assert await on_trial(Connected=there)
    assert not await on_trial(Icon=Variant("s", "audio-headset"))
    assert await on_trial(Class=Variant("u", 0x2540))
    assert not await on_trial(Class=Variant("u", 0x240404))
    assert await on_trial(UUIDs=Variant("as", ["00001812-0000-1000-8000-00805f9b34fb"]))


async def test_the_power_saver_gives_back_the_profile_of_before(
    mocks: Any, device: LinuxDevice, do: Any, undo: Any
) -> None:
    await asyncio.to_thread(mocks.mock, PROFILES, "--template", "power_profiles_daemon")
    path = "/net/hadess/PowerProfiles"
    profiles = [{"Profile": Variant("s", name)} for name in ("power-saver", "balanced", "performance")]
    changed = {"Profiles": Variant("aa{sv}", profiles), "ActiveProfile": Variant("s", "performance")}
    await mocks.tell(PROFILES, path, "UpdateProperties", "sa{sv}", [PROFILES, changed])
    settings = SettingsConnector(device)
    outcome = await do(settings, "set", setting="power_saver", value="on")
    assert outcome.text == "Power saver is on."
    assert await mocks.get(PROFILES, path, PROFILES, "ActiveProfile") == "power-saver"
    await undo(settings, outcome)
    assert await mocks.get(PROFILES, path, PROFILES, "ActiveProfile") == "performance"


async def test_airplane_mode_is_the_desktops(mocks: Any, device: LinuxDevice, do: Any) -> None:
    path = "/org/gnome/SettingsDaemon/Rfkill"
    await asyncio.to_thread(mocks.mock, RFKILL, RFKILL, path, RFKILL)
    for name, value in (("AirplaneMode", False), ("HasAirplaneMode", True)):
        await mocks.tell(RFKILL, path, "AddProperty", "ssv", [RFKILL, name, Variant("b", value)])
    outcome = await do(SettingsConnector(device), "set", setting="airplane_mode", value="on")
    assert outcome.text == "Airplane mode is on."
    assert await mocks.get(RFKILL, path, RFKILL, "AirplaneMode") is True


def text_of(file: Path) -> str:
    return file.read_text("utf-8").strip()


def runs(process: str) -> bool:
    return Path(f"/proc/{process}").exists()


def backlight(folder: Path, name: str, kind: str, level: int, highest: int) -> Path:
    place = folder / "backlights" / name
    place.mkdir(parents=True)
    for file, text in (("type", kind), ("brightness", level), ("max_brightness", highest)):
        (place / file).write_text(f"{text}\n")
    return place


async def logind(mocks: Any, code: str) -> None:
    """A logind with a session, whose SetBrightness runs `code`."""
    await asyncio.to_thread(mocks.mock, LOGIND, "--template", "logind")
    session = "org.freedesktop.login1.Session"
    await mocks.tell(
        LOGIND, "/org/freedesktop/login1", "AddObject", "ssa{sv}a(ssss)", [SESSION_PATH, session, {}, []]
    )
    await mocks.tell(LOGIND, SESSION_PATH, "AddMethod", "sssss", [session, "SetBrightness", "ssu", "", code])


async def test_brightness_is_set_by_logind_on_the_preferred_backlight(
    mocks: Any, device: LinuxDevice, do: Any, undo: Any, tmp_path: Path
) -> None:
    backlight(tmp_path, "a_raw", "raw", 10, 255)
    place = backlight(tmp_path, "b_firmware", "firmware", 750, 937)
    await logind(mocks, f"open('{place.parent}/' + args[1] + '/brightness', 'w').write(str(int(args[2])))")
    settings = SettingsConnector(device)
    outcome = await do(settings, "set", setting="brightness", value="0 %")
    assert outcome.text == "The brightness is at 5 %."
    assert text_of(place / "brightness") == "47"
    assert (await undo(settings, outcome)).text == "The brightness is at 80 %."
    assert text_of(place / "brightness") == "750"


async def test_a_system_that_forbids_it_is_told(
    mocks: Any, device: LinuxDevice, do: Any, tmp_path: Path
) -> None:
    backlight(tmp_path, "screen", "raw", 80, 100)
    await logind(
        mocks, "raise dbus.exceptions.DBusException('no', name='org.freedesktop.DBus.Error.AccessDenied')"
    )
    outcome = await do(SettingsConnector(device), "set", setting="brightness", value="50 %")
    assert outcome.text == (
        "The brightness was not changed: the system does not allow it without an administrator. "
        "The brightness is still at 80 %."
    )


async def test_success_without_effect_on_a_real_bus_is_not_success(
    mocks: Any, device: LinuxDevice, do: Any, tmp_path: Path
) -> None:
    backlight(tmp_path, "screen", "raw", 80, 100)
    await logind(mocks, "pass")
    outcome = await do(SettingsConnector(device, patience=0.3), "set", setting="brightness", value="50 %")
    assert not outcome.ok
    assert "was not changed" in outcome.text


async def test_broken_backlights_are_passed_over(mocks: Any, device: LinuxDevice, tmp_path: Path) -> None:
    backlight(tmp_path, "a", "firmware", 1, 0)
    (backlight(tmp_path, "b", "firmware", 1, 9) / "brightness").write_text("bright")
    backlight(tmp_path, "c", "raw", 3, 6)
    assert await device.read(Setting.BRIGHTNESS) == 50


async def test_volume_and_mute_of_the_default_output_are_set(
    sound_server: Any, no_bus: str, do: Any, undo: Any
) -> None:
    device = LinuxDevice(system_bus=no_bus, session_bus=no_bus, sound_server=sound_server.address)
    settings = SettingsConnector(device)
    first = await do(settings, "set", setting="volume", value="40 %")
    assert (first.ok, first.text) == (True, "The volume is at 40 %.")
    louder = await do(settings, "set", setting="volume", value="a bit louder")
    assert louder.text == "The volume is at 45 %."
    assert (await undo(settings, louder)).text == "The volume is at 40 %."
    assert (await do(settings, "set", setting="mute", value="on")).text == "Mute is on."
    assert await device.read(Setting.VOLUME) == 40
    assert await device.read(Setting.MUTE) is True


async def test_a_sound_server_that_hangs_is_given_up(sound_server: Any, no_bus: str) -> None:
    config = Config(timeout=0.5)
    device = LinuxDevice(config, system_bus=no_bus, session_bus=no_bus, sound_server=sound_server.address)
    assert isinstance(await device.read(Setting.VOLUME), int)
    sound_server.process.send_signal(signal.SIGSTOP)
    started = time.monotonic()
    with pytest.raises(DeviceError):
        await device.read(Setting.VOLUME)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("sound_server", ["auto_null"], indirect=True)
async def test_an_output_that_goes_nowhere_is_none(sound_server: Any, no_bus: str) -> None:
    device = LinuxDevice(system_bus=no_bus, session_bus=no_bus, sound_server=sound_server.address)
    known = await device.probe()
    assert known[Setting.VOLUME] == known[Setting.MUTE] == "there is no sound output"


@pytest.fixture
def gnome(mocks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A desktop that is GNOME, with its settings in a file of the test's own."""
    if shutil.which("gsettings") is None:
        missing("there is no gsettings (Debian: libglib2.0-bin, gsettings-desktop-schemas)")
    monkeypatch.setenv("GSETTINGS_BACKEND", "keyfile")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    mocks.mock("org.gnome.Shell", "org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell")
    return tmp_path / "glib-2.0/settings/keyfile"


@pytest.mark.parametrize(
    ("setting", "stored"),
    [("do_not_disturb", "show-banners=false"), ("dark_mode", "color-scheme='prefer-dark'")],
)
async def test_gnomes_switches_are_kept_by_gnome(
    gnome: Path, device: LinuxDevice, do: Any, undo: Any, setting: str, stored: str
) -> None:
    settings = SettingsConnector(device)
    outcome = await do(settings, "set", setting=setting, value="on")
    assert outcome.ok, outcome.text
    assert stored in text_of(gnome)
    assert (await undo(settings, outcome)).ok
    assert stored not in text_of(gnome)


async def test_another_desktop_has_no_use_for_gnomes_switches(device: LinuxDevice) -> None:
    assert (await device.probe())[Setting.DARK_MODE] in (
        "this desktop is not GNOME",
        "the command gsettings is missing",
    )


async def test_a_command_that_hangs_is_ended(
    gnome: Path, mocks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "gsettings"
    program.write_text('#!/bin/sh\necho $$ > "$0.pid"\nexec sleep 100\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    device = LinuxDevice(Config(timeout=0.5), system_bus=mocks.address, session_bus=mocks.address)
    with pytest.raises(DeviceError) as caught:
        await device.read(Setting.DARK_MODE)
    assert caught.value.needs is Needs.TIMEOUT
    assert not runs(text_of(tmp_path / "gsettings.pid"))


async def test_a_desktop_session_without_an_address_is_looked_for_and_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    device = LinuxDevice(sound_server=f"unix:{tmp_path}/nobody", system_bus=f"unix:path={tmp_path}/nobody")
    known = await device.probe()
    assert known[Setting.AIRPLANE_MODE] == "there is no desktop session"
