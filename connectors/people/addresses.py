"""What counts as a mail address: the plain ASCII addr-spec of RFC 5321, nothing more."""

import re

_LONGEST = 254
_LONGEST_LOCAL = 64
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(
    rf"(?P<local>{_ATOM}(?:\.{_ATOM})*)@{_LABEL}(?:\.{_LABEL})*\.(?=[A-Za-z0-9-]*[A-Za-z]){_LABEL}"
)


def is_address(text: str) -> bool:
    """Whether the text is exactly one address of the form local@domain.tld.

    ASCII only (a domain in another script must be written as punycode), no quoted local part, no comment, no
    display name, no address literal.
    """
    if len(text) > _LONGEST:
        return False
    match = _ADDRESS.fullmatch(text)
    return match is not None and len(match["local"]) <= _LONGEST_LOCAL
