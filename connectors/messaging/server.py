"""A mail server as the settings name it."""

from dataclasses import dataclass
from typing import Final, Literal

from connectors.loopback import is_loopback
from connectors.trust import tls

__all__ = ["IMAP_PORTS", "SMTP_PORTS", "Login", "Security", "Server", "is_loopback", "tls"]

Security = Literal["tls", "starttls", "none"]
Login = Literal["password", "xoauth2", "oauth"]

IMAP_PORTS: Final[dict[Security, int]] = {"tls": 993, "starttls": 143, "none": 143}
SMTP_PORTS: Final[dict[Security, int]] = {"tls": 465, "starttls": 587, "none": 25}


@dataclass(frozen=True, slots=True)
class Server:
    """Where to connect and as whom; `port` is a TCP port, `timeout` in seconds for each step.

    With `login = xoauth2` or `oauth` the secret is an access token (RFC 7628, and Google's older way).
    """

    host: str
    port: int
    security: Security
    user: str
    login: Login = "password"
    timeout: float = 15.0

    @property
    def bearer(self) -> bool:
        """True where a token signs in."""
        return self.login != "password"

    @property
    def shown(self) -> str:
        return f"{self.host}:{self.port}"
