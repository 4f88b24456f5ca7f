"""What every verb of the mailbox works with."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from connectors.base import Context
from connectors.lending import FileFinder, FileTaker
from connectors.messaging.acquaintances import Acquaintances
from connectors.messaging.boxes import Boxes
from connectors.messaging.chat import Chats
from connectors.messaging.config import Config
from connectors.messaging.mailbox import Box
from connectors.messaging.maildir.index import Index
from connectors.messaging.maildir.names import Entry
from connectors.messaging.outbox import Outbox
from connectors.messaging.records import Records, short_hash
from connectors.messaging.transport import Transport
from connectors.people import AddressBook


@dataclass(frozen=True, slots=True)
class Resources:
    """The mailbox and all that belongs to it; verbs hold no state of their own."""

    mailbox: Box
    index: Index
    written: Acquaintances
    book: AddressBook
    config: Config
    records: Records
    outbox: Outbox
    transport: Transport
    files: FileFinder
    taker: FileTaker

    @property
    def chats(self) -> Chats | None:
        """The conversations beside the mail, None where there are none."""
        return self.mailbox.chats if isinstance(self.mailbox, Boxes) else None

    def content(self, entry: Entry) -> str:
        """A digest of what a message says. Raises OSError."""
        return short_hash(self.mailbox.read(entry))

    def version(self, entry: Entry) -> str:
        """A digest of a message, its place and its flags, except whether it has been read. Raises OSError."""
        return short_hash(self.content(entry), entry.handle, entry.flags.replace("S", ""))


def local(context: Context) -> datetime:
    """The moment of a call in the person's zone."""
    return context.now.astimezone(context.zone)


def packed(moment: datetime) -> dict[str, JsonValue]:
    """A moment as JSON values that keep its zone."""
    zone = moment.tzinfo.key if isinstance(moment.tzinfo, ZoneInfo) else "UTC"
    return {"now": moment.isoformat(), "zone": zone}


def zone_of(payload: Mapping[str, JsonValue]) -> ZoneInfo:
    """The zone of the moment that `packed` kept."""
    return ZoneInfo(str(payload["zone"]))


def unpacked(payload: Mapping[str, JsonValue]) -> datetime:
    """The moment that `packed` kept."""
    return datetime.fromisoformat(str(payload["now"])).astimezone(zone_of(payload))
