"""Where the servers of mail providers are, and how one signs in there: data, as the providers publish it."""

from dataclasses import dataclass
from typing import Final

from connectors.loopback import is_loopback


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider: the domains of its addresses, its servers, and what a person must know to sign in.

    `oauth` is its name among `oauth.provider.KNOWN`; with `keeps_copies` it puts what is sent into Sent.
    """

    domains: tuple[str, ...]
    imap: str
    smtp: str
    sign_in: str = ""
    oauth: str = ""
    keeps_copies: bool = False


_OWN_PASSWORD: Final = "It wants a password made for this program alone (an app password), not your own."

PROVIDERS: Final = (
    Provider(
        ("gmail.com", "googlemail.com"),
        "imap.gmail.com",
        "smtp.gmail.com",
        _OWN_PASSWORD,
        oauth="google",
        keeps_copies=True,
    ),
    Provider(("fastmail.com", "fastmail.fm"), "imap.fastmail.com", "smtp.fastmail.com", _OWN_PASSWORD),
    Provider(("icloud.com", "me.com", "mac.com"), "imap.mail.me.com", "smtp.mail.me.com:587", _OWN_PASSWORD),
    Provider(
        ("outlook.com", "hotmail.com", "live.com"),
        "outlook.office365.com",
        "smtp.office365.com:587",
        "It takes no password: you sign in on its own page.",
        oauth="microsoft",
        keeps_copies=True,
    ),
    Provider(("yahoo.com", "ymail.com"), "imap.mail.yahoo.com", "smtp.mail.yahoo.com", _OWN_PASSWORD),
    Provider(("gmx.net", "gmx.de"), "imap.gmx.net", "mail.gmx.net"),
    Provider(("web.de",), "imap.web.de", "smtp.web.de:587"),
    Provider(("mailbox.org",), "imap.mailbox.org", "smtp.mailbox.org"),
    Provider(("posteo.de", "posteo.net"), "posteo.de", "posteo.de"),
    Provider(("runbox.com",), "mail.runbox.com", "mail.runbox.com"),
    Provider(("zoho.com",), "imap.zoho.com", "smtp.zoho.com", _OWN_PASSWORD),
    Provider(
        ("proton.me", "protonmail.com"),
        "127.0.0.1:1143",
        "127.0.0.1:1025",
        "It needs Proton Mail Bridge running on this machine, and the password that the bridge shows.",
    ),
)


def provider_of(address: str) -> Provider | None:
    """The provider of an address, if it is one of these."""
    domain = address.rpartition("@")[2].lower()
    return next((each for each in PROVIDERS if domain in each.domains), None)


def provider_at(host: str) -> Provider | None:
    """The provider whose server this is: people have addresses of their own domains there too."""
    wanted = host.lower()
    if is_loopback(wanted):
        return None
    return next((each for each in PROVIDERS if wanted in (_host(each.imap), _host(each.smtp))), None)


def _host(typed: str) -> str:
    return typed.partition(":")[0]
