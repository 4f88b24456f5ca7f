"""Askfirst's own settings, in `config.toml`."""

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """What a person may set for the whole program.

    `timezone` is an IANA name such as "Europe/Copenhagen" (left out: this machine's), `model` the name of an
    installed model or the path of a GGUF file, `threads` how many the model may use (left out: cores but one).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    timezone: str | None = None
    model: str = "starter"
    threads: int | None = Field(None, ge=1)
