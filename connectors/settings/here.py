"""The device that Askfirst runs on."""

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import cast

from connectors.settings.config import Config
from connectors.settings.device import Device
from connectors.settings.simulated import SimulatedDevice

_DEVICES: Mapping[str, tuple[str, str]] = {
    "linux": ("connectors.settings.linux.device", "LinuxDevice"),
    "darwin": ("connectors.settings.commands.macos", "mac_device"),
    "win32": ("connectors.settings.commands.windows", "windows_device"),
}


def this_device(config: Config, platform: str = sys.platform) -> Device:
    """The device; one whose system is not known has no settings."""
    if platform not in _DEVICES:
        return SimulatedDevice({})
    # Loaded only where it is needed: what speaks D-Bus is not there on other systems.
    module, name = _DEVICES[platform]
    return cast(Callable[[Config], Device], getattr(importlib.import_module(module), name))(config)
