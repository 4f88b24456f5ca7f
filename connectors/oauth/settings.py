"""How a file of settings says where to sign in."""

from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

from connectors.loopback import is_loopback
from connectors.oauth.provider import KNOWN, Provider
from connectors.secrets.settings import SecretSource


class OAuth(BaseModel):
    """`[oauth]`: where people sign in for an account with `login = "oauth"`.

    `provider` is google or microsoft; without it `token` and `authorize` or `device` are the addresses of
    another. `client_id` is that of the app which the person registered there, and `client_secret` says where
    its secret is, if it has one ({}: with the passwords); `scopes` are what is asked for (none: the
    usual ones of the provider). The token itself never stands here: it is kept with the passwords.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: str = ""
    client_id: str = Field(min_length=1, max_length=300, pattern=r"^[\x21-\x7e]+$")
    client_secret: SecretSource | None = None
    authorize: str = ""
    token: str = ""
    device: str = ""
    scopes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.provider and self.provider not in KNOWN:
            raise ValueError(
                f"the providers that are known are {', '.join(KNOWN)}; give addresses for another"
            )
        for url in filter(None, (self.authorize, self.token, self.device)):
            if not is_safe(url):
                raise ValueError("the addresses to sign in at must begin with https://")
        if not self.provider and not (self.token and (self.authorize or self.device)):
            raise ValueError("name a provider, or give token and authorize or device")
        return self

    @property
    def server(self) -> Provider:
        """The authorization server that is meant."""
        known = KNOWN.get(self.provider, Provider("", "", "", "", ()))
        return Provider(
            known.name or urlsplit(self.token).hostname or "the provider",
            self.authorize or known.authorize,
            self.token or known.token,
            self.device or known.device,
            self.scopes or known.scopes,
            known.register,
        )


def is_safe(url: str) -> bool:
    """True for HTTPS, and for this very machine."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))
