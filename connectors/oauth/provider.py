"""Where a provider lets people sign in, and what is asked for there: data, as the providers publish it."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Provider:
    """The addresses of a provider's authorization server (RFC 6749, RFC 8628) and the scopes to ask for.

    `device` is empty where it gives no codes for what is asked; `register` tells where a person makes an app
    of their own, whose client id is needed.
    """

    name: str
    authorize: str
    token: str
    device: str
    scopes: tuple[str, ...]
    register: str = ""

    @property
    def host(self) -> str:
        """Where the person signs in, for showing."""
        return urlsplit(self.authorize or self.device).hostname or self.name


_MICROSOFT: Final = "https://login.microsoftonline.com/common/oauth2/v2.0"

KNOWN: Final = {
    each.name: each
    for each in (
        Provider(
            "google",
            "https://accounts.google.com/o/oauth2/v2/auth",
            "https://oauth2.googleapis.com/token",
            # It gives no codes for devices that may read mail.
            "",
            ("https://mail.google.com/",),
            "https://console.cloud.google.com/apis/credentials",
        ),
        Provider(
            "microsoft",
            f"{_MICROSOFT}/authorize",
            f"{_MICROSOFT}/token",
            f"{_MICROSOFT}/devicecode",
            (
                "offline_access",
                "https://outlook.office.com/IMAP.AccessAsUser.All",
                "https://outlook.office.com/SMTP.Send",
            ),
            "https://portal.azure.com",
        ),
    )
}
