"""People: who they are, and how words find them."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from connectors.people.addresses import is_address
from connectors.people.matrix_ids import is_matrix_id

_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
_APOSTROPHES = re.compile("['’ʼ`]")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Contact:
    """A person or organisation; `handle` is `contact:<file stem>`, the name is clean, addresses strict.

    `book` is the displayed name of the address book on a server (empty: the folder on this machine);
    `matrix` are ids on Matrix.
    """

    handle: str
    name: str
    addresses: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    book: str = ""
    matrix: tuple[str, ...] = ()

    @property
    def everywhere(self) -> tuple[str, ...]:
        """Every address a message can go to, mail first."""
        return (*self.addresses, *self.matrix)


def matching(contacts: Iterable[Contact], words: str) -> tuple[Contact, ...]:
    """The contacts that the words name.

    A full name, or a full address, wins alone; otherwise every contact whose name has all the words as whole
    words. Case and accents do not matter in names.
    """
    contacts = tuple(contacts)
    wanted = name_words(words)
    if is_address(words.strip()) or is_matrix_id(words.strip()):
        address = words.strip().lower()
        return tuple(one for one in contacts if address in (each.lower() for each in one.everywhere))
    if not wanted:
        return ()
    exact = tuple(one for one in contacts if name_words(one.name) == wanted)
    return exact or tuple(one for one in contacts if set(wanted) <= set(name_words(one.name)))


def name_words(name: str) -> tuple[str, ...]:
    """The words of a name without case, accents and apostrophes."""
    plain = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", name).casefold())
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    return tuple(_WORD.findall(plain.translate(_UNDECOMPOSED)))
