"""Macs and Windows machines by their commands: what is run, and how recorded output is read."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from connectors.base import Needs
from connectors.settings.commands import macos, windows
from connectors.settings.commands.device import CommandDevice
from connectors.settings.commands.macos import mac_device
from connectors.settings.commands.run import Commands, Result
from connectors.settings.commands.windows import windows_device
from connectors.settings.config import Config
from connectors.settings.connector import SettingsConnector
from connectors.settings.device import DeviceError, Value
from connectors.settings.here import this_device
from connectors.settings.tools import Setting

# networksetup -listallhardwareports, on a laptop with a dock.
PORTS = """
Hardware Port: USB 10/100/1000 LAN
Device: en7
Ethernet Address: 00:11:22:33:44:55

Hardware Port: Wi-Fi
Device: en0
Ethernet Address: 00:11:22:33:44:56

VLAN Configurations
===================
"""
# defaults read -g AppleInterfaceStyle, in light mode.
NO_STYLE = Result(
    1,
    "",
    "2026-11-30 10:00:00.000 defaults[612:9] \nThe domain/default pair of"
    " (kCFPreferencesAnyApplication, AppleInterfaceStyle) does not exist\n",
)
# pmset -g
PMSET = """System-wide power settings:
Currently in use:
 standby              1
 lowpowermode         0
 sleep                1 (sleep prevented by powerd)
