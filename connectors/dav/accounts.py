"""What a person may say of an account on a WebDAV server."""

from enum import StrEnum
from ipaddress import ip_address
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from connectors.secrets.settings import SecretSource
from connectors.trust import Authority

# A name is also the beginning of the names of the account's folders, and of a file.
AccountName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,30}$")]


class Mode(StrEnum):
    """How much of an account is used."""

    OFF = "off"
    READ_ONLY = "read-only"
    FULL = "full"


class Account(BaseModel):
    """One account on a server.

    `plain_http` is the one host to which a password may go unencrypted; `authority` is a file with
    certificates to trust besides the system's; `profile` names the server's peculiarities where they are
    not recognised; `timeout` is in seconds; so is `fresh`, for which what was seen is taken as new when only
    reading.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    user: str = ""
    password: SecretSource = SecretSource()
    mode: Mode = Mode.FULL
    plain_http: str = ""
    authority: Authority | None = None
    auth: Literal["basic", "digest", "bearer"] = "basic"
    profile: str = ""
    timeout: int = Field(15, ge=1, le=120)
    fresh: int = Field(15, ge=0, le=3600)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The folders that are used, by name, path or displayed name (none: all)."""
        return ()

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
