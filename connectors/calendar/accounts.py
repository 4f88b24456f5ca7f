"""What a person may say of an account on a CalDAV server."""

from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from connectors.secrets.settings import SecretSource


class Mode(StrEnum):
    """How much of an account is used."""

    OFF = "off"
    READ_ONLY = "read-only"
    FULL = "full"


class Account(BaseModel):
    """One account, `[accounts.<name>]` in calendar.toml.

    `address` is the person's own, where the server does not say it; `calendars` picks calendars by name, path
    or displayed name (none: all); `plain_http` is the one host to which a password may go unencrypted;
    `authority` is a file with the certificates to trust instead of the system's; `profile` names the server's
    peculiarities where they are not recognised; `notify` says whether a server that can mail invitations may;
    `timeout` is in seconds; so is `fresh`, for which what was seen is taken as new when only reading.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    user: str = ""
    address: str = ""
    password: SecretSource = SecretSource()
    mode: Mode = Mode.FULL
    calendars: tuple[str, ...] = ()
    plain_http: str = ""
    authority: Path | None = None
    auth: Literal["basic", "digest", "bearer"] = "basic"
    profile: str = ""
    notify: Literal["ask", "never"] = "ask"
    timeout: int = Field(15, ge=1, le=120)
    fresh: int = Field(15, ge=0, le=3600)

    @field_validator("url")
    @classmethod
    def _is_a_web_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("url must be an address that begins with https://")
        if parts.username or parts.password:
            raise ValueError("user and password do not belong in the url; set user, and password.command")
        return url

    @model_validator(mode="after")
    def _is_encrypted(self) -> Self:
        if not is_secure(self.url, self.plain_http):
            raise ValueError(
                "url is not encrypted; use https://, or name this host in plain_http if you trust the network"
            )
        return self


def is_secure(url: str, plain_http: str = "") -> bool:
    """True for https, for this very machine, and for the one host that may be spoken to in the clear."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts.scheme == "https" or (
        parts.scheme == "http" and (_loopback(host) or host == plain_http != "")
    )


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
