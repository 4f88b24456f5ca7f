"""Which signs the terminal gives when something is asked and nobody looks."""

from pydantic import BaseModel, ConfigDict


class Signs(BaseModel):
    """Which signs are given when something is asked and nobody looks: `[waiting]` in `config.toml`.

    `bell` rings, `notification` asks the terminal for a desktop notification (OSC 9), `title` changes the
    window's title while a question is open.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    bell: bool = True
    notification: bool = True
    title: bool = True
