"""Mail domains that look like a known one and are another."""

from collections.abc import Collection
from difflib import SequenceMatcher

from permissions.tokens import one_slip

_ALIKE = 0.88


def domain_of(address: str) -> str:
    """The mail domain of an address, in lower case."""
    return address.rpartition("@")[2].lower()


def resembled(domain: str, known: Collection[str]) -> str:
    """The known domain that this one looks most like without being it, or nothing."""
    if domain in known:
        return ""
    alike = {other: SequenceMatcher(None, domain, other).ratio() for other in known}
    near = [other for other in known if alike[other] > _ALIKE or one_slip(domain, other)]
    return max(near, key=lambda other: (alike[other], other), default="")
