"""Was a message sent, of which nobody knows? Found out by its Message-ID, which is fixed before it leaves."""

import asyncio
from dataclasses import replace
from email import message_from_bytes

from connectors.base import Arguments, Effect, Needs, Outcome, Prepared, Question, failed
from connectors.messaging.letters import strings
from connectors.messaging.maildir.names import SENT
from connectors.messaging.outbox import Fate
from connectors.messaging.resources import Resources
from connectors.messaging.transport import Traceable


def marked(found: Prepared | Question | Outcome) -> Prepared | Question | Outcome:
    """A prepared send with the id and the addresses that it can be found by."""
    if not isinstance(found, Prepared) or Effect.SEND not in found.effects:
        return found
    message = message_from_bytes(str(found.payload["message"]).encode("ascii"))
    recipients = strings(found.payload, "recipients")
    return replace(found, mark={"message_id": str(message["Message-ID"]), "recipients": list(recipients)})


async def look_for(resources: Resources, mark: Arguments) -> Outcome | None:
    """The outcome of a send as far as it can be seen here, None where it cannot. May raise OSError."""
    message_id = str(mark.get("message_id", ""))
    if not message_id:
        return None
    if await asyncio.to_thread(_filed, resources, message_id):
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


def _filed(resources: Resources, message_id: str) -> bool:
    return any(
        each.message_id == message_id and each.entry.folder == SENT for each in resources.index.summaries()
    )
