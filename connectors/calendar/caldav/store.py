"""One account's calendars as a store: read from the mirror, written to the server."""

import contextlib
import json
import time
from collections.abc import Iterable
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path

from connectors.calendar.accounts import Account, Mode
from connectors.calendar.caldav import writing
from connectors.calendar.caldav.discovery import Remote
from connectors.calendar.caldav.faults import Busy, Forbidden, Moved, SignedOut
from connectors.calendar.caldav.mirror import Arrived, Mirror
from connectors.calendar.caldav.quirks import UNKNOWN, Profile
from connectors.calendar.caldav.server import Server
from connectors.calendar.caldav.state import AccountState
from connectors.calendar.caldav.sync import home_of, sync
from connectors.calendar.caldav.worker import Worker
from connectors.calendar.store import SUFFIX, Collection, Place, Stamp, StoreError
from connectors.secrets.base import SecretError
from connectors.secrets.chain import Secrets

# A failure that took long is not soon paid for again; one of these will not go away by asking.
_FAILURE_FACTOR = 10.0
_LONGEST_WAIT = 60.0
_PATIENCE = 4.0
_PARTING = 2.0
_FIRST_PATIENCE = 60.0
_NAME_LENGTH = 8


class CaldavStore:
    """The calendars of one account; see `connectors.calendar.store.Store`.

    The server is asked in a thread of its own. Reading waits for it a few seconds and then goes on with what
    is known; after a failure it is left alone for a while, unless something is to be written.
    """

    def __init__(self, name: str, account: Account, folder: Path, secrets: Secrets) -> None:
        self.name = name
        self._account = account
        self._secrets = secrets
        self._mirror = Mirror(folder / f"{name}.db")
        self._worker = Worker(f"calendar {name}")
        self._server: Server | None = None
        self._going: Future[None] | None = None
        self._problem: StoreError | None = None
        self._looked = float("-inf")
        self._begun = 0.0
        self._mine = False
        self._wait = 0.0

    def close(self) -> None:
        """Let go of the connection and the database; what goes on is waited for only a moment."""
        ended = self._worker.begin(self._disconnect)
        self._worker.end()
        with contextlib.suppress(TimeoutError):
            ended.result(timeout=_PARTING)
            self._mirror.close()

    def begin(self, *, at_once: bool) -> None:
        """Have the mirror brought up to date, unless that was just done, goes on, or failed a moment ago."""
        if not self._mine:
            self._mirror.belong_to(f"{self._account.user} {self._account.url}")
            self._mine = True
        fresh = 0.0 if at_once else self._account.fresh
        due = self._looked + (self._wait if self._problem else fresh)
        if self._going is None and time.monotonic() >= due:
            self._begun = time.monotonic()
            self._going = self._worker.begin(self._sync)

    def settle(self, seconds: float) -> None:
        """Wait for the work that goes on, and take note of what came of it."""
        if self._going is None:
            return
        try:
            self._going.result(timeout=seconds)
            self._problem = None
        except TimeoutError:
            return
        except StoreError as error:
            self._problem = error
            self._wait = _wait_after(error, time.monotonic() - self._begun)
        self._going, self._looked = None, time.monotonic()

    def refresh(self, *, at_once: bool = False) -> tuple[str, ...]:
        """Bring the mirror up to date; a sentence where what is shown may be old."""
        self.begin(at_once=at_once)
        known = self._mirror.facts().get("synced")
        if self._going is not None:
            self.settle(_PATIENCE if known else _FIRST_PATIENCE)
        if self._going is None and self._problem is None:
            return self._left_out()
        said = str(self._problem) if self._problem else f"{self.name} is still being read."
        since = f" What is shown of it is from {_moment(known)}." if known else " Nothing of it is known yet."
        return (said + since, *self._left_out())

    def collections(self) -> tuple[Collection, ...]:
        facts = self._mirror.facts()
        locked = self._account.mode is not Mode.FULL
        return tuple(
            Collection(
                each.name,
                each.displayname,
                read_only=locked or each.read_only,
                events=each.events,
                tasks=each.tasks,
                schedules=facts.get("schedules") == "yes",
                invites=self._account.notify == "ask",
                me=self._account.address or facts.get("me", ""),
            )
            for each in self._mirror.calendars()
        )

    def items(self, collection: str) -> Iterable[tuple[Place, Stamp]]:
        return [(Place(collection, name), stamp) for name, stamp in self._mirror.stamps(collection)]

    def version(self, collection: str) -> Stamp | None:
        return self._mirror.version(collection)

    def read(self, place: Place) -> bytes | None:
        found = self._mirror.find(place.collection, place.name)
        return found.data if found else None

    def put(self, place: Place, data: bytes | None, expected: bytes | None) -> bytes | None:
        """Write to the server what is to be kept, over nothing but the version that was looked at."""
        if self._account.mode is not Mode.FULL:
            raise Forbidden(f"The account {self.name} is only read, so nothing in it is changed.")
        return self._worker.begin(lambda: self._put(place, data, expected)).result()

    def new_name(self, collection: str, uid: str) -> str:
        """The beginning of the UID, or all of it where the server names items by it."""
        return (uid if self._profile.name_by_uid else uid.replace("-", "")[:_NAME_LENGTH]) + SUFFIX

    def make_collection(self, name: str, displayname: str) -> None:
        raise Forbidden(f"The calendar {name} is not on {self.name} any more.")

    def remove_collection(self, name: str, displayname: str) -> None:
        """A server's calendar is never removed."""

    def notices(self) -> tuple[str, ...]:
        return (str(self._problem),) if self._problem else ()

    @property
    def state(self) -> AccountState:
        """How the account is doing."""
        facts = self._mirror.facts()
        return AccountState(
            name=f"calendar {self.name}",
            address=self._account.url,
            server=self._profile.title,
            mode=self._account.mode,
            calendars=tuple(each.displayname for each in self._mirror.calendars()),
            synced=facts.get("synced", ""),
            problem=str(self._problem or ""),
            notes=self._profile.notes,
        )

    @property
    def _profile(self) -> Profile:
        home = home_of(self._mirror)
        return home.profile if home else UNKNOWN

    def _sync(self) -> None:
        try:
            sync(self._connected(), self._mirror, self._account, datetime.now(UTC))
        except SignedOut:
            # The password may have been changed since it was looked up.
            self._disconnect()
            raise

    def _connected(self) -> Server:
        if self._server is None:
            try:
                secret = self._secrets.find(f"calendar/{self.name}", self._account.password)
            except SecretError as error:
                raise SignedOut(f"{self.name} cannot be signed in to. {error}") from error
            self._server = Server(self.name, self._account, secret)
        return self._server

    def _disconnect(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    def _put(self, place: Place, data: bytes | None, expected: bytes | None) -> bytes | None:
        remote = next((each for each in self._mirror.calendars() if each.name == place.collection), None)
        if remote is None:
            raise Moved(f"The calendar {place.collection} is not there any more.")
        kept = self._mirror.find(place.collection, place.name)
        if (kept.data if kept else None) != expected:
            raise Moved(f"{place} has changed meanwhile.")
        try:
            return self._written(remote, place, data)
        finally:
            # Either way the server should be looked at again soon: what was known of it may be old.
            self._wait = 0.0

    def _written(self, remote: Remote, place: Place, data: bytes | None) -> bytes | None:
        server, kept = self._connected(), self._mirror.find(place.collection, place.name)
        if data is None:
            if kept is not None:
                writing.delete(server, remote, kept)
                self._mirror.update(remote.name, gone=(kept.href,))
            return None
        if kept is None:
            arrived = writing.create(server, remote, self._profile, place.name, data)
        else:
            arrived = writing.replace(server, remote, kept, data)
        if arrived.etag:
            self._mirror.update(remote.name, (Arrived(place.name, arrived.href, arrived.etag, arrived.data),))
        return arrived.data

    def _left_out(self) -> tuple[str, ...]:
        names = json.loads(self._mirror.facts().get("left_out", "[]"))
        if not names:
            return ()
        return (f"{self.name} gives no version for {len(names)} items, so they can be read but not changed.",)


def _wait_after(error: StoreError, took: float) -> float:
    """How many seconds a server is left alone after a failure."""
    if isinstance(error, SignedOut):
        return _LONGEST_WAIT
    asked = error.seconds if isinstance(error, Busy) else 0.0
    return max(asked, min(took * _FAILURE_FACTOR, _LONGEST_WAIT))


def _moment(text: str) -> str:
    return datetime.fromisoformat(text).astimezone().strftime("%a %-d %b %Y %H:%M")
