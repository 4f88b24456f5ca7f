"""Was something done, of which nobody knows? Found out by a send's Message-ID, or by a change's record."""

import asyncio
from dataclasses import replace
from email import message_from_bytes
from typing import Final

from connectors.base import Arguments, Effect, Needs, Outcome, Prepared, Question, failed
from connectors.messaging import describe
from connectors.messaging.chat import CHANNEL
from connectors.messaging.filing import is_filed
from connectors.messaging.letters import strings
from connectors.messaging.maildir.names import SENT, place
from connectors.messaging.outbox import Fate
from connectors.messaging.records import record_of, undo_of
from connectors.messaging.resources import Resources
from connectors.messaging.transport import Traceable

_RECORDED: Final = frozenset({"messaging.draft", "messaging.move", "messaging.delete"})


def marked(found: Prepared | Question | Outcome) -> Prepared | Question | Outcome:
    """A prepared send with the id and the addresses that it can be found by, or a change with its record."""
    if not isinstance(found, Prepared):
        return found
    if found.call.tool in _RECORDED:
        before = str(found.payload.get("handle", ""))
        return replace(found, mark={"call": found.call.id, "before": before})
    if Effect.SEND not in found.effects:
        return found
    if found.payload.get("channel") == CHANNEL:
        return replace(
            found, mark={key: str(found.payload[key]) for key in ("channel", "room", "transaction")}
        )
    message = message_from_bytes(str(found.payload["message"]).encode("ascii"))
    recipients = strings(found.payload, "recipients")
    return replace(found, mark={"message_id": str(message["Message-ID"]), "recipients": list(recipients)})


async def look_for(resources: Resources, mark: Arguments) -> Outcome | None:
    """What came of a send or a change as far as it can be seen here, else None. May raise OSError."""
    if "call" in mark:
        return await asyncio.to_thread(_changed, resources, str(mark["call"]), str(mark["before"]))
    if mark.get("channel") == CHANNEL:
        return await asyncio.to_thread(_posted, resources, str(mark["room"]), str(mark["transaction"]))
    return await _sent(resources, mark)


def _changed(resources: Resources, call: str, before: str) -> Outcome | None:
    """Of a draft or a move: whether the message is where its record says that it should be."""
    name = record_of(call)
    record = resources.records.find(name)
    if record is None:
        return failed(Needs.UNAVAILABLE, "It was not done: it was never begun.")
    there, left = (
        resources.mailbox.locate(record["handle"]),
        bool(before) and resources.mailbox.locate(before),
    )
    if there and resources.content(there) == record["content"] and not left:
        folder = describe.folder(there.folder)
        return Outcome(ok=True, text=f"It was done: it is in {folder}.", undo=undo_of(call, name))
    if there or (before and not left):
        return None
    where = place(record["handle"])
    return failed(
        Needs.UNAVAILABLE, f"It was not done: it is not in {describe.folder(where[0] if where else '')}."
    )


def _posted(resources: Resources, room: str, transaction: str) -> Outcome | None:
    """Of a message for a conversation: whether the server has one of this transaction there."""
    fate = resources.outbox.fate(transaction)
    if fate is Fate.SENT:
        return Outcome(ok=True, text="It was sent by Matrix.")
    if fate is None:
        return failed(Needs.UNAVAILABLE, "It was not sent: it never left.")
    if not resources.chats or not room:
        return None
    if resources.chats.posted(room, transaction):
        return Outcome(ok=True, text="It was sent by Matrix: it is in the conversation.")
    return None


async def _sent(resources: Resources, mark: Arguments) -> Outcome | None:
    message_id = str(mark.get("message_id", ""))
    if not message_id:
        return None
    if await asyncio.to_thread(_looked_at, resources, message_id):
        return Outcome(ok=True, text="It was sent: it is in Sent.")
    fate = await asyncio.to_thread(resources.outbox.fate, message_id)
    if fate is Fate.SENT:
        return Outcome(ok=True, text="It was sent, but no copy is in Sent.")
    if fate is None:
        return failed(Needs.UNAVAILABLE, "It was not sent: it never left.")
    if not isinstance(resources.transport, Traceable):
        return None
    reached = await resources.transport.delivered(message_id, strings(mark, "recipients"))
    if reached is None:
        return None
    if reached:
        return Outcome(ok=True, text="It was sent, but no copy is in Sent.")
    return failed(Needs.UNAVAILABLE, "It was not sent: it reached nobody.")


def _looked_at(resources: Resources, message_id: str) -> bool:
    resources.mailbox.look_again(SENT)
    return is_filed(resources, message_id)
