"""The settings of a Windows machine, by what Microsoft documents. Untested on a real Windows.

Windows.Devices.Radios (WinRT) for Wi-Fi and Bluetooth, the WMI classes WmiMonitorBrightness and
WmiMonitorBrightnessMethods for the screen, the registry's AppsUseLightTheme for dark mode, and powercfg for
the power saver; all through PowerShell 5.1, which comes with Windows. Their output is read as in the samples
of the tests.
"""

import re
from collections.abc import Mapping, Sequence

from connectors.settings.commands.device import CommandDevice, Part, Plain
from connectors.settings.commands.run import Commands, Result, Run
from connectors.settings.config import Config
from connectors.settings.device import DeviceError, Value
from connectors.settings.tools import Setting

_THEME = r"HKCU:\Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
_THEME_KEYS = ("AppsUseLightTheme", "SystemUsesLightTheme")
_SAVER = "a1841308-3541-4fab-bc81-f71556f20b4a"
_SCHEME = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# Awaiting a WinRT operation takes the extension method AsTask, found by reflection.
_RADIOS = (
    "Add-Type -AssemblyName System.Runtime.WindowsRuntime;"
    "$tasks=[System.WindowsRuntimeSystemExtensions].GetMethods()|?{$_.Name -eq 'AsTask'};"
    "$task=($tasks|?{$_.GetParameters().Count -eq 1 -and"
    " $_.GetParameters()[0].ParameterType.Name -eq 'IAsyncOperation`1'})[0];"
    "function Await($o,$t){$n=$task.MakeGenericMethod($t).Invoke($null,@($o));"
    "$n.Wait(-1)|Out-Null;$n.Result};"
    "[Windows.Devices.Radios.Radio,Windows.System.Devices,ContentType=WindowsRuntime]|Out-Null;"
    "[Windows.Devices.Radios.RadioAccessStatus,Windows.System.Devices,ContentType=WindowsRuntime]|Out-Null;"
    "$all=Await ([Windows.Devices.Radios.Radio]::GetRadiosAsync())"
    " ([System.Collections.Generic.IReadOnlyList[Windows.Devices.Radios.Radio]]);"
    "$radio=$all|?{$_.Kind -eq 'KIND'}|Select-Object -First 1;"
)
_RADIO_STATE = "if($radio){$radio.State.ToString()}else{'None'}"
_RADIO_SET = "Await ($radio.SetStateAsync('STATE')) ([Windows.Devices.Radios.RadioAccessStatus])"
_BRIGHTNESS = (
    "(Get-CimInstance -Namespace root/WMI -ClassName WmiMonitorBrightness|"
    "Select-Object -First 1).CurrentBrightness"
)
_SET_BRIGHTNESS = (
    "Get-CimInstance -Namespace root/WMI -ClassName WmiMonitorBrightnessMethods|Select-Object -First 1|"
    "Invoke-CimMethod -MethodName WmiSetBrightness -Arguments @{Timeout=0;Brightness=LEVEL}"
)
_NO_COMMAND = "Windows has no command for it"
_LACKING = (Setting.VOLUME, Setting.MUTE, Setting.DO_NOT_DISTURB, Setting.AIRPLANE_MODE)
MISSING: Mapping[Setting, str] = dict.fromkeys(_LACKING, _NO_COMMAND)


def powershell(line: str) -> Sequence[str]:
    """One line of PowerShell as a command; an error in it ends it with a code."""
    return (
        "powershell.exe",
        "-NoProfile",
        "-NonInteractive",
        "-Command",
        f"$ErrorActionPreference='Stop';{line}",
    )


def radio(kind: str) -> Plain:
    """A radio of a kind of Windows.Devices.Radios.RadioKind: WiFi or Bluetooth."""
    found = _RADIOS.replace("KIND", kind)
    return Plain(
        powershell(found + _RADIO_STATE),
        radio_state,
        lambda value: powershell(found + _RADIO_SET.replace("STATE", "On" if value else "Off")),
    )


def radio_state(result: Result) -> bool:
    """Whether a radio is on (RadioState). Raises DeviceError."""
    said = result.good()
    match said:
        case "On" | "Off":
            return said == "On"
        case "None":
            raise DeviceError("there is no such adapter in this computer")
        case "Disabled":
            raise DeviceError("the system or a switch on the computer keeps it off")
    raise DeviceError("the state of the adapter is not known")


def brightness(result: Result) -> int:
    """The brightness in percent. Raises DeviceError."""
    said = result.good()
    if not said.isdecimal():
        raise DeviceError("there is no built-in screen whose brightness can be set")
    return int(said)


def dark(result: Result) -> bool:
    """Whether apps are dark: the registry says 1 where they are light. Raises DeviceError."""
    said = result.good()
    if said not in ("0", "1"):
        raise DeviceError("the theme is not known")
    return said == "0"


def schemes(said: str) -> tuple[str, ...]:
    """The ids of the power schemes that powercfg names, whatever the language it speaks."""
    return tuple(found.lower() for found in _SCHEME.findall(said))


class PowerSaver:
    """The scheme Power saver, and back to Balanced; newer machines have only Balanced."""

    async def read(self, run: Run) -> Value:
        if _SAVER not in schemes((await run(("powercfg", "/list"))).good()):
            raise DeviceError("this computer has no power saver scheme")
        return schemes((await run(("powercfg", "/getactivescheme"))).good())[:1] == (_SAVER,)

    async def write(self, run: Run, value: Value) -> None:
        scheme = "SCHEME_MAX" if value else "SCHEME_BALANCED"
        (await run(("powercfg", "/setactive", scheme))).good()


def _themed(value: Value) -> Sequence[str]:
    light = 0 if value else 1
    return powershell(
        ";".join(f"Set-ItemProperty -Path '{_THEME}' -Name {key} -Value {light}" for key in _THEME_KEYS)
    )


PARTS: Mapping[Setting, Part] = {
    Setting.WIFI: radio("WiFi"),
    Setting.BLUETOOTH: radio("Bluetooth"),
    Setting.BRIGHTNESS: Plain(
        powershell(_BRIGHTNESS),
        brightness,
        lambda value: powershell(_SET_BRIGHTNESS.replace("LEVEL", str(int(value)))),
    ),
    Setting.DARK_MODE: Plain(
        powershell(f"Get-ItemPropertyValue -Path '{_THEME}' -Name {_THEME_KEYS[0]}"), dark, _themed
    ),
    Setting.POWER_SAVER: PowerSaver(),
}


def windows_device(config: Config | None = None, run: Run | None = None) -> CommandDevice:
    """This Windows machine."""
    return CommandDevice(PARTS, MISSING, run or Commands((config or Config()).timeout))
