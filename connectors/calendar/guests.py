"""Turns the names of people to invite into addresses, or into a question."""

from collections.abc import Sequence

from connectors.base import Option, Question
from connectors.calendar.compose import Person
from connectors.clean import clean_line
from connectors.people import AddressBook, is_address

NOBODY_TOLD = "kept with the event; nobody is notified"
_SHOWN = 80


def guests(book: AddressBook, names: Sequence[str]) -> tuple[Person, ...] | Question:
    """The people named, each once; a question where a name is nobody's, or more than one address's."""
    found: dict[str, Person] = {}
    for position, name in enumerate(names):
        people = _people(book, name)
        if len(people) != 1:
            return _which(names, position, people, book.doubts())
        found.setdefault(people[0].address.lower(), people[0])
    return tuple(found.values())


def shown_person(person: Person) -> str:
    """A person as a preview names them: the address always in full."""
    return f"{clean_line(person.name, _SHOWN)} <{person.address}>" if person.name else person.address


def _people(book: AddressBook, name: str) -> tuple[Person, ...]:
    if contact := book.get(name):
        return tuple(Person(address, contact.name) for address in contact.addresses)
    known = tuple(
        Person(address, contact.name)
        for contact in book.find(name)
        for address in contact.addresses
        if not is_address(name) or address.lower() == name.lower()
    )
    if known:
        return known[:1] if is_address(name) else known
    return (Person(name),) if is_address(name) else ()


def _which(
    names: Sequence[str], position: int, people: tuple[Person, ...], doubts: Sequence[str]
) -> Question:
    name = clean_line(names[position], _SHOWN)
    # A typed answer stands for the whole argument, so it is only offered for a single name.
    argument = "invite" if len(names) == 1 else ""
    if not people:
        nobody = f"Nobody called “{name}” with an address is in the address book."
        return Question(
            " ".join((nobody, *doubts, "Whom do you mean?")),
            (Option("Nobody: leave them out", {"invite": [*names[:position], *names[position + 1 :]]}),),
            argument=argument,
        )
    options = tuple(
        Option(
            shown_person(person),
            {"invite": [*names[:position], person.address, *names[position + 1 :]]},
        )
        for person in people
    )
    return Question(f"Which address of “{name}” do you mean?", options, argument=argument)
