"""Answers a message, in its thread, to whoever it asks to answer to."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

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
from connectors.clean import clean_line
from connectors.messaging import describe, enclosures
from connectors.messaging.chat import CHANNEL
from connectors.messaging.dispatch import Dispatch
from connectors.messaging.find import Finder
from connectors.messaging.letters import Letters, Note, checked, payload, resolved
from connectors.messaging.maildir.index import Summary
from connectors.messaging.maildir.names import DRAFTS, SENT
from connectors.messaging.mime.compose import answered, thread
from connectors.messaging.mime.headers import Correspondent, bare, cleaned
from connectors.messaging.mime.letter import Letter, parse
from connectors.messaging.records import short_hash
from connectors.messaging.resources import Resources, local, zone_of
from connectors.messaging.tools import Reply as Arguments
from connectors.messaging.verbs.conversing import Conversing
from connectors.messaging.verbs.send import no_account
from connectors.people import is_address


@dataclass(frozen=True, slots=True)
class _Answer:
    """A note, the message it answers, and what to look at twice."""

    note: Note
    parent: Summary
    version: str
    warnings: tuple[str, ...]


class Reply:
    """`messaging.reply`"""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._letters = Letters(resources)
        self._dispatch = Dispatch(resources)
        self._finder = Finder(resources.index, resources.book)
        self._chats = Conversing(resources, resources.chats) if resources.chats else None

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        if self._chats and (found := await asyncio.to_thread(self._chats.reply, call, context)):
            return found
        if missing := await no_account(self._resources):
            return missing
        answer = await asyncio.to_thread(self._answer, call, context)
        if not isinstance(answer, _Answer):
            return answer
        now = local(context)
        data = self._letters.written(answer.note, call.id, now)
        contents = {**payload(answer.note, data, now), "keep": answer.parent.handle}
        parent_label = describe.label(answer.parent)
        fields = (
            *self._letters.fields(answer.note),
            Field("Answers", parent_label, "message", describe.date(answer.parent, now)),
            Field("Copy", "kept in Sent"),
        )
        size = self._letters.size(data, answer.note)
        return await self._dispatch.hindrance(size, contents) or Prepared(
            call=call,
            effects=frozenset({Effect.SEND}) | answer.note.effects,
            resolved=(
                *resolved(answer.note),
                Resolved(Role.TARGET, "message", answer.parent.handle, parent_label),
            ),
            payload=contents,
            preview=Preview(
                f"Answer {answer.note.people}{answer.note.along}",
                "sends an answer",
                fields,
                body=answer.note.shown_body,
                warnings=(*answer.warnings, *enclosures.warnings(answer.note.files)),
            ),
            basis=self._letters.basis(answer.note, answer.version),
        )

    async def perform(self, prepared: Prepared) -> Outcome:
        if self._chats and prepared.payload.get("channel") == CHANNEL:
            return await asyncio.to_thread(self._chats.perform, prepared)
        moved = await asyncio.to_thread(self._moved, prepared)
        return moved or await self._dispatch.send(prepared.payload)

    def _moved(self, prepared: Prepared) -> Outcome | None:
        parent = self._finder.by_handle(str(prepared.payload["keep"]))
        if not isinstance(parent, Summary):
            return failed(Needs.CONFLICT, "The message to answer is not there any more; nothing was sent.")
        arguments = Arguments.model_validate(prepared.call.arguments)
        answer = self._to(parent, arguments, zone_of(prepared.payload))
        if (
            not isinstance(answer, _Answer)
            or self._letters.basis(answer.note, answer.version) != prepared.basis
        ):
            return failed(
                Needs.CONFLICT, "The message to answer, or what goes into it, has changed; nothing was sent."
            )
        return None

    def _answer(self, call: Call, context: Context) -> _Answer | Question | Outcome:
        arguments = Arguments.model_validate(call.arguments)
        parent = self._finder.one(arguments.message, arguments.sender, local(context))
        if not isinstance(parent, Summary):
            return parent
        if parent.entry.folder in (SENT, DRAFTS):
            return failed(Needs.INVALID, f"“{describe.label(parent)}” is a message of your own.")
        if not arguments.body and not arguments.attachments:
            text = f"What should the answer to {describe.called(parent.sender)} say?"
            return Question(text, argument="body")
        return self._to(parent, arguments, context.zone)

    def _to(self, parent: Summary, arguments: Arguments, zone: ZoneInfo) -> _Answer | Question | Outcome:
        data = self._resources.mailbox.read(parent.entry)
        letter = parse(data)
        people = letter.reply_to or letter.senders[:1]
        unusable = [each for each in people if not is_address(each.address)]
        if unusable or not people:
            named = ", ".join(describe.called(cleaned(each)) for each in unusable) or "nobody"
            return failed(
                Needs.INVALID, f"It cannot be answered: {named} is no address that can be written to."
            )
        files = self._letters.files(arguments.attachments, zone)
        if not isinstance(files, tuple):
            return files
        counts = self._resources.written.counts()
        recipients = {
            each.address.lower(): self._letters.recipients.known(_plain(each), counts) for each in people
        }
        note = checked(
            Note(
                tuple(recipients.values()),
                answered(bare(letter.subject)),
                arguments.body or "",
                thread(letter),
                argument="message",
                files=files,
            )
        )
        if isinstance(note, Outcome):
            return note
        return _Answer(note, parent, short_hash(data), self._warnings(letter, people))

    def _warnings(self, letter: Letter, people: Sequence[Correspondent]) -> tuple[str, ...]:
        warnings = []
        sender = letter.sender
        if sender.address.lower() not in {each.address.lower() for each in people}:
            to = ", ".join(clean_line(each.address) for each in people)
            warnings.append(f"The answer goes to {to}, not to {clean_line(sender.address) or 'the sender'}.")
        if letter.faults:
            warnings.append(f"The message is not in order: {'; '.join(letter.faults)}.")
        for person in (sender, *people):
            warnings.extend(self._letters.recipients.borrowed_name(person))
        return tuple(dict.fromkeys(warnings))


def _plain(person: Correspondent) -> Correspondent:
    # The name goes into a header of ours, so it must be one line, and it is shown, so it must be clean.
    return Correspondent(clean_line(bare(person.name), 80), person.address)
