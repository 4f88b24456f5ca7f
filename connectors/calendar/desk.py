"""What every verb of the calendar works with: the folder, what is in it, the records, settings and people.

Those who lend it files look for invitations: in messages, on the disk.
"""

from dataclasses import dataclass
from datetime import datetime

from connectors.base import Context
from connectors.calendar.config import Config
from connectors.calendar.index import Index
from connectors.calendar.records import Records
from connectors.calendar.store import Store
from connectors.lending import FileFinder
from connectors.people import AddressBook


@dataclass(frozen=True, slots=True)
class Desk:
    """The calendar's parts, put together once."""

    store: Store
    index: Index
    records: Records
    config: Config
    book: AddressBook
    lenders: tuple[FileFinder, ...] = ()


def local_now(context: Context) -> datetime:
    """The moment of a call on the person's own clock."""
    return context.now.astimezone(context.zone)
