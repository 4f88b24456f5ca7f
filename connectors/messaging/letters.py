"""A message of one's own before it is sent or kept: made exact, shown whole, and fixed to the byte."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from connectors.base import Effect, Field, Needs, Outcome, Prepared, Question, Resolved, Role, failed
from connectors.clean import clean, clean_line
from connectors.lending import Lent
from connectors.messaging import describe, enclosures
from connectors.messaging.channels import NO_FILES, by_chat, one_channel, titled
from connectors.messaging.chat import chat_draft
from connectors.messaging.mime.compose import (
    ComposeError,
    Outgoing,
    checked_body,
    checked_subject,
    compose,
    message_id,
)
from connectors.messaging.mime.enclose import size_of
from connectors.messaging.mime.headers import Correspondent
from connectors.messaging.recipients import Recipient, Recipients
from connectors.messaging.records import short_hash
from connectors.messaging.resources import Resources, packed
from connectors.messaging.tools import Draft


@dataclass(frozen=True, slots=True)
class Note:
    """What the person wants to write: to whom, and the words; `references` is the thread it continues.

    `argument` names the call's argument that the addresses come from; `files` go along.
    """

    recipients: tuple[Recipient, ...]
    subject: str
    body: str
    references: tuple[str, ...] = ()
    argument: str = "to"
    files: tuple[Lent, ...] = ()

    @property
    def people(self) -> str:
        """Whom it goes to, in a few words."""
        return describe.listed(
            [describe.called(Correspondent(each.name, each.address)) for each in self.recipients]
        )

    @property
    def along(self) -> str:
        """What goes along, as the end of a title."""
        return f" with {describe.listed([each.name for each in self.files])}" if self.files else ""

    @property
    def shown_subject(self) -> str:
        return clean_line(self.subject) if self.subject else "(none)"

    @property
    def shown_body(self) -> str | None:
        """The text as it is shown; None where files go along without one."""
        return clean(self.body) if self.body or not self.files else None

    @property
    def effects(self) -> frozenset[Effect]:
        """What keeping or sending the note does besides."""
        return enclosures.effects(self.files)


class Letters:
    """Makes notes exact and writes them out; methods that look at the mailbox may raise OSError."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self.recipients = Recipients(
            resources.book, resources.index, resources.written, resources.config, resources.chats
        )

    @property
    def sender(self) -> Correspondent:
        return Correspondent(self._resources.config.name, self._resources.config.address)

    def note(self, arguments: Draft, zone: ZoneInfo, *, nobody_is_fine: bool) -> Note | Question | Outcome:
        """The note that a call asks for, or what is missing for it."""
        if not arguments.to and not nobody_is_fine:
            return Question("Who should the message go to?", argument="to")
        recipients = self.recipients.resolve(arguments.to)
        if isinstance(recipients, Question):
            return recipients
        if mixed := one_channel(recipients):
            return mixed
        files = self.files(arguments.attachments, zone)
        if not isinstance(files, tuple):
            return files
        note = Note(recipients, arguments.subject or "", arguments.body or "", files=files)
        if by_chat(recipients):
            if files:
                return failed(Needs.UNSUPPORTED, NO_FILES)
            note = replace(note, subject="", body=titled(note.subject, note.body))
        if not note.body and not files:
            to = f" to {note.people}" if recipients else ""
            return Question(f"What should the message{to} say?", argument="body")
        return checked(note)

    def files(self, words: Sequence[str], zone: ZoneInfo) -> tuple[Lent, ...] | Question | Outcome:
        """The files that are to go along, or what is not clear or not right about them."""
        return enclosures.found(self._resources.files, words, self._resources.config.most_attached, zone)

    def written(self, note: Note, key: str, now: datetime) -> bytes:
        """The message without its files, its id bound to `key` and to all that is in it.

        Raises ComposeError.
        """
        if by_chat(note.recipients):
            return chat_draft(note.body, [(each.name, each.address) for each in note.recipients])
        bound = [each.address for each in note.recipients] + [each.digest for each in note.files]
        people = tuple(Correspondent(each.name, each.address) for each in note.recipients)
        return compose(
            Outgoing(
                sender=self.sender,
                recipients=people,
                subject=note.subject,
                body=note.body,
                message_id=message_id(short_hash(key, note.subject, note.body, *bound), self.sender.address),
                date=now,
                references=note.references,
            )
        )

    def size(self, data: bytes, note: Note) -> int:
        """About how many bytes a written note has with its files."""
        return size_of(data, [each.size for each in note.files])

    def basis(self, note: Note, *more: str) -> str:
        """A digest of what the address book and the account say of a note, and of what else was looked at."""
        people = [part for each in note.recipients for part in (each.name, each.address)]
        files = [part for each in note.files for part in (each.handle, each.digest)]
        return short_hash(self.sender.name, self.sender.address, *people, "", *files, "", *more)

    def fields(self, note: Note) -> tuple[Field, ...]:
        """From, one line for each address, the subject, and one line for each file."""
        if self._resources.chats and by_chat(note.recipients):
            me = self._resources.chats.account
            to_chat = tuple(each.field(note.argument) for each in note.recipients)
            return (
                Field("From", describe.person(me.name, me.address)),
                Field("Channel", "by Matrix"),
                *to_chat,
            )
        account = describe.person(self.sender.name, self.sender.address) or "(no account yet)"
        to = [each.field(note.argument) for each in note.recipients] or [Field("To", "(nobody yet)", "to")]
        subject_from = "subject" if note.argument == "to" else ""
        subject = Field("Subject", note.shown_subject, subject_from)
        channel = [Field("Channel", "by mail")] if self._resources.chats else []
        return (Field("From", account), *channel, *to, subject, *enclosures.fields(note.files))


def payload(note: Note, data: bytes, now: datetime) -> dict[str, JsonValue]:
    """What `perform` needs of a note: the exact bytes, what goes along, and whom they go to."""
    return {
        "message": data.decode("ascii"),
        "files": enclosures.packed(note.files),
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
    if note.body or not note.files:
        carried.append(("body", note.body))
    return (
        *(each.resolved(note.argument) for each in note.recipients),
        *enclosures.resolved(note.files),
        *(Resolved(Role.CONTENT, name, value, clean_line(value, 60)) for name, value in carried),
    )


def changed(prepared: Prepared) -> str:
    """What may be another than when a message was looked at, as the beginning of a sentence."""
    files = "a file that goes along, " if prepared.payload["files"] else ""
    return f"{files}your contacts or your account have changed".capitalize()


def checked(note: Note) -> Note | Outcome:
    """The note, if its words may be written into a message."""
    try:
        checked_subject(note.subject)
        body = checked_body(note.body)
    except ComposeError as error:
        return failed(Needs.INVALID, str(error))
    return replace(note, body=body)
