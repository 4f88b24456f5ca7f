"""Askfirst's own settings, in `config.toml`."""

import json
import re
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import tzlocal
from pydantic import BaseModel, ConfigDict, Field, field_validator

from assistant.model.starter import KEY as STARTER
from connectors.atomic import write_file
from connectors.config import load
from tui.model_settings import KEY, HubSettings, ModelSettings
from tui.signs import Signs

_MODEL_LINE = re.compile(r"^model\s*=.*$", re.MULTILINE)


class Settings(BaseModel):
    """What a person may set for the whole program.

    `timezone` is an IANA name such as "Europe/Copenhagen" (left out: this machine's), `model` the name of an
    installed model or the path of a GGUF file, `threads` how many it may use (left out: cores but one),
    `[waiting]` which signs are given when something is asked and nobody looks.
    `hold_seconds` is how long a message waits after your yes, so that you can take it back: 10 to 600, or 0
    for not at all. `[hub]` says where models come from, `[models.KEY]` what is otherwise with one of them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    timezone: str | None = None
    model: str = "starter"
    threads: int | None = Field(None, ge=1)
    waiting: Signs = Signs()
    hold_seconds: int = 30
    hub: HubSettings = HubSettings()
    models: dict[str, ModelSettings] = {}

    @field_validator("timezone")
    @classmethod
    def _timezone_is_known(cls, value: str | None) -> str | None:
        if value is not None and value not in available_timezones():
            raise ValueError("is not a known time zone; use a name such as Europe/Copenhagen")
        return value

    @field_validator("models")
    @classmethod
    def _keys_are_plain(cls, value: dict[str, ModelSettings]) -> dict[str, ModelSettings]:
        for key in value:
            if not KEY.fullmatch(key):
                raise ValueError(f"“{key}” cannot name a model; use a-z, 0-9, . _ and -")
            if key == STARTER:
                raise ValueError("the starter is as it is, and nothing can be set for it")
        return value

    @field_validator("hold_seconds")
    @classmethod
    def _hold_is_none_or_long_enough(cls, value: int) -> int:
        if value != 0 and not 10 <= value <= 600:
            raise ValueError("must be 0, or from 10 to 600 seconds")
        return value


def about_model(settings: Settings, key: str) -> ModelSettings:
    """What is set for one model."""
    return settings.models.get(key, ModelSettings())


def zone_of(settings: Settings) -> ZoneInfo:
    """The time zone to speak in: the one set, this machine's, or UTC where that is not known."""
    if settings.timezone:
        return ZoneInfo(settings.timezone)
    try:
        return ZoneInfo(tzlocal.get_localzone_name())
    except (LookupError, ValueError, OSError):
        return ZoneInfo("UTC")


def use_model(path: Path, key: str) -> None:
    """Name another model in `config.toml`, leaving the rest as it stands. Raises ConfigError or OSError."""
    load(path, Settings)
    text = path.read_text("utf-8") if path.exists() else ""
    line = f"model = {json.dumps(key, ensure_ascii=False)}"
    changed, found = _MODEL_LINE.subn(lambda _: line, text, count=1)
    write_file(path, (changed if found else f"{line}\n{text}").encode())
