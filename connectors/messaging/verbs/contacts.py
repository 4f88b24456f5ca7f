"""Looks people up in the address book, and adds them to it."""

from connectors.base import (
    Call,
    Context,
    Effect,
    Field,
    Item,
    Needs,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    failed,
)
from connectors.clean import clean_line
from connectors.messaging import describe
from connectors.messaging.records import short_hash
from connectors.messaging.resources import Resources
from connectors.messaging.tools import AddContact as AddArguments
from connectors.messaging.tools import FindContact as FindArguments
from connectors.people import Contact, is_address, is_matrix_id

_MOST_ITEMS = 20
_HERE = "your contacts on this machine"


class FindContact:
    """`messaging.find_contact`"""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        name = FindArguments.model_validate(call.arguments).name
        if not name:
            return Question("Whose address or number?", argument="name")
        shown = clean_line(name, 80)
        return Prepared(
            call=call,
            effects=frozenset({Effect.READ}),
            resolved=(),
            payload={"name": name},
            preview=Preview(
                f"Look up {shown} in your contacts", "looks up a contact", (Field("Name", shown, "name"),)
            ),
            basis=short_hash("find_contact"),
        )

    def perform(self, prepared: Prepared) -> Outcome:
        name = str(prepared.payload["name"])
        found = self._resources.book.find(name)
        others = self._others(name)
        items = [*map(_item, found), *map(self._written, others)]
        more = f" The first {_MOST_ITEMS} are shown." if len(items) > _MOST_ITEMS else ""
        text = _said(clean_line(name, 80), len(found), len(others)) + more
        text = " ".join((text, *self._resources.book.doubts()))
        return Outcome(ok=True, text=text, items=tuple(items[:_MOST_ITEMS]))

    def _others(self, name: str) -> list[Contact]:
        """People of that name who were written to and are no contacts."""
        contacts = self._resources.book.contacts()
        known = {address.lower() for each in contacts for address in each.everywhere}
        found = self._resources.written.find(name)
        return [each for each in found if each.everywhere[0].lower() not in known]

    def _written(self, person: Contact) -> Item:
        times = self._resources.written.counts().get(person.everywhere[0].lower(), 0)
        return Item(
            person.handle,
            person.name,
            f"{person.everywhere[0]}; written to before: {times}, not in your contacts",
        )


class AddContact:
    """`messaging.add_contact`"""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        arguments = AddArguments.model_validate(call.arguments)
        if problem := _missing(arguments):
            return problem
        book = self._resources.book
        book.refresh()
        name = clean_line(arguments.name or "")
        fields = [Field("Name", name, "name")]
        resolved = [Resolved(Role.TARGET, "name", arguments.name or "", name)]
        for argument, title, value in (
            ("address", "Matrix" if _on_matrix(arguments) else "E-mail", arguments.address),
            ("phone", "Phone", arguments.phone),
        ):
            if value:
                fields.append(Field(title, clean_line(value), argument))
                resolved.append(Resolved(Role.CONTENT, argument, value, clean_line(value)))
        fields.append(Field("Kept in", book.takes or _HERE))
        return Prepared(
            call=call,
            effects=frozenset({Effect.WRITE}),
            resolved=tuple(resolved),
            payload={"name": arguments.name, "address": arguments.address, "phone": arguments.phone},
            preview=Preview(
                f"Add {name} to your contacts",
                "adds a contact",
                tuple(fields),
                warnings=self._warnings(arguments),
            ),
            basis=self._basis(arguments),
            undo="the contact can be removed again",
        )

    def perform(self, prepared: Prepared) -> Outcome:
        arguments = AddArguments.model_validate(prepared.payload)
        if self._basis(arguments) != prepared.basis:
            return failed(Needs.CONFLICT, "Your contacts have changed since; nobody was added.")
        addresses = (arguments.address,) if arguments.address else ()
        phones = (arguments.phone,) if arguments.phone else ()
        try:
            there = self._resources.book.add(arguments.name or "", addresses, phones)
        except ValueError as error:
            return failed(Needs.INVALID, str(error))
        text = f"{there.name} is now in your contacts."
        try:
            undo = self._resources.records.keep(
                prepared.call, kind="contact", handle=there.handle, content=contact_version(there)
            )
        except OSError:
            return Outcome(ok=True, text=f"{text} It cannot be taken back, since no record could be kept.")
        return Outcome(ok=True, text=text, items=(_item(there),), undo=undo)

    def _namesakes(self, arguments: AddArguments) -> tuple[Contact, ...]:
        wanted = (arguments.name or "").casefold()
        return tuple(each for each in self._resources.book.contacts() if each.name.casefold() == wanted)

    def _warnings(self, arguments: AddArguments) -> tuple[str, ...]:
        return tuple(
            f"There is {each.name} in your contacts already"
            + (f", with {', '.join(each.everywhere)}." if each.everywhere else ".")
            for each in self._namesakes(arguments)
        )

    def _basis(self, arguments: AddArguments) -> str:
        namesakes = (contact_version(each) for each in self._namesakes(arguments))
        return short_hash(self._resources.book.takes, *namesakes)


def contact_version(contact: Contact) -> str:
    """A digest of all that is known of a contact."""
    return short_hash(contact.handle, contact.name, *contact.everywhere, "", *contact.phones)


def _missing(arguments: AddArguments) -> Question | Outcome | None:
    if not arguments.name:
        return Question("What is the name of the new contact?", argument="name")
    if not arguments.name.isprintable():
        return failed(Needs.INVALID, "The name has a line break or control character in it.")
    if arguments.phone and not arguments.phone.isprintable():
        return failed(Needs.INVALID, "The number has a line break or control character in it.")
    if arguments.address and not is_address(arguments.address) and not _on_matrix(arguments):
        shown = clean_line(arguments.address, 80)
        return Question(f"“{shown}” is not an e-mail address. What is the right one?", argument="address")
    if not arguments.address and not arguments.phone:
        return Question(
            f"What is the e-mail address of {clean_line(arguments.name, 80)}?", argument="address"
        )
    return None


def _on_matrix(arguments: AddArguments) -> bool:
    return bool(arguments.address) and is_matrix_id(arguments.address or "")


def _said(name: str, contacts: int, others: int) -> str:
    if not contacts and not others:
        return f"“{name}” is not in your contacts."
    people = "1 person" if others == 1 else f"{others} people"
    if not contacts:
        return f"“{name}” is not in your contacts, but you have written to {people} of that name."
    found = f"Found {describe.counted(contacts, 'contact')}"
    return f"{found}, and {people} more you have written to." if others else f"{found}."


def _item(contact: Contact) -> Item:
    details = ", ".join((*contact.everywhere, *contact.phones)) or "no address or number"
    return Item(contact.handle, contact.name, f"{details}; in {contact.book}" if contact.book else details)
