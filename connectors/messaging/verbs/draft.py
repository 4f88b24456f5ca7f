"""Keeps a message of one's own as a draft; it goes nowhere."""

from zoneinfo import ZoneInfo

from connectors.base import Call, Context, Effect, Needs, Outcome, Prepared, Preview, Question, failed
from connectors.messaging import enclosures
from connectors.messaging.errors import unseen
from connectors.messaging.letters import Letters, Note, changed, payload, resolved
from connectors.messaging.maildir.names import DRAFT, DRAFTS, SEEN, handle
from connectors.messaging.quota import Quota
from connectors.messaging.records import short_hash
from connectors.messaging.resources import Resources, local, unpacked, zone_of
from connectors.messaging.tools import Draft as Arguments


class Draft:
    """`messaging.draft`"""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._letters = Letters(resources)
        self._quota = Quota(resources.mailbox, resources.index, resources.config)

    def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        note = self._note(call, context.zone)
        if not isinstance(note, Note):
            return note
        now = local(context)
        data = self._letters.written(note, call.id, now)
        to = f" to {note.people}" if note.recipients else ""
        title = f"Keep a draft{to}{note.along}"
        return self._quota.shortage(self._letters.size(data, note), now) or Prepared(
            call=call,
            effects=frozenset({Effect.WRITE}),
            resolved=resolved(note),
            payload=payload(note, data, now),
            preview=Preview(
                title,
                "keeps a draft",
                self._letters.fields(note),
                body=note.shown_body,
                warnings=enclosures.warnings(note.files),
            ),
            basis=self._letters.basis(note),
            undo="the draft can be removed again",
        )

    def perform(self, prepared: Prepared) -> Outcome:
        note = self._note(prepared.call, zone_of(prepared.payload))
        if not isinstance(note, Note) or self._letters.basis(note) != prepared.basis:
            return failed(Needs.CONFLICT, f"{changed(prepared)} since; nothing was kept.")
        data = enclosures.filled(prepared.payload, self._resources.files)
        if isinstance(data, Outcome):
            return data
        shortage = self._quota.shortage(len(data), unpacked(prepared.payload))
        if shortage:
            return shortage
        # The record comes first, so that nothing can be done that could not be taken back as promised.
        name, content = self._resources.mailbox.new_name(data), short_hash(data)
        undo = self._resources.records.keep(
            prepared.call, kind="draft", handle=handle(DRAFTS, name), content=content
        )
        entry = self._resources.mailbox.deliver(DRAFTS, data, DRAFT + SEEN, name)
        try:
            kept = self._resources.content(entry)
        except OSError as error:
            raise unseen(error) from error
        if kept != content:
            return failed(Needs.UNAVAILABLE, "The draft could not be read back as it was written.")
        to = f" to {note.people}" if note.recipients else ""
        return Outcome(ok=True, text=f"The draft{to} is in Drafts.", undo=undo)

    def _note(self, call: Call, zone: ZoneInfo) -> Note | Question | Outcome:
        return self._letters.note(Arguments.model_validate(call.arguments), zone, nobody_is_fine=True)
