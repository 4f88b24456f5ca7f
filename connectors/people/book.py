"""The address book: everybody in the folder on this machine and in the accounts on servers."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from connectors.account_state import AccountState
from connectors.base import Notice
from connectors.people.contacts import Contact, matching
from connectors.people.folder import CardFolder


class Shelf(Protocol):
    """An account's address books. Reading raises nothing; the others raise StoreError."""

    @property
    def takes(self) -> str:
        """The displayed name of the address book that a new contact would go to; empty for none."""
        ...

    @property
    def state(self) -> AccountState: ...

    def contacts(self) -> tuple[Contact, ...]: ...

    def known(self) -> tuple[Contact, ...]:
        """Everybody who was there when last looked."""
        ...

    def doubts(self) -> tuple[str, ...]:
        """Why what is known of it may be old or not all."""
        ...

    def notices(self) -> tuple[Notice, ...]: ...

    def refresh(self) -> None:
        """See what is there now, as far as that can be found out in a moment."""
        ...

    def add(self, name: str, addresses: Sequence[str], phones: Sequence[str]) -> Contact:
        """Keep a new contact, and return it as read back. Raises ValueError for what cannot be one."""
        ...

    def remove(self, handle: str) -> None:
        """Remove a contact. Raises KeyError where it is not here, ValueError where it is not alone."""
        ...

    def start(self) -> None: ...

    def close(self) -> None: ...


class AddressBook:
    """The people in a folder of .vcf files and in accounts; what others change there is seen at a later look.

    With an account that takes new contacts they go to the first such, else into the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = CardFolder(folder)
        self._accounts: Mapping[str, Shelf] = {}

    def use(self, accounts: Mapping[str, Shelf]) -> None:
        """Have these accounts, by name, instead of those before, which whoever opened them closes."""
        self._accounts = accounts

    def contacts(self) -> tuple[Contact, ...]:
        """Everybody, by name; of the same name, those on this machine first."""
        found = [*self._folder.contacts()]
        for each in self._accounts.values():
            found += each.contacts()
        return tuple(sorted(found, key=lambda one: (one.name.casefold(), bool(one.book), one.handle)))

    def find(self, words: str) -> tuple[Contact, ...]:
        """Everybody whom the words name: see `contacts.matching`."""
        return matching(self.contacts(), words)

    def domains(self) -> frozenset[str]:
        """The mail domains of everybody, as far as they are known without asking a server.

        Of an id on Matrix it is all behind the @, as the whole of it may look like another.
        """
        return frozenset(
            address.rpartition("@")[2].lower() for each in self.known() for address in each.everywhere
        )

    def known(self) -> tuple[Contact, ...]:
        """Everybody, as far as they are known without asking a server."""
        accounts = (contact for each in self._accounts.values() for contact in each.known())
        return (*self._folder.contacts(), *accounts)

    def get(self, handle: str) -> Contact | None:
        """The contact with exactly this handle."""
        return next((contact for contact in self.contacts() if contact.handle == handle), None)

    def doubts(self) -> tuple[str, ...]:
        """Why somebody may be missing who is in an account; a sentence each."""
        return tuple(text for each in self._accounts.values() for text in each.doubts())

    def refresh(self) -> None:
        """See what the accounts hold now, as far as that can be found out in a moment."""
        for each in self._accounts.values():
            each.refresh()

    @property
    def takes(self) -> str:
        """The displayed name of the address book a new contact goes to; empty for the folder."""
        shelf = self._taking()
        return shelf.takes if shelf else ""

    def add(self, name: str, addresses: Iterable[str], phones: Iterable[str] = ()) -> Contact:
        """Keep a new contact and return it as read back.

        Raises ValueError for an empty name or a text that is no address, OSError or StoreError when it cannot
        be written.
        """
        shelf = self._taking()
        if shelf is None:
            return self._folder.add(name, addresses, phones)
        return shelf.add(name, tuple(addresses), tuple(phones))

    def remove(self, handle: str) -> None:
        """Delete a contact.

        Raises KeyError when there is no such contact and ValueError when its file holds other people too;
        OSError or StoreError when it cannot be removed.
        """
        for each in self._accounts.values():
            with suppress(KeyError):
                return each.remove(handle)
        return self._folder.remove(handle)

    def notices(self) -> tuple[Notice, ...]:
        """What could not be read, named file by file."""
        return (
            *self._folder.notices(),
            *(notice for each in self._accounts.values() for notice in each.notices()),
        )

    def _taking(self) -> Shelf | None:
        return next((each for each in self._accounts.values() if each.takes), None)
