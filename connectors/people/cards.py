"""Makes contacts of vCards; one card that cannot be used hides no other."""

from connectors.clean import clean_line
from connectors.people.addresses import is_address
from connectors.people.contacts import Contact
from connectors.people.matrix_ids import is_matrix_id
from connectors.people.vcard import Card, read_cards, write_card

_LONGEST_NAME = 200
_LONGEST_PHONE = 80


def contacts_in(data: bytes, stem: str, book: str = "") -> tuple[list[Contact], list[str]]:
    """The people in the bytes of a file, with handles after its stem, and what of it cannot be used.

    Raises VCardError where there is no vCard in it.
    """
    contacts: list[Contact] = []
    troubles: list[str] = []
    for number, card in enumerate(read_cards(data), start=1):
        if card.group:
            continue
        handle = f"contact:{stem}" if number == 1 else f"contact:{stem}#{number}"
        contact, found = _contact(handle, card, book)
        troubles += found
        if contact is not None:
            contacts.append(contact)
    return contacts, troubles


def new_card(uid: str, name: str, addresses: tuple[str, ...], phones: tuple[str, ...]) -> bytes:
    """The vCard of a new contact; addresses are of mail or on Matrix.

    Raises ValueError for an empty name or a text that is no address.
    """
    name = " ".join(clean_line(name).split())
    if not name or len(name) > _LONGEST_NAME:
        raise ValueError(f"A contact needs a name of 1 to {_LONGEST_NAME} characters.")
    for address in addresses:
        if not is_address(address) and not is_matrix_id(address):
            raise ValueError(f"“{clean_line(address, 80)}” is no mail address.")
    mail = [each for each in addresses if is_address(each)]
    matrix = [each for each in addresses if is_matrix_id(each)]
    return write_card(uid, name, mail, [" ".join(clean_line(phone).split()) for phone in phones], matrix)


def _contact(handle: str, card: Card, book: str) -> tuple[Contact | None, list[str]]:
    good = tuple(address for address in card.addresses if is_address(address))
    troubles = [
        f"“{clean_line(address, 80)}” is no plain mail address and is left out."
        for address in card.addresses
        if address not in good
    ]
    name = " ".join(clean_line(card.name, _LONGEST_NAME).split()) or next(iter((*good, *card.matrix)), "")
    if not name:
        return None, [*troubles, "a vCard has neither name nor address."]
    phones = tuple(clean_line(phone, _LONGEST_PHONE) for phone in card.phones)
    return Contact(handle, name, good, phones, book, card.matrix), troubles
