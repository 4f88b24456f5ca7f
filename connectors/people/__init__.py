"""The people a person knows, from vCards in a folder and on servers."""

from connectors.people.addresses import is_address
from connectors.people.book import AddressBook
from connectors.people.contacts import Contact
from connectors.people.matrix_ids import is_matrix_id

__all__ = ["AddressBook", "Contact", "is_address", "is_matrix_id"]
