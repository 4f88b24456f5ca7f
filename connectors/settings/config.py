"""The settings service's own settings, in `connectors/settings.toml`."""

from pydantic import BaseModel, ConfigDict, Field

from connectors.settings.tools import Setting


class Config(BaseModel):
    """Which settings of the device may be touched; `hidden` ones are neither shown nor changed.

    `timeout` is in seconds, for each question to a service of the system.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    hidden: tuple[Setting, ...] = ()
    timeout: float = Field(3.0, gt=0, le=30)
