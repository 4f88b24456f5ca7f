"""What may be set for an account on Matrix."""

from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from connectors.messaging.server import is_loopback
from connectors.mode import Mode
from connectors.people import is_matrix_id
from connectors.secrets.settings import SecretSource
from connectors.trust import Authority


class Account(BaseModel):
    """`[matrix]`: an account on a homeserver.

    `user` is the id, such as @robin:example.org, and `homeserver` the address of its server, with https;
    http only for this very machine or the one host named in `plain_http`. `token` says where the access token
    is. `rooms` are the only rooms that are read and written to, by id or name (none: all). `mode` is off,
    read-only or full; `authority` is a file with certificates to trust besides the system's; `timeout` is in
    seconds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    user: str
    homeserver: str
    token: SecretSource = SecretSource()
    rooms: tuple[str, ...] = ()
    mode: Mode = Mode.FULL
    plain_http: str = ""
    authority: Authority | None = None
    timeout: float = Field(15.0, gt=0, le=120)

    @field_validator("user")
    @classmethod
    def _user_is_one(cls, value: str) -> str:
        if not is_matrix_id(value):
            raise ValueError("must be a Matrix id, such as @robin:example.org")
        return value

    @model_validator(mode="after")
    def _is_encrypted(self) -> Self:
        address = urlsplit(self.homeserver)
        if address.scheme not in ("https", "http") or not address.hostname or address.username:
            raise ValueError("homeserver must be an address such as https://matrix.example.org")
        allowed = is_loopback(address.hostname) or address.hostname == self.plain_http
        if address.scheme == "http" and not allowed:
            raise ValueError(
                "without encryption anybody on the way can read the messages and the token; use https, or"
                " name this host in plain_http if you trust the network"
            )
        return self
