"""The device's tools: what may be asked of it, in words copied from the person."""

from enum import StrEnum

from pydantic import Field

from connectors.base import Effect, Tool, ToolArguments


class Setting(StrEnum):
    """The settings Askfirst knows; a device may offer fewer."""

    WIFI = "wifi"
    BLUETOOTH = "bluetooth"
    VOLUME = "volume"
    MUTE = "mute"
    BRIGHTNESS = "brightness"
    DO_NOT_DISTURB = "do_not_disturb"
    DARK_MODE = "dark_mode"
    AIRPLANE_MODE = "airplane_mode"
    POWER_SAVER = "power_saver"


class Get(ToolArguments):
    setting: Setting | None = Field(None, description="one setting; left out, all are shown")


class Set(ToolArguments):
    setting: Setting | None = None
    value: str | None = Field(
        None, description="on, off, a percentage, or a change such as louder, in the person's words"
    )


TOOLS = (
    Tool("settings.get", "show how the device is set", Get, Effect.READ),
    Tool("settings.set", "switch or set something on the device", Set, Effect.CONFIGURE),
)
