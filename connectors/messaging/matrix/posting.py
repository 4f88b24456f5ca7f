"""Has a message taken by a server at most once: by a transaction that is fixed, looked for where in doubt."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from nio import (
    Api,
    AsyncClient,
    DirectRoomsResponse,
    ErrorResponse,
    RoomCreateResponse,
    RoomGetEventResponse,
    RoomGetStateEventResponse,
    RoomMessagesResponse,
    RoomPreset,
    RoomSendResponse,
)

from connectors.base import Needs
from connectors.clean import clean_line
from connectors.messaging.chat import Posted, Posting, Unanswered
from connectors.messaging.errors import MailboxError
from connectors.messaging.matrix.faults import Refusal, broken, refusal
from connectors.messaging.matrix.session import BROKEN, Session, asked
from connectors.messaging.matrix.sync import Sync
from connectors.messaging.matrix.timeline import content_of, transaction_of

NOT_IN_CLEAR: Final = (
    "This conversation is encrypted, and Askfirst cannot encrypt; nothing is sent into it in clear."
)
_ENCRYPTION: Final = "m.room.encryption"
_KIND: Final = "m.room.message"
_UNMARKED: Final = "The server did not note that the new conversation is a direct one."
_MOST_TRIES: Final = 3
_PAUSE: Final = 0.5
_PAGE: Final = 50
_MOST_PAGES: Final = 4


class Postman:
    """Posts for one account; `step` is the longest a single request may take, in seconds."""

    def __init__(self, sync: Sync, session: Session, step: float) -> None:
        self._sync = sync
        self._user = session.server.user
        self._host = session.server.host
        self._attempts = session.attempts
        self._step = step

    async def post(self, client: AsyncClient, posting: Posting, seconds: float) -> Posted:
        """Raises MailboxError where it was certainly not taken, Unanswered where that is not known."""
        until = time.monotonic() + seconds
        if posting.room:
            return await self._said(client, posting.room, posting, until)
        room, note = await self._opened(client, posting.invite)
        try:
            posted = await self._said(client, room, posting, until)
        except MailboxError as error:
            # What was done before it went wrong is told too.
            opened = f"A conversation with {clean_line(posting.invite, 80)} was opened."
            raise MailboxError(error.needs, f"{opened} {error.text}") from error
        return replace(posted, notes=(note,) if note else ())

    async def _said(self, client: AsyncClient, room: str, posting: Posting, until: float) -> Posted:
        await self._in_clear(client, room)
        content = content_of(posting.text, posting.answers)
        event = await self._taken(client, room, posting.transaction, content, until)
        return Posted(event, await self._faithful(client, room, event, content))

    async def find(self, client: AsyncClient, room: str, transaction: str) -> str:
        """The event of one's own with this transaction, as far back as is sensible; empty for none found.

        Raises MailboxError.
        """
        start = None
        for _ in range(_MOST_PAGES):
            page = await asked(
                client.room_messages(room, start=start, limit=_PAGE), RoomMessagesResponse, self._host
            )
            for event in page.chunk:
                if event.source.get("sender") == self._user and transaction_of(event.source) == transaction:
                    return str(event.source["event_id"])
            start = page.end
            if not start:
                break
        return ""

    async def _taken(
        self, client: AsyncClient, room: str, transaction: str, content: Mapping[str, object], until: float
    ) -> str:
        """The id of the event; the same transaction may be asked for again, since it is only taken once."""
        doubt = False
        told: str | Refusal = ""
        for attempt in range(_MOST_TRIES):
            told = await self._put(client, room, transaction, content, until)
            if isinstance(told, str):
                return told
            if not told.certain:
                doubt = True
                if found := await self._found(client, room, transaction):
                    return found
            pause = told.wait or _PAUSE * attempt
            if (told.certain and not told.wait) or time.monotonic() + pause >= until:
                break
            await asyncio.sleep(pause)
        if doubt or isinstance(told, str):
            raise Unanswered
        raise told.error

    async def _put(
        self, client: AsyncClient, room: str, transaction: str, content: Mapping[str, object], until: float
    ) -> str | Refusal:
        left = min(max(until - time.monotonic(), 0.1), self._step)
        before = self._attempts.repeated
        try:
            async with asyncio.timeout(left):
                answer = await client.room_send(room, _KIND, dict(content), tx_id=transaction)
        except BROKEN as error:
            return broken(error, self._host)
        if isinstance(answer, RoomSendResponse):
            return str(answer.event_id)
        refused = refusal(answer, self._host) or broken(OSError(), self._host)
        return replace(refused, certain=refused.certain and self._attempts.repeated == before)

    async def _found(self, client: AsyncClient, room: str, transaction: str) -> str:
        try:
            async with asyncio.timeout(self._step):
                return await self.find(client, room, transaction)
        except (MailboxError, TimeoutError):
            return ""

    async def _faithful(
        self, client: AsyncClient, room: str, event: str, content: Mapping[str, object]
    ) -> bool | None:
        """Whether the server now has the very words that were approved."""
        try:
            async with asyncio.timeout(self._step):
                got = await asked(client.room_get_event(room, event), RoomGetEventResponse, self._host)
        except (MailboxError, TimeoutError):
            return None
        there = got.event.source.get("content")
        return isinstance(there, dict) and all(there.get(key) == value for key, value in content.items())

    async def _in_clear(self, client: AsyncClient, room: str) -> None:
        """Make sure of the server's word, at the last moment, that a room is not encrypted."""
        known = client.rooms.get(room)
        if known is not None and known.encrypted:
            raise MailboxError(Needs.UNSUPPORTED, NOT_IN_CLEAR)
        try:
            async with asyncio.timeout(self._step):
                answer = await client.room_get_state_event(room, _ENCRYPTION)
        except BROKEN as error:
            raise broken(error, self._host).error from error
        if isinstance(answer, RoomGetStateEventResponse):
            raise MailboxError(Needs.UNSUPPORTED, NOT_IN_CLEAR)
        if not (isinstance(answer, ErrorResponse) and answer.status_code == "M_NOT_FOUND"):
            refused = refusal(answer, self._host)
            raise refused.error if refused else MailboxError(Needs.UNAVAILABLE, NOT_IN_CLEAR)

    async def _opened(self, client: AsyncClient, user: str) -> tuple[str, str]:
        """A new conversation with somebody, and what went wrong beside it. Making one cannot be repeated."""
        before = set(client.rooms)
        try:
            async with asyncio.timeout(self._step):
                answer = await client.room_create(
                    is_direct=True, invite=[user], preset=RoomPreset.trusted_private_chat
                )
        except BROKEN as error:
            refused: Refusal | None = broken(error, self._host)
            answer = None
        else:
            refused = None if isinstance(answer, RoomCreateResponse) else refusal(answer, self._host)
        if refused and refused.certain:
            raise refused.error
        await self._sync.step(client)
        room = str(answer.room_id) if refused is None and answer else _new_room(client, before, user)
        if not room:
            shown = clean_line(user, 80)
            text = f"It is not known whether {shown} was invited to a conversation."
            raise MailboxError(Needs.TIMEOUT, text)
        return room, await self._remembered(client, user, room)

    async def _remembered(self, client: AsyncClient, user: str, room: str) -> str:
        """Note for all of the person's programs that the room is a direct conversation (m.direct)."""
        try:
            async with asyncio.timeout(self._step):
                told = await client.list_direct_rooms()
                if not _telling(told):
                    # What is not known cannot be added to, and would be lost.
                    return _UNMARKED
                rooms = dict(getattr(told, "rooms", {}) or {})
                rooms[user] = [*rooms.get(user, []), room]
                path = Api._build_path(["user", self._user, "account_data", "m.direct"])
                answer = await client.send(
                    "PUT",
                    path,
                    Api.to_json(rooms),
                    {"Authorization": f"Bearer {client.access_token}", "Content-Type": "application/json"},
                )
                kept = answer.status == 200
                answer.release()
        except BROKEN:
            kept = False
        if not kept:
            return _UNMARKED
        await self._sync.step(client)
        return ""


def _telling(told: DirectRoomsResponse | ErrorResponse) -> bool:
    """Whether a server has said which rooms are direct, and be it none."""
    if isinstance(told, ErrorResponse):
        return bool(told.status_code == "M_NOT_FOUND")
    answer = told.transport_response
    return bool(answer.status == 200 and answer.content_type == "application/json")


def _new_room(client: AsyncClient, before: set[str], user: str) -> str:
    """A room that is there now and was not, with this person and nobody else in it."""
    for id, room in client.rooms.items():
        if id not in before and user in room.users and len(room.users) == 2:
            return str(id)
    return ""
