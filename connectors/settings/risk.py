"""Which changes could leave the person unable to take them back."""

from connectors.settings.device import Device, DeviceError, Value, WithInput
from connectors.settings.tools import Setting

_CUTTING = frozenset({(Setting.WIFI, False), (Setting.AIRPLANE_MODE, True)})


async def cuts_off(device: Device, setting: Setting, value: Value) -> bool:
    """Whether a change could end a remote login, or take away the keyboard.

    What cannot be found out of a keyboard counts as there being one.
    """
    if (setting, bool(value)) in _CUTTING:
        return True
    if setting is not Setting.BLUETOOTH or value or not isinstance(device, WithInput):
        return False
    try:
        return await device.has_bluetooth_input()
    except DeviceError:
        return True
