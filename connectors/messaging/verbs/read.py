"""Shows what a message says, and marks it as read."""

from datetime import datetime

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
from connectors.clean import clean, clean_line, shorten
from connectors.messaging import describe
from connectors.messaging.boxes import letter_of
from connectors.messaging.config import Mode
from connectors.messaging.find import Finder, which
from connectors.messaging.maildir.index import Summary
from connectors.messaging.maildir.mailbox import seen
from connectors.messaging.maildir.names import Entry, is_handle
from connectors.messaging.mime.headers import Correspondent, cleaned
from connectors.messaging.mime.letter import Letter
from connectors.messaging.records import short_hash
from connectors.messaging.resources import Resources, local, packed, unpacked
from connectors.messaging.tools import Read as Arguments
from connectors.when import describe as describe_time

_LONGEST_TEXT = 50_000


class Read:
    """`messaging.read`"""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._finder = Finder(resources.index, resources.book)

    def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        arguments = Arguments.model_validate(call.arguments)
        now = local(context)
        chosen = self._chosen(arguments, context)
        if not isinstance(chosen, tuple):
            return chosen
        summary, note = chosen
        marks = summary.entry.unread and self._resources.config.mode is not Mode.READ_ONLY
        fields = [
            *describe.fields(summary, now, note),
            Field("In", describe.folder(summary.entry.folder)),
        ]
        if marks:
            fields.append(Field("Marks it", "read", before="unread"))
        return Prepared(
            call=call,
            effects=frozenset({Effect.READ, Effect.MARK} if marks else {Effect.READ}),
            resolved=(Resolved(Role.TARGET, "message", summary.handle, describe.label(summary)),),
            payload={"handle": summary.handle, "mark": marks, **packed(now)},
            preview=Preview(f"Read “{describe.label(summary)}”", "reads a message", tuple(fields)),
            basis=self._resources.content(summary.entry),
            undo="it can be marked as unread again" if marks else None,
        )

    def perform(self, prepared: Prepared) -> Outcome:
        entry = self._resources.mailbox.locate(str(prepared.payload["handle"]))
        if entry is None:
            return failed(Needs.CONFLICT, "The message is not there any more.")
        data = self._resources.mailbox.read(entry)
        if short_hash(data) != prepared.basis:
            return failed(Needs.CONFLICT, "The message has changed since it was looked at.")
        letter = letter_of(self._resources.mailbox, entry, lambda: data)
        undo, problem = self._marked(entry, prepared)
        text = f"Read the message from {describe.called(cleaned(letter.sender))}."
        if letter.faults:
            text += f" It is not in order: {'; '.join(letter.faults)}."
        return Outcome(
            ok=True, text=text + problem, content=_content(letter, unpacked(prepared.payload)), undo=undo
        )

    def _marked(self, entry: Entry, prepared: Prepared) -> tuple[Call | None, str]:
        if not prepared.payload["mark"] or not entry.unread:
            return None, ""
        try:
            undo = self._resources.records.keep(
                prepared.call,
                kind="seen",
                handle=entry.handle,
                subdir=entry.subdir,
                suffix=entry.suffix,
                flags=seen(entry.flags),
            )
            self._resources.mailbox.mark(entry, seen(entry.flags))
        except OSError:
            return None, " It could not be marked as read."
        return undo, ""

    def _chosen(self, arguments: Arguments, context: Context) -> tuple[Summary, str] | Question | Outcome:
        """The message to read: of several from one address the newest, and a note that says so."""
        if arguments.message and is_handle(arguments.message):
            found = self._finder.by_handle(arguments.message)
            return (found, "") if isinstance(found, Summary) else found
        now = local(context)
        matches = self._finder.matching(arguments.message, arguments.sender, now)
        messages = matches.summaries
        if not messages:
            return self._finder.nothing(arguments.message, arguments.sender, now)
        from_one = len({each.sender.address.lower() for each in messages}) == 1
        unnamed = not arguments.message and not arguments.sender
        if len(messages) > 1 and not (matches.newest or from_one or unnamed):
            return which(messages, now)
        return messages[0], f"the newest of {len(messages)}" if len(messages) > 1 else ""


def _content(letter: Letter, now: datetime) -> str:
    lines = [
        f"From: {', '.join(map(_person, letter.senders)) or 'nobody named'}",
        f"To: {', '.join(map(_person, letter.recipients)) or 'nobody named'}",
        f"Subject: {clean_line(letter.subject, 300) or describe.NO_SUBJECT}",
    ]
    if letter.sent:
        lines.append(f"Date: {describe_time(letter.sent.astimezone(now.tzinfo), now)}")
    for attachment in letter.attachments:
        size = describe.in_bytes(attachment.size)
        lines.append(
            f"Attached: {clean_line(attachment.name, 120)} ({clean_line(attachment.kind, 60)}, {size})"
        )
    lines += [clean_line(note, 200) for note in letter.notes]
    body = shorten(clean(letter.text), _LONGEST_TEXT).strip("\n")
    return "\n".join([*lines, "", body or "(no text)"])


def _person(who: Correspondent) -> str:
    clean_person = cleaned(who)
    return describe.person(clean_person.name, clean_person.address)
