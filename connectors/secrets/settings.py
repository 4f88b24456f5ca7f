"""How a configuration file says where a secret is; the secret itself never stands in one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, model_validator

from connectors.secrets.base import Secret


class SecretSource(BaseModel):
    """`password.command = ["pass", "show", "x"]`, or `.file`, `.environment` or `.keyring`; one of them.

    With none given, the keyring, the file of the name and the environment are looked in, in that order.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    keyring: str | None = None
    command: tuple[str, ...] | None = None
    file: Path | None = None
    environment: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _no_secret_here(cls, found: Any) -> Any:
        if isinstance(found, str):
            # The message must not repeat what may well be the password.
            raise ValueError(
                "a password never stands in this file; say where it is, such as password.command"
            )
        return found

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if len(self.model_fields_set) > 1:
            raise ValueError("name one of keyring, command, file and environment, not several")
        if self.command is not None and not self.command:
            raise ValueError("command needs the name of a program")
        return self


FindSecret = Callable[[str, SecretSource | None], Secret]
"""Finds the secret of a name such as `messaging/imap`. Raises SecretError."""
