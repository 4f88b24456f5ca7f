"""What CardDAV calls things (RFC 6352)."""

from typing import Final

from connectors.dav.kind import Kind
from connectors.people.vcard import VCardError, read_cards


def _same(one: bytes, other: bytes) -> bool:
    """Whether two vCards name the same people with the same addresses and numbers, in whatever words."""
    if one == other:
        return True
    try:
        return read_cards(one) == read_cards(other)
    except VCardError:
        return False


ADDRESS_BOOKS: Final = Kind(
    protocol="CardDAV",
    folder="address book",
    item="contact",
    well_known="carddav",
    namespace="urn:ietf:params:xml:ns:carddav",
    home="addressbook-home-set",
    resource="addressbook",
    data="address-data",
    multiget="addressbook-multiget",
    of_user="",
    of_folder="",
    media="text/vcard",
    suffix=".vcf",
    same=_same,
)
