"""The settings of a Linux machine, over D-Bus, PulseAudio and gsettings."""

from connectors.settings.linux.device import LinuxDevice

__all__ = ["LinuxDevice"]
