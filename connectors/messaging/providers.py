"""Where the servers of mail providers are, and how one signs in there: data, as the providers publish it."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider: the domains of its addresses, its servers, and what a person must know to sign in."""

    domains: tuple[str, ...]
    imap: str
    smtp: str
    sign_in: str = ""


_OWN_PASSWORD: Final = "It wants a password made for this program alone (an app password), not your own."

PROVIDERS: Final = (
    Provider(("gmail.com", "googlemail.com"), "imap.gmail.com", "smtp.gmail.com", _OWN_PASSWORD),
    Provider(("fastmail.com", "fastmail.fm"), "imap.fastmail.com", "smtp.fastmail.com", _OWN_PASSWORD),
    Provider(("icloud.com", "me.com", "mac.com"), "imap.mail.me.com", "smtp.mail.me.com:587", _OWN_PASSWORD),
    Provider(
        ("outlook.com", "hotmail.com", "live.com"),
        "outlook.office365.com",
        "smtp.office365.com:587",
        'It wants an access token: set login = "xoauth2" and let password.command print one.',
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


def provider_of(address: str) -> Provider:
    """The provider of an address; of an unknown one the names that most servers have."""
    domain = address.rpartition("@")[2].lower()
    known = next((each for each in PROVIDERS if domain in each.domains), None)
    return known or Provider((domain,), f"imap.{domain}", f"smtp.{domain}")
