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
from connectors.people import Contact, is_address

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
        doubts = self._resources.book.doubts()
        if not found:
            text = f"“{clean_line(name, 80)}” is not in your contacts."
            return Outcome(ok=True, text=" ".join((text, *doubts)))
        more = f", the first {_MOST_ITEMS} are shown" if len(found) > _MOST_ITEMS else ""
        items = tuple(_item(each) for each in found[:_MOST_ITEMS])
        text = f"Found {describe.counted(len(found), 'contact')}{more}."
        return Outcome(ok=True, text=" ".join((text, *doubts)), items=items)


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
            ("address", "E-mail", arguments.address),
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
            + (f", with {', '.join(each.addresses)}." if each.addresses else ".")
            for each in self._namesakes(arguments)
        )

    def _basis(self, arguments: AddArguments) -> str:
        namesakes = (contact_version(each) for each in self._namesakes(arguments))
        return short_hash(self._resources.book.takes, *namesakes)


def contact_version(contact: Contact) -> str:
    """A digest of all that is known of a contact."""
    return short_hash(contact.handle, contact.name, *contact.addresses, "", *contact.phones)


def _missing(arguments: AddArguments) -> Question | Outcome | None:
    if not arguments.name:
        return Question("What is the name of the new contact?", argument="name")
    if not arguments.name.isprintable():
        return failed(Needs.INVALID, "The name has a line break or control character in it.")
    if arguments.phone and not arguments.phone.isprintable():
        return failed(Needs.INVALID, "The number has a line break or control character in it.")
    if arguments.address and not is_address(arguments.address):
        shown = clean_line(arguments.address, 80)
        return Question(f"“{shown}” is not an e-mail address. What is the right one?", argument="address")
    if not arguments.address and not arguments.phone:
        return Question(
            f"What is the e-mail address of {clean_line(arguments.name, 80)}?", argument="address"
        )
    return None


def _item(contact: Contact) -> Item:
    details = ", ".join((*contact.addresses, *contact.phones)) or "no address or number"
    return Item(contact.handle, contact.name, f"{details}; in {contact.book}" if contact.book else details)
