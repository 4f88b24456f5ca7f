"""A message of one's own before it is sent or kept: made exact, shown whole, and fixed to the byte."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from connectors.base import Field, Needs, Outcome, Question, Resolved, Role, failed
from connectors.clean import clean, clean_line
from connectors.messaging import describe
from connectors.messaging.mime.compose import (
    ComposeError,
    Outgoing,
    checked_body,
    checked_subject,
    compose,
    message_id,
)
from connectors.messaging.mime.headers import Correspondent
from connectors.messaging.recipients import Recipient, Recipients
from connectors.messaging.records import short_hash
from connectors.messaging.resources import Resources, packed
from connectors.messaging.tools import Draft


@dataclass(frozen=True, slots=True)
class Note:
    """What the person wants to write: to whom, and the words; `references` is the thread it continues.

    `argument` names the call's argument that the addresses come from.
    """

    recipients: tuple[Recipient, ...]
    subject: str
    body: str
    references: tuple[str, ...] = ()
    argument: str = "to"

    @property
    def people(self) -> str:
        """Whom it goes to, in a few words."""
        return describe.listed(
            [describe.called(Correspondent(each.name, each.address)) for each in self.recipients]
        )

    @property
    def shown_subject(self) -> str:
        return clean_line(self.subject) if self.subject else "(none)"

    @property
    def shown_body(self) -> str:
        return clean(self.body)


class Letters:
    """Makes notes exact and writes them out; methods that look at the mailbox may raise OSError."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self.recipients = Recipients(resources.book, resources.index, resources.written, resources.config)

    @property
    def sender(self) -> Correspondent:
        return Correspondent(self._resources.config.name, self._resources.config.address)

    def note(self, arguments: Draft, *, nobody_is_fine: bool) -> Note | Question | Outcome:
        """The note that a call asks for, or what is missing for it."""
        if not arguments.to and not nobody_is_fine:
            return Question("Who should the message go to?", argument="to")
        recipients = self.recipients.resolve(arguments.to)
        if isinstance(recipients, Question):
            return recipients
        note = Note(recipients, arguments.subject or "", arguments.body or "")
        if not note.body:
            to = f" to {note.people}" if recipients else ""
            return Question(f"What should the message{to} say?", argument="body")
        return checked(note)

    def written(self, note: Note, key: str, now: datetime) -> bytes:
        """The message, its id bound to `key` and to what it says. Raises ComposeError."""
        addresses = [each.address for each in note.recipients]
        people = tuple(Correspondent(each.name, each.address) for each in note.recipients)
        return compose(
            Outgoing(
                sender=self.sender,
                recipients=people,
                subject=note.subject,
                body=note.body,
                message_id=message_id(
                    short_hash(key, note.subject, note.body, *addresses), self.sender.address
                ),
                date=now,
                references=note.references,
            )
        )

    def basis(self, note: Note, *more: str) -> str:
        """A digest of what the address book and the account say of a note, and of what else was looked at."""
        people = [part for each in note.recipients for part in (each.name, each.address)]
        return short_hash(self.sender.name, self.sender.address, *people, "", *more)

    def fields(self, note: Note) -> tuple[Field, ...]:
        """From, one line for each address, and the subject."""
        account = describe.person(self.sender.name, self.sender.address) or "(no account yet)"
        to = [each.field(note.argument) for each in note.recipients] or [Field("To", "(nobody yet)", "to")]
        subject_from = "subject" if note.argument == "to" else ""
        return (Field("From", account), *to, Field("Subject", note.shown_subject, subject_from))


def payload(note: Note, data: bytes, now: datetime) -> dict[str, JsonValue]:
    """What `perform` needs of a note: the exact bytes, and whom they go to."""
    return {
        "message": data.decode("ascii"),
        "recipients": [each.address for each in note.recipients],
        "names": [describe.person(each.name, each.address) for each in note.recipients],
        **packed(now),
    }


def strings(payload: Mapping[str, JsonValue], key: str) -> list[str]:
    """A list of strings out of a payload."""
    value = payload.get(key)
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def resolved(note: Note) -> tuple[Resolved, ...]:
    """The exact addresses and words of a note."""
    carried = [("subject", note.subject)] if note.argument == "to" and note.subject else []
    carried.append(("body", note.body))
    return (
        *(each.resolved(note.argument) for each in note.recipients),
        *(Resolved(Role.CONTENT, name, value, clean_line(value, 60)) for name, value in carried),
    )


def checked(note: Note) -> Note | Outcome:
    """The note, if its words may be written into a message."""
    try:
        checked_subject(note.subject)
        body = checked_body(note.body)
    except ComposeError as error:
        return failed(Needs.INVALID, str(error))
    return Note(note.recipients, note.subject, body, note.references, note.argument)
