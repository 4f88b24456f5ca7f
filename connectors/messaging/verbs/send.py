"""Sends a new message."""

import asyncio
from functools import partial
from zoneinfo import ZoneInfo

from connectors.base import Call, Context, Effect, Field, Needs, Outcome, Prepared, Preview, Question, failed
from connectors.messaging import enclosures
from connectors.messaging.channels import by_chat
from connectors.messaging.chat import CHANNEL
from connectors.messaging.dispatch import Dispatch
from connectors.messaging.letters import Letters, Note, changed, payload, resolved
from connectors.messaging.resources import Resources, local, zone_of
from connectors.messaging.tools import Send as Arguments
from connectors.messaging.transport import NO_ACCOUNT
from connectors.messaging.verbs.conversing import Conversing


class Send:
    """`messaging.send`"""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._letters = Letters(resources)
        self._dispatch = Dispatch(resources)
        self._chats = Conversing(resources, resources.chats) if resources.chats else None

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        missing = await no_account(self._resources)
        if missing and not self._chats:
            return missing
        note = await asyncio.to_thread(self._note, call, context.zone)
        if not isinstance(note, Note):
            return note
        if self._chats and by_chat(note.recipients):
            return await asyncio.to_thread(self._chats.send, call, note, context)
        if missing:
            return missing
        now = local(context)
        data = self._letters.written(note, call.id, now)
        contents = payload(note, data, now)
        return await self._dispatch.hindrance(self._letters.size(data, note), contents) or Prepared(
            call=call,
            effects=frozenset({Effect.SEND}) | note.effects,
            resolved=resolved(note),
            payload=contents,
            preview=Preview(
                f"Send a message to {note.people}{note.along}",
                "sends a message",
                (*self._letters.fields(note), Field("Copy", "kept in Sent")),
                body=note.shown_body,
                warnings=enclosures.warnings(note.files),
            ),
            basis=self._letters.basis(note),
        )

    async def perform(self, prepared: Prepared) -> Outcome:
        zone = zone_of(prepared.payload)
        if self._chats and prepared.payload.get("channel") == CHANNEL:
            again = partial(self._note, prepared.call, zone)
            return await asyncio.to_thread(self._chats.perform, prepared, again)
        note = await asyncio.to_thread(self._note, prepared.call, zone)
        if not isinstance(note, Note) or self._letters.basis(note) != prepared.basis:
            return failed(Needs.CONFLICT, f"{changed(prepared)} since; nothing was sent.")
        return await self._dispatch.send(prepared.payload)

    def _note(self, call: Call, zone: ZoneInfo) -> Note | Question | Outcome:
        arguments = Arguments.model_validate(call.arguments)
        return self._letters.note(arguments, zone, nobody_is_fine=False)


async def no_account(resources: Resources) -> Outcome | None:
    """What is said where nothing can ever be sent, or None."""
    obstacle = await resources.transport.obstacle() if resources.config.address else NO_ACCOUNT
    return failed(obstacle.needs, obstacle.text) if obstacle and obstacle.needs is Needs.ACCOUNT else None
