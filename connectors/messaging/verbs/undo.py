"""Takes back what was done to the mailbox, if nothing has changed since."""

from collections.abc import Mapping

from connectors.base import (
    Call,
    Context,
    Effect,
    Field,
    Needs,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    UndoArguments,
    failed,
)
from connectors.messaging import describe
from connectors.messaging.maildir.index import Summary
from connectors.messaging.maildir.names import Entry, Subdir
from connectors.messaging.resources import Resources
from connectors.messaging.verbs.contacts import contact_version
from connectors.people import Contact

_CHANGED = failed(Needs.CONFLICT, "It has changed since, so it cannot be taken back.")
_GONE = failed(Needs.CONFLICT, "It is not there any more, so it cannot be taken back.")
_Record = Mapping[str, str]


class Undo:
    """`messaging.undo`: a record names what was done and how it was before."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        name = UndoArguments.model_validate(call.arguments).record
        record = self._resources.records.find(name)
        if record is None:
            return failed(Needs.NOT_FOUND, "This has been taken back already, or is not known any more.")
        if record.get("kind") == "contact":
            return self._contact(call, record)
        found = self._entry(record)
        return self._message(call, record, found) if isinstance(found, Entry) else found

    def perform(self, prepared: Prepared) -> Outcome:
        name = str(prepared.payload["record"])
        record = self._resources.records.find(name)
        if record is None:
            return failed(Needs.CONFLICT, "This has been taken back already.")
        outcome = self._taken_back(record)
        if outcome.ok:
            self._resources.records.forget(name)
        return outcome

    def _taken_back(self, record: _Record) -> Outcome:
        if record["kind"] == "contact":
            contact = self._known(record)
            if not isinstance(contact, Contact):
                return contact
            try:
                self._resources.book.remove(contact.handle)
            except (KeyError, ValueError):
                return _CHANGED
            return Outcome(ok=True, text=f"{contact.name} is not in your contacts any more.")
        entry = self._entry(record)
        if not isinstance(entry, Entry):
            return entry
        mailbox = self._resources.mailbox
        if record["kind"] == "draft":
            mailbox.remove(entry)
            return Outcome(ok=True, text="The draft is removed.")
        subdir: Subdir = "new" if record["subdir"] == "new" else "cur"
        if record["kind"] == "seen":
            mailbox.put_back(entry, subdir, record["suffix"])
            return Outcome(ok=True, text="The message is marked as unread again.")
        unique = mailbox.name_in(entry, record["folder"])
        back = mailbox.move(entry, record["folder"], unique, subdir)
        return Outcome(ok=True, text=f"The message is back in {describe.folder(back.folder)}.")

    def _message(self, call: Call, record: _Record, entry: Entry) -> Prepared:
        label = self._label(entry)
        here = describe.folder(entry.folder)
        match record["kind"]:
            case "draft":
                title, deed = f"Remove the draft “{label}”", "removes a draft"
                change = Field("Folder", "(removed for good)", before=here)
            case "seen":
                title, deed = f"Mark “{label}” as unread again", "marks a message"
                change = Field("State", "unread", before="read")
            case _:
                back = describe.folder(record["folder"])
                title, deed = f"Move “{label}” back to {back}", "moves a message"
                change = Field("Folder", back, before=here)
        return Prepared(
            call=call,
            effects=frozenset({Effect.MARK if record["kind"] == "seen" else Effect.WRITE}),
            resolved=(Resolved(Role.TARGET, "record", entry.handle, label),),
            payload=dict(call.arguments),
            preview=Preview(title, deed, (Field("Message", label), change)),
            basis=self._resources.content(entry),
        )

    def _contact(self, call: Call, record: _Record) -> Prepared | Outcome:
        contact = self._known(record)
        if not isinstance(contact, Contact):
            return contact
        name = contact.name
        fields = [Field("Name", name), *(Field("E-mail", each) for each in contact.addresses)]
        if contact.book:
            fields.append(Field("Kept in", "(removed for good)", before=contact.book))
        return Prepared(
            call=call,
            effects=frozenset({Effect.WRITE}),
            resolved=(Resolved(Role.TARGET, "record", contact.handle, name),),
            payload=dict(call.arguments),
            preview=Preview(f"Remove {name} from your contacts", "removes a contact", tuple(fields)),
            basis=record["content"],
        )

    def _known(self, record: _Record) -> Contact | Outcome:
        contact = self._resources.book.get(record["handle"])
        if contact is None:
            return _GONE
        return contact if contact_version(contact) == record["content"] else _CHANGED

    def _entry(self, record: _Record) -> Entry | Outcome:
        """The message of a record, if it is as the deed left it."""
        entry = self._resources.mailbox.locate(record["handle"])
        if entry is None:
            return _GONE
        if record["kind"] == "seen":
            return entry if entry.flags == record["flags"] else _CHANGED
        return entry if self._resources.content(entry) == record["content"] else _CHANGED

    def _label(self, entry: Entry) -> str:
        found = (each for each in self._resources.index.summaries() if each.handle == entry.handle)
        summary: Summary | None = next(found, None)
        return describe.label(summary) if summary else "a message"
