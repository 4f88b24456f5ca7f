"""The settings service's own settings, in `connectors/settings.toml`."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from connectors.base import Effect
from connectors.mode import EVERYTHING, Mode, forbidden
from connectors.settings.tools import Setting


class Config(BaseModel):
    """Which settings of the device may be touched, by `mode`; `hidden` ones are neither shown nor changed.

    `timeout` is in seconds, for each question to a service of the system. A change that could cut the person
    off is set back after `keep_seconds`, unless they say to keep it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: Mode = Mode.FULL
    hidden: tuple[Setting, ...] = ()
    timeout: Annotated[float, Field(gt=0, le=30)] = 3.0
    keep_seconds: Annotated[float, Field(ge=5, le=120)] = 15.0


def stops(before: Config, now: Config) -> frozenset[Effect]:
    """What a change of the settings rules out at once: all, where something is to be hidden."""
    return EVERYTHING if set(now.hidden) - set(before.hidden) else forbidden(now.mode)
