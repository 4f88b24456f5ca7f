"""Sends a message into a conversation, or answers one there."""

from collections.abc import Callable, Mapping

from pydantic import JsonValue

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
    failed,
)
from connectors.clean import clean
from connectors.messaging import describe
from connectors.messaging.channels import NO_FILES
from connectors.messaging.chat import CHANNEL, Chats, Posted, Posting, Unanswered, is_chat
from connectors.messaging.conversation import Place, Places
from connectors.messaging.errors import MailboxError
from connectors.messaging.find import Finder
from connectors.messaging.letters import Letters, Note, checked, resolved, strings
from connectors.messaging.maildir.index import Summary
from connectors.messaging.maildir.names import SENT
from connectors.messaging.outbox import Fate
from connectors.messaging.records import short_hash
from connectors.messaging.resources import Resources, local, packed
from connectors.messaging.tools import Reply as Arguments

_UNKNOWN = (
    "It is not known whether the message was sent by Matrix: the server did not answer. It is not sent again"
    " by itself; look into the conversation before sending it once more."
)
_CHANGED = "The conversation, who is in it, or your contacts have changed since; nothing was sent."


class Conversing:
    """Prepares and posts; every method may raise OSError, and may take as long as the server does."""

    def __init__(self, resources: Resources, chats: Chats) -> None:
        self._resources = resources
        self._chats = chats
        self._letters = Letters(resources)
        self._places = Places(chats, self._letters.recipients)
        self._finder = Finder(resources.index, resources.book)

    def send(self, call: Call, note: Note, context: Context) -> Prepared | Outcome:
        """A message to somebody or to a room."""
        if hindrance := self._hindrance():
            return hindrance
        where = self._places.of(note.recipients, note.argument)
        if not isinstance(where, Place):
            return where
        opens = where.room is None
        title = (
            f"Open a conversation with {where.called} and send it" if opens else f"Write to {where.called}"
        )
        return self._prepared(call, note, where, context, (f"{title} by Matrix", "sends a message"))

    def reply(self, call: Call, context: Context) -> Prepared | Question | Outcome | None:
        """An answer to a message of a conversation; None where another kind of message is meant."""
        arguments = Arguments.model_validate(call.arguments)
        parent = self._finder.one(arguments.message, arguments.sender, local(context))
        if not isinstance(parent, Summary):
            return parent
        if not is_chat(parent.entry):
            return None
        if parent.entry.folder == SENT:
            return failed(Needs.INVALID, f"“{describe.label(parent)}” is a message of your own.")
        note = self._answer(arguments, parent)
        if not isinstance(note, Note):
            return note
        where = self._places.room(self._chats.room_of(parent.entry.unique), "message")
        if not isinstance(where, Place):
            return where
        inside = "in " if where.several else ""
        words = (f"Answer {inside}{where.called} by Matrix", "sends an answer")
        return self._prepared(call, note, where, context, words, parent)

    def perform(
        self, prepared: Prepared, again: Callable[[], Note | Question | Outcome] | None = None
    ) -> Outcome:
        """Post it, if all is as it was shown; `again` makes the note of a new message anew."""
        answers = str(prepared.payload["answers"])
        note = again() if again else self._answer_again(prepared, answers)
        if not isinstance(note, Note):
            return failed(Needs.CONFLICT, _CHANGED)
        room = str(prepared.payload["room"])
        where = (
            self._places.room(room, note.argument)
            if answers
            else self._places.of(note.recipients, note.argument)
        )
        if not isinstance(where, Place) or self._basis(note, where, answers) != prepared.basis:
            return failed(Needs.CONFLICT, _CHANGED)
        return self._post(prepared.payload)

    def _prepared(
        self,
        call: Call,
        note: Note,
        where: Place,
        context: Context,
        words: tuple[str, str],
        parent: Summary | None = None,
    ) -> Prepared:
        now, text = local(context), note.body
        answers = parent.entry.unique if parent else ""
        room = where.room.id if where.room else ""
        things = where.resolved
        key = short_hash(call.id, self._chats.account.address, room, where.invite, text, answers)
        fields = [Field("From", describe.person(*_named(self._chats))), *where.fields]
        if parent:
            fields.append(Field("Answers", describe.label(parent), "message", describe.date(parent, now)))
            target = Resolved(Role.TARGET, "message", parent.handle, describe.label(parent))
        carried = [each for each in resolved(note) if each.role is Role.CONTENT]
        return Prepared(
            call=call,
            effects=frozenset({Effect.SEND}),
            resolved=(*things, *carried, *((target,) if parent else ())),
            payload={
                "channel": CHANNEL,
                "room": room,
                "invite": where.invite,
                "text": text,
                "answers": answers,
                "transaction": f"askfirst-{key}",
                "recipients": [each.value for each in things],
                "called": where.called,
                "parent": parent.handle if parent else "",
                **packed(now),
            },
            preview=Preview(words[0], words[1], tuple(fields), body=clean(text), warnings=where.warnings),
            basis=self._basis(note, where, answers),
        )

    def _basis(self, note: Note, where: Place, answers: str) -> str:
        """A digest of all that was looked at."""
        parent = ""
        if answers:
            found = self._finder.by_handle(self._handle(answers))
            parent = self._resources.content(found.entry) if isinstance(found, Summary) else "gone"
        return short_hash(self._letters.basis(note), where.basis, self._chats.account.address, parent)

    def _handle(self, event: str) -> str:
        summaries = self._resources.index.summaries()
        return next((each.handle for each in summaries if each.entry.unique == event), "")

    def _hindrance(self) -> Outcome | None:
        if not self._chats.writable:
            text = "Matrix is set to be read only (mode in [matrix]), so nothing is sent there."
            return failed(Needs.READ_ONLY, text)
        return None

    def _answer(self, arguments: Arguments, parent: Summary) -> Note | Question | Outcome:
        if not arguments.body:
            text = f"What should the answer to {describe.called(parent.sender)} say?"
            return Question(text, argument="body")
        if arguments.attachments:
            return failed(Needs.UNSUPPORTED, NO_FILES)
        note = checked(Note((), "", arguments.body, argument="message"))
        return (self._hindrance() or note) if isinstance(note, Note) else note

    def _answer_again(self, prepared: Prepared, event: str) -> Note | Question | Outcome:
        parent = self._finder.by_handle(str(prepared.payload["parent"]))
        if not isinstance(parent, Summary) or parent.entry.unique != event:
            return failed(Needs.CONFLICT, _CHANGED)
        return self._answer(Arguments.model_validate(prepared.call.arguments), parent)

    def _post(self, payload: Mapping[str, JsonValue]) -> Outcome:
        """Post at most once: a record before it leaves, and the truth at the end."""
        outbox, transaction = self._resources.outbox, str(payload["transaction"])
        if outbox.fate(transaction) is Fate.SENT:
            return failed(Needs.INVALID, "This very message has been sent already; it was not sent again.")
        if not outbox.start(transaction):
            return failed(Needs.TIMEOUT, _UNKNOWN)
        posting = Posting(
            str(payload["text"]),
            transaction,
            str(payload["room"]),
            str(payload["invite"]),
            str(payload["answers"]),
        )
        try:
            posted = self._chats.post(posting, self._resources.config.send_timeout)
        except MailboxError as error:
            outbox.not_sent(transaction)
            return failed(error.needs, f"{error.text} Nothing was sent.")
        except Unanswered:
            return failed(Needs.TIMEOUT, _UNKNOWN)
        outbox.sent(transaction)
        return _done(posted, payload)


def _done(posted: Posted, payload: Mapping[str, JsonValue]) -> Outcome:
    text = f"Sent to {payload['called']} by Matrix."
    if payload["invite"]:
        text = f"Opened a conversation with {payload['called']} on Matrix, and sent the message there."
    match posted.faithful:
        case False:
            text += " But the server shows other words than those that were sent."
        case None:
            text += " It could not be read back."
    return Outcome(
        ok=True,
        text=" ".join((text, *posted.notes)),
        effects=frozenset({Effect.SEND}),
        touched=tuple(strings(payload, "recipients")),
    )


def _named(chats: Chats) -> tuple[str, str]:
    return chats.account.name, chats.account.address
