"""Whom the person knows: the address book on this machine, and the accounts as they are known by now."""

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from permissions.provenance import Acquaintance
from tui.services import Services


class Contact(Protocol):
    """Somebody in an address book."""

    @property
    def name(self) -> str: ...

    @property
    def everywhere(self) -> Sequence[str]:
        """Every address a message can go to."""
        ...


class Book(Protocol):
    """An address book, as far as it is known without asking a server."""

    def domains(self) -> frozenset[str]: ...

    def known(self) -> Sequence[Contact]: ...


@runtime_checkable
class Mail(Protocol):
    """A service that knows people, and the person's own address."""

    @property
    def own_address(self) -> str: ...

    def domains(self) -> frozenset[str]: ...

    def people(self) -> Sequence[Contact]: ...


class Known:
    """The people and mail domains that are known as they are at each look."""

    def __init__(self, book: Book, services: Services | None) -> None:
        self._book = book
        self._services = services

    def domains(self) -> frozenset[str]:
        """The mail domains of everybody."""
        return self._book.domains().union(*(mail.domains() for mail in self._mail()))

    def people(self) -> Iterator[Acquaintance]:
        """Everybody by name, and the person by their own addresses."""
        mail = self._mail()
        contacts = [*self._book.known(), *(each for one in mail for each in one.people())]
        people = ((each.name, tuple(each.everywhere)) for each in contacts)
        yield from (Acquaintance(*person) for person in dict.fromkeys(people))
        own = tuple(each.own_address for each in mail if each.own_address)
        yield Acquaintance("", own, oneself=True)

    def _mail(self) -> list[Mail]:
        built: list[object] = [each.now for each in self._services.built] if self._services else []
        return [each for each in built if isinstance(each, Mail)]
