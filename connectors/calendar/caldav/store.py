"""One account's calendars as a store of the calendar service."""

from collections.abc import Iterable
from pathlib import Path

from connectors.calendar.accounts import Account
from connectors.calendar.caldav.kind import CALENDARS
from connectors.calendar.store import Collection, Place, Stamp, StoreError
from connectors.dav.faults import Forbidden
from connectors.dav.store import DavStore
from connectors.secrets.chain import Secrets


class CaldavStore(DavStore):
    """The calendars of one account; see `connectors.calendar.store.Store`."""

    def __init__(self, name: str, account: Account, folder: Path, secrets: Secrets) -> None:
        super().__init__(CALENDARS, "calendar", name, account, folder, secrets.find)
        self._notify = account.notify == "ask"
        self._address = account.address

    def outdated(self, collection: str) -> StoreError | None:
        return self.unsure

    def collections(self) -> tuple[Collection, ...]:
        facts = self.mirror.facts()
        return tuple(
            Collection(
                each.name,
                each.displayname,
                read_only=self.locked or each.read_only,
                events=not each.components or "VEVENT" in each.components,
                tasks=self.profile.tasks and (not each.components or "VTODO" in each.components),
                schedules=facts.get("schedules") == "yes",
                invites=self._notify,
                me=self._address or facts.get("me", ""),
            )
            for each in self.folders()
        )

    def items(self, collection: str) -> Iterable[tuple[Place, Stamp]]:
        return [(Place(collection, name), stamp) for name, stamp in self.mirror.stamps(collection)]

    def read(self, place: Place) -> bytes | None:
        found = self.mirror.find(place.collection, place.name)
        return found.data if found else None

    def put(self, place: Place, data: bytes | None, expected: bytes | None) -> bytes | None:
        return self.write(place.collection, place.name, data, expected)

    def make_collection(self, name: str, displayname: str) -> None:
        raise Forbidden(f"The calendar {name} is not on {self.name} any more.")

    def remove_collection(self, name: str, displayname: str) -> None:
        """A server's calendar is never removed."""
