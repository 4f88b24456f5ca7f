"""Mail domains that look like a known one and are another."""

from collections.abc import Collection
from difflib import SequenceMatcher

from permissions.tokens import one_slip

_ALIKE = 0.88
_PASSES_FOR = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("0", "o"), ("1", "l"))
"""What is read as another letter at a glance; UTS 39 calls such pairs confusable."""


def domain_of(address: str) -> str:
    """The mail domain of an address, in lower case."""
    return address.rpartition("@")[2].lower()


def resembled(domain: str, known: Collection[str]) -> str:
    """The known domain that this one looks most like without being it, or nothing."""
    if domain in known:
        return ""
    alike = {other: SequenceMatcher(None, domain, other).ratio() for other in known}
    glance = _at_a_glance(domain)
    near = [
        other
        for other in known
        if alike[other] > _ALIKE or one_slip(domain, other) or glance == _at_a_glance(other)
    ]
    return max(near, key=lambda other: (alike[other], other), default="")


def _at_a_glance(domain: str) -> str:
    """A domain as a hurried eye reads it."""
    for letters, read in _PASSES_FOR:
        domain = domain.replace(letters, read)
    return domain
