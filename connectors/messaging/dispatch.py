"""Sends a message at most once: a record before it leaves, a copy after it, and the truth at the end."""

import asyncio
from collections.abc import Mapping
from email import message_from_bytes

from pydantic import JsonValue

from connectors.base import Effect, Needs, Outcome, failed
from connectors.clean import clean_line
from connectors.messaging import describe, enclosures
from connectors.messaging.filing import filed, is_filed
from connectors.messaging.letters import strings
from connectors.messaging.mime.enclose import size_of
from connectors.messaging.outbox import Fate
from connectors.messaging.quota import Quota
from connectors.messaging.resources import Resources, unpacked
from connectors.messaging.transport import Bounded, Delivery

_UNKNOWN = (
    "It is not known whether the message was sent: there was no answer. It is not sent again by itself; "
    "ask the recipient before sending it once more."
)


class Dispatch:
    """Hands prepared messages to the transport."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._quota = Quota(resources.mailbox, resources.index, resources.config)

    async def hindrance(self, size: int, payload: Mapping[str, JsonValue]) -> Outcome | None:
        """Why a message of this size could not be sent now, or None. Looks only. May raise OSError."""
        transport = self._resources.transport
        obstacle = await transport.obstacle()
        if obstacle:
            return failed(obstacle.needs, obstacle.text)
        if isinstance(transport, Bounded) and (most := transport.largest) and size > most:
            has, can = describe.in_bytes(size), describe.in_bytes(most)
            return failed(Needs.INVALID, f"The message has {has}, and the mail server takes at most {can}.")
        keep = payload.get("keep")
        needed = keep if isinstance(keep, str) else ""
        return await asyncio.to_thread(self._quota.shortage, size, unpacked(payload), needed)

    async def send(self, payload: Mapping[str, JsonValue]) -> Outcome:
        """Send the message in a payload, and file a copy. Raises OSError only before anything has left."""
        text = str(payload["message"]).encode("ascii")
        message_id = str(message_from_bytes(text)["Message-ID"])
        earlier = await asyncio.to_thread(self._earlier, message_id)
        if earlier:
            return earlier
        sizes = [each.size for each in enclosures.unpacked(payload)]
        hindrance = await self.hindrance(size_of(text, sizes), payload)
        if hindrance:
            return hindrance
        # The files are read at the last moment, and go only as they were shown.
        data = await asyncio.to_thread(enclosures.filled, payload, self._resources.files)
        if isinstance(data, Outcome):
            return data
        if not await asyncio.to_thread(self._resources.outbox.start, message_id):
            return failed(Needs.TIMEOUT, _UNKNOWN)
        try:
            async with asyncio.timeout(self._resources.config.send_timeout):
                delivery = await self._resources.transport.send(data, strings(payload, "recipients"))
        except Exception:
            # A transport that breaks off has not said whether the message left: the record stays as it is.
            return failed(Needs.TIMEOUT, _UNKNOWN)
        return await asyncio.to_thread(self._concluded, delivery, message_id, data, payload)

    def _earlier(self, message_id: str) -> Outcome | None:
        """What is to be said of a message that was sent before, by the outbox or by what is in Sent."""
        there = is_filed(self._resources, message_id)
        if not there and self._resources.outbox.fate(message_id) is not Fate.SENT:
            return None
        return failed(Needs.INVALID, "This very message has been sent already; it was not sent again.")

    def _concluded(
        self, delivery: Delivery, message_id: str, data: bytes, payload: Mapping[str, JsonValue]
    ) -> Outcome:
        recipients = strings(payload, "recipients")
        names = dict(zip(recipients, strings(payload, "names"), strict=True))
        refused = dict(delivery.refused)
        if delivery.obstacle or all(address in refused for address in recipients):
            return self._not_sent(delivery, message_id)
        problems = [self._recorded(message_id), filed(self._resources, data, message_id)]
        problems += [
            f"Not accepted for {names.get(address, clean_line(address))}: {clean_line(reason, 200)}."
            for address, reason in delivery.refused
        ]
        reached = {address: name for address, name in names.items() if address not in refused}
        files = enclosures.unpacked(payload)
        with_files = f" with {describe.listed([each.name for each in files], 10)}" if files else ""
        said = f"Sent to {describe.listed(list(reached.values()), 10)}{with_files}."
        return Outcome(
            ok=True,
            text=" ".join([said, *filter(None, problems)]),
            effects=frozenset({Effect.SEND}) | enclosures.effects(files),
            touched=(*reached, *(each.handle for each in files)),
        )

    def _not_sent(self, delivery: Delivery, message_id: str) -> Outcome:
        self._resources.outbox.not_sent(message_id)
        if delivery.obstacle:
            return failed(delivery.obstacle.needs, delivery.obstacle.text)
        reasons = "; ".join(
            f"{clean_line(address)}: {clean_line(why, 200)}" for address, why in delivery.refused
        )
        return failed(Needs.INVALID, f"Nothing was sent, no address was accepted ({reasons}).")

    def _recorded(self, message_id: str) -> str:
        try:
            self._resources.outbox.sent(message_id)
        except OSError:
            return "The outbox could not be brought up to date."
        return ""
