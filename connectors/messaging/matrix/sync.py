"""Brings what is known of an account in step with its server, by the token of the last time."""

import asyncio
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from nio import AsyncClient, MatrixRoom, RoomMessagesResponse, SyncError, SyncResponse

from connectors.clean import clean_line
from connectors.messaging.chat import Room
from connectors.messaging.matrix.faults import refusal
from connectors.messaging.matrix.session import asked
from connectors.messaging.matrix.store import Store
from connectors.messaging.matrix.timeline import Change, Said, change_of
from connectors.messaging.mime.headers import Correspondent

_FILTER: Final = {
    "presence": {"types": []},
    "account_data": {"types": ["m.direct"]},
    "room": {
        "timeline": {"limit": 100},
        "ephemeral": {"types": ["m.receipt"]},
        "account_data": {"types": ["m.fully_read"]},
    },
}
_PAGE: Final = 100
_MOST_PAGES: Final = 10
_READ: Final = frozenset({"m.read", "m.read.private"})
_TOKEN: Final = "token"
_DIRECT: Final = "m.direct"
INVITED: Final = "invited"


class Sync:
    """Steps of one account; `chosen` are ids or names of the only rooms that are to be known (none: all)."""

    def __init__(self, store: Store, user: str, host: str, chosen: Sequence[str] = ()) -> None:
        self._store = store
        self._user = user
        self._host = host
        self._chosen = frozenset(chosen)
        self._known_to: AsyncClient | None = None
        self._applying = asyncio.Lock()
        self.at = float("-inf")

    async def step(self, client: AsyncClient, wait: float = 0.0) -> None:
        """Learn what has happened since; waits for at most so many seconds where nothing has.

        Raises MailboxError, and OSError where what is learnt cannot be kept.
        """
        since = self._store.fact(_TOKEN)
        # Who is in a room is kept by the client only: each new one is told all of it first.
        whole = self._known_to is not client
        answer = await self._told(client, since, 0.0 if whole else wait, whole=whole)
        async with self._applying:
            if self._store.fact(_TOKEN) != since:
                return
            gaps = await self._gaps(client, answer)
            self._apply(client, answer, gaps)
            self._known_to = client
            self.at = time.monotonic()

    async def _told(self, client: AsyncClient, since: str, wait: float, *, whole: bool) -> SyncResponse:
        answer = client.sync(
            timeout=int(wait * 1000), since=since or None, full_state=whole or None, sync_filter=_FILTER
        )
        if not since:
            return await asked(answer, SyncResponse, self._host)
        got = await asked(answer, SyncResponse | SyncError, self._host)
        if isinstance(got, SyncResponse):
            return got
        refused = refusal(got, self._host)
        if refused is None or getattr(got.transport_response, "status", 0) != 400:
            raise refused.error if refused else OSError(str(got))
        # A server that was set up anew does not know the token: all is looked at again.
        return await asked(client.sync(full_state=True, sync_filter=_FILTER), SyncResponse, self._host)

    async def _gaps(self, client: AsyncClient, answer: SyncResponse) -> Mapping[str, list[object]]:
        """What happened in rooms since the last time, where the server left some of it out."""
        found: dict[str, list[object]] = {}
        for id, room in answer.rooms.join.items():
            if room.timeline.limited and self._store.room(id) is not None:
                found[id] = await self._earlier(client, id, room.timeline.prev_batch)
        return found

    async def _earlier(self, client: AsyncClient, room: str, start: str) -> list[object]:
        events: list[object] = []
        for _ in range(_MOST_PAGES):
            page = await asked(
                client.room_messages(room, start=start, limit=_PAGE), RoomMessagesResponse, self._host
            )
            for event in page.chunk:
                if self._store.known(str(event.source.get("event_id"))):
                    return events[::-1]
                events.append(event)
            if not page.end or not page.chunk:
                break
            start = page.end
        return events[::-1]

    def _apply(self, client: AsyncClient, answer: SyncResponse, gaps: Mapping[str, list[object]]) -> None:
        with self._store.using():
            self._learn_direct(answer)
            joined = [client.rooms[id] for id in answer.rooms.join if self._wanted(client.rooms[id])]
            self._store.set_rooms(map(self._room, joined), answer.rooms.leave)
            for room in joined:
                self._learn_room(room, answer, gaps.get(room.room_id, []))
            self._store.set_fact(INVITED, json.dumps(list(_invitations(client.invited_rooms.values()))))
            self._store.set_fact(_TOKEN, answer.next_batch)

    def _learn_direct(self, answer: SyncResponse) -> None:
        for event in answer.account_data_events:
            if getattr(event, "type", "") == _DIRECT and isinstance(event.content, dict):
                self._store.set_fact(_DIRECT, json.dumps(event.content))
                rooms = [self._marked(each) for each in self._store.rooms()]
                self._store.set_rooms(rooms)

    def _learn_room(self, room: MatrixRoom, answer: SyncResponse, gap: Sequence[object]) -> None:
        told = answer.rooms.join[room.room_id]
        changes: list[Change] = []
        for event in (*gap, *told.timeline.events):
            source = getattr(event, "source", None)
            change = change_of(source, room.room_id) if isinstance(source, dict) else None
            if change:
                changes.append(change)
        new = not self._store.fact(_TOKEN)
        seen = self._seen(changes, told.unread_notifications, new=new)
        self._store.add(changes, seen, self._readers(room, known=not new and not gap))
        for event in told.ephemeral:
            for receipt in getattr(event, "receipts", ()):
                if receipt.user_id == self._user and receipt.receipt_type in _READ:
                    self._store.seen_up_to(room.room_id, receipt.event_id)

    def _readers(self, room: MatrixRoom, *, known: bool) -> tuple[Correspondent, ...]:
        """Who has read what was just said; of what was said long ago only the one it was meant for."""
        now = self._store.room(room.room_id)
        if now is None:
            return ()
        return now.people if known else tuple(each for each in now.people if each.address == now.direct)

    def _seen(self, changes: Iterable[Change], unread: object, *, new: bool) -> frozenset[str]:
        """The messages that are no news: one's own, and of the first look all but what the server counts."""
        said = [each for each in changes if isinstance(each, Said)]
        theirs = [each.id for each in said if each.sender != self._user]
        count = getattr(unread, "notification_count", 0) or 0
        old = theirs[: max(len(theirs) - count, 0)] if new else []
        return frozenset({*(each.id for each in said if each.sender == self._user), *old})

    def _wanted(self, room: MatrixRoom) -> bool:
        return not self._chosen or bool(
            self._chosen & {room.room_id, room.canonical_alias, room.display_name}
        )

    def _room(self, room: MatrixRoom) -> Room:
        people = [
            Correspondent(clean_line(user.name or "", 80), user.user_id)
            for user in sorted(room.users.values(), key=lambda user: user.user_id)
            if user.user_id != self._user
        ]
        before = self._store.room(room.room_id)
        # A room that was encrypted once is so for ever, whatever a server says later.
        encrypted = room.encrypted or bool(before and before.encrypted)
        anybody = room.join_rule == "public" or room.history_visibility == "world_readable"
        name = clean_line(room.display_name or "", 80) or room.room_id
        return self._marked(Room(room.room_id, name, tuple(people), "", encrypted, anybody))

    def _marked(self, room: Room) -> Room:
        """The room with the person it is a direct conversation with (account data m.direct), if any."""
        told = json.loads(self._store.fact(_DIRECT) or "{}")
        there = {each.address for each in room.people}
        direct = next(
            (
                user
                for user, rooms in told.items()
                if user in there and isinstance(rooms, list) and room.id in rooms
            ),
            "",
        )
        return Room(room.id, room.name, room.people, direct, room.encrypted, room.open)


def _invitations(rooms: Iterable[MatrixRoom]) -> Iterable[str]:
    for room in rooms:
        who = clean_line(str(room.inviter or "somebody"), 80)
        yield f"{who} invites you to “{clean_line(room.display_name or room.room_id, 80)}”"
