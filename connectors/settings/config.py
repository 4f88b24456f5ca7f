"""The settings service's own settings, in `connectors/settings.toml`."""

from pydantic import BaseModel, ConfigDict

from connectors.settings.tools import Setting


class Config(BaseModel):
    """Which settings of the device may be touched; `hidden` ones are neither shown nor changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hidden: tuple[Setting, ...] = ()