"""
# powercfg /list and /getactivescheme, in German.
SCHEMES = """
Bestehende Energieschemen (* Aktiv)
-----------------------------------
GUID des Energieschemas: 381b4222-f694-41f0-9685-ff5bb260df2e  (Ausbalanciert) *
GUID des Energieschemas: 8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c  (Höchstleistung)
GUID des Energieschemas: A1841308-3541-4FAB-BC81-F71556F20B4A  (Energiesparmodus)
"""
ACTIVE = "GUID des Energieschemas: 381b4222-f694-41f0-9685-ff5bb260df2e  (Ausbalanciert)\n"


class System:
    """A system that answers commands as it was recorded, and remembers what it was told to do."""

    def __init__(self, answers: Mapping[Sequence[str], Result | str]) -> None:
        self._answers = answers
        self.told: list[Sequence[str]] = []

    async def __call__(self, command: Sequence[str]) -> Result:
        command = tuple(command)
        if command in self._answers:
            answer = self._answers[command]
            return answer if isinstance(answer, Result) else Result(0, answer)
        self.told.append(command)
        return Result(0)


VOLUME = ("osascript", "-e", "output volume of (get volume settings)")
MUTED = ("osascript", "-e", "output muted of (get volume settings)")
STYLE = ("defaults", "read", "-g", "AppleInterfaceStyle")
MAC: Mapping[Sequence[str], Result | str] = {
    ("networksetup", "-listallhardwareports"): PORTS,
    ("networksetup", "-getairportpower", "en0"): "Wi-Fi Power (en0): On\n",
    VOLUME: "44\n",
    MUTED: "false\n",
    STYLE: NO_STYLE,
    ("id", "-u"): "0\n",
    ("pmset", "-g"): PMSET,
}


@pytest.mark.parametrize(
    ("setting", "now", "wanted", "command"),
    [
        (Setting.WIFI, True, False, ("networksetup", "-setairportpower", "en0", "off")),
        (Setting.VOLUME, 44, 30, ("osascript", "-e", "set volume output volume 30")),
        (Setting.MUTE, False, True, ("osascript", "-e", "set volume output muted true")),
        (
            Setting.DARK_MODE,
            False,
            True,
            (
                "osascript",
                "-e",
                'tell application "System Events" to tell appearance preferences to set dark mode to true',
            ),
        ),
        (Setting.POWER_SAVER, False, True, ("pmset", "-a", "lowpowermode", "1")),
    ],
)
async def test_a_mac_is_read_and_told(
    setting: Setting, now: Value, wanted: Value, command: Sequence[str]
) -> None:
    system = System(MAC)
    device = mac_device(run=system)
    assert await device.read(setting) == now
    assert type(await device.read(setting)) is type(now)
    await device.write(setting, wanted)
    assert system.told == [command]


async def test_what_a_mac_has_no_command_for_is_hidden() -> None:
    known = await mac_device(run=System(MAC)).probe()
    assert {setting for setting, why in known.items() if not why} == {
        Setting.WIFI,
        Setting.VOLUME,
        Setting.MUTE,
        Setting.DARK_MODE,
        Setting.POWER_SAVER,
    }
    assert known[Setting.BLUETOOTH] == "macOS has no command for it"


@pytest.mark.parametrize(
    ("command", "answer", "setting", "why"),
    [
        (
            ("networksetup", "-listallhardwareports"),
            "Hardware Port: Ethernet\nDevice: en0\n",
            "wifi",
            "no Wi-Fi",
        ),
        (
            ("networksetup", "-getairportpower", "en0"),
            "en0 is not a Wi-Fi interface.",
            "wifi",
            "neither on nor",
        ),
        (VOLUME, "missing value\n", "volume", "no volume of its own"),
        (MUTED, "missing value\n", "mute", "cannot be muted"),
        (("id", "-u"), "501\n", "power_saver", "only an administrator"),
        (("pmset", "-g"), "Currently in use:\n sleep 1\n", "power_saver", "no low power mode"),
        (STYLE, Result(1, "", "Could not reach the preferences server"), "dark_mode", "the system refused"),
    ],
)
async def test_what_a_mac_lacks_is_said(
    command: Sequence[str], answer: Result | str, setting: str, why: str
) -> None:
    known = await mac_device(run=System({**MAC, command: answer})).probe()
    assert why in known[Setting(setting)]


async def test_a_dark_mac_is_dark() -> None:
    device = mac_device(run=System({**MAC, STYLE: "Dark\n"}))
    assert await device.read(Setting.DARK_MODE) is True


def reading(part: Any) -> tuple[str, ...]:
    return tuple(part.reading)


WINDOWS: Mapping[Sequence[str], Result | str] = {
    reading(windows.PARTS[Setting.WIFI]): "On\r\n",
    reading(windows.PARTS[Setting.BLUETOOTH]): "Off\r\n",
    reading(windows.PARTS[Setting.BRIGHTNESS]): "80\r\n",
    reading(windows.PARTS[Setting.DARK_MODE]): "1\r\n",
    ("powercfg", "/list"): SCHEMES,
    ("powercfg", "/getactivescheme"): ACTIVE,
}


@pytest.mark.parametrize(
    ("setting", "now", "wanted", "words"),
    [
        (Setting.WIFI, True, False, ("$_.Kind -eq 'WiFi'", "SetStateAsync('Off')")),
        (Setting.BLUETOOTH, False, True, ("$_.Kind -eq 'Bluetooth'", "SetStateAsync('On')")),
        (Setting.BRIGHTNESS, 80, 55, ("WmiSetBrightness", "Timeout=0;Brightness=55")),
        (
            Setting.DARK_MODE,
            False,
            True,
            ("-Name AppsUseLightTheme -Value 0", "-Name SystemUsesLightTheme -Value 0"),
        ),
        (Setting.POWER_SAVER, False, True, ("/setactive", "SCHEME_MAX")),
        (Setting.POWER_SAVER, False, False, ("/setactive", "SCHEME_BALANCED")),
    ],
)
async def test_a_windows_machine_is_read_and_told(
    setting: Setting, now: Value, wanted: Value, words: Sequence[str]
) -> None:
    system = System(WINDOWS)
    device = windows_device(run=system)
    assert await device.read(setting) == now
    assert type(await device.read(setting)) is type(now)
    await device.write(setting, wanted)
    (command,) = system.told
    for word in words:
        assert word in " ".join(command)
    assert command[0] in ("powershell.exe", "powercfg")


@pytest.mark.parametrize(
    ("setting", "answer", "why"),
    [
        (Setting.WIFI, "None", "no such adapter"),
        (Setting.WIFI, "Disabled", "keeps it off"),
        (Setting.BLUETOOTH, "Unknown", "not known"),
        (Setting.BRIGHTNESS, "", "no built-in screen"),
        (Setting.BRIGHTNESS, Result(1, "", "Get-CimInstance : Not supported"), "the system refused: Get-Cim"),
        (Setting.DARK_MODE, "", "the theme is not known"),
    ],
)
async def test_what_a_windows_machine_lacks_is_said(setting: Setting, answer: Result | str, why: str) -> None:
    system = System({**WINDOWS, reading(windows.PARTS[setting]): answer})
    assert why in (await windows_device(run=system).probe())[setting]


async def test_a_machine_with_one_power_scheme_has_no_power_saver() -> None:
    known = await windows_device(run=System({**WINDOWS, ("powercfg", "/list"): ACTIVE})).probe()
    assert known[Setting.POWER_SAVER] == "this computer has no power saver scheme"
    assert known[Setting.VOLUME] == "Windows has no command for it"


async def test_the_active_scheme_is_known_whatever_the_language() -> None:
    active = "GUID: A1841308-3541-4FAB-BC81-F71556F20B4A  (Économie d'énergie)"
    device = windows_device(run=System({**WINDOWS, ("powercfg", "/getactivescheme"): active}))
    assert await device.read(Setting.POWER_SAVER) is True


@pytest.mark.parametrize(
    ("parts", "missing"), [(macos.PARTS, macos.MISSING), (windows.PARTS, windows.MISSING)]
)
def test_every_setting_has_a_part_or_a_reason(
    parts: Mapping[Setting, object], missing: Mapping[Setting, str]
) -> None:
    assert set(parts) | set(missing) == set(Setting)
    assert not set(parts) & set(missing)


async def test_success_without_effect_is_seen_over_commands_too(do: Any) -> None:
    system = System(MAC)
    outcome = await do(
        SettingsConnector(mac_device(run=system), patience=0), "set", setting="mute", value="on"
    )
    assert not outcome.ok
    assert "Mute was not changed" in outcome.text
    assert len(system.told) == 1


async def test_a_setting_without_a_part_cannot_be_written() -> None:
    with pytest.raises(DeviceError, match="has no command") as raised:
        await mac_device(run=System(MAC)).write(Setting.BLUETOOTH, True)
    assert raised.value.needs is Needs.UNSUPPORTED


class TestRunning:
    async def test_output_and_code_are_given(self) -> None:
        result = await Commands(10)((sys.executable, "-c", "import sys; print('a'); sys.exit('no')"))
        assert (result.code, result.out, result.err) == (1, "a\n", "no\n")
        with pytest.raises(DeviceError, match=r"^the system refused: no$"):
            result.good()

    async def test_a_command_that_is_not_there_is_said(self) -> None:
        with pytest.raises(DeviceError, match="no-such-command cannot be run"):
            await Commands(10)(("no-such-command",))

    async def test_a_command_that_never_ends_is_ended(self) -> None:
        with pytest.raises(DeviceError, match="does not end in time") as raised:
            await Commands(0.2)((sys.executable, "-c", "import time; time.sleep(60)"))
        assert raised.value.needs is Needs.TIMEOUT

    async def test_nothing_can_be_typed_into_it(self) -> None:
        result = await Commands(10)((sys.executable, "-c", "import sys; print(repr(sys.stdin.read()))"))
        assert result.good() == "''"


async def test_each_system_has_its_device_and_an_unknown_one_has_none() -> None:
    assert isinstance(this_device(Config(), "darwin"), CommandDevice)
    assert isinstance(this_device(Config(), "win32"), CommandDevice)
    assert all((await this_device(Config(), "plan9").probe()).values())
