"""The people a person knows, from a folder of vCards."""

from connectors.people.addresses import is_address
from connectors.people.book import AddressBook
from connectors.people.contacts import Contact

__all__ = ["AddressBook", "Contact", "is_address"]
