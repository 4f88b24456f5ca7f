"""One account's folders: read from the mirror, written to the server."""

import contextlib
import json
import time
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path

from connectors.dav import writing
from connectors.dav.accounts import Account, Mode
from connectors.dav.discovery import Remote
from connectors.dav.faults import Busy, Forbidden, Moved, NoAnswer, SignedOut, Unreachable
from connectors.dav.kind import Kind
from connectors.dav.mirror import Arrived, Kept, Mirror
from connectors.dav.quirks import UNKNOWN, Profile
from connectors.dav.server import Server
from connectors.dav.state import AccountState
from connectors.dav.sync import home_of, sync
from connectors.dav.worker import Worker
from connectors.secrets.base import SecretError
from connectors.secrets.settings import FindSecret
from connectors.stores import StoreError

# A failure that took long is not soon paid for again; one of these will not go away by asking.
_FAILURE_FACTOR = 10.0
_LONGEST_WAIT = 60.0
_PATIENCE = 4.0
_PARTING = 2.0
# Less than a call may take in all, so that what there is to say of it is said.
_FIRST_PATIENCE = 10.0
_NAME_LENGTH = 8


class DavStore:
    """The folders of one account.

    The server is asked in a thread of its own. Reading waits for it a few seconds and then goes on with what
    is known; after a failure it is left alone for a while, unless something is to be written. The account's
    secret is found under `service` and its name, and what is known is the `mirror`, kept in `folder`.
    """

    def __init__(
        self, kind: Kind, service: str, name: str, account: Account, folder: Path, find: FindSecret
    ) -> None:
        self.name = name
        self._kind = kind
        self._service = service
        self._account = account
        self._find = find
        self.mirror = Mirror(folder / f"{name}.db")
        self._worker = Worker(f"{service} {name}")
        self._server: Server | None = None
        self._going: Future[None] | None = None
        self._problem: StoreError | None = None
        self._looked = float("-inf")
        self._begun = 0.0
        self._mine = False
        self._closed = False
        self._wait = 0.0

    def close(self) -> None:
        """Let go of the connection and the database; what goes on is waited for only a moment."""
        self._closed = True
        ended = self._worker.begin(self._disconnect)
        self._worker.end()
        with contextlib.suppress(TimeoutError):
            ended.result(timeout=_PARTING)
            self.mirror.close()

    def begin(self, *, at_once: bool) -> None:
        """Have the mirror brought up to date, unless that was just done, goes on, or failed a moment ago."""
        if not self._mine:
            self.mirror.belong_to(f"{self._account.user} {self._account.url}")
            self._mine = True
        fresh = 0.0 if at_once else self._account.fresh
        due = self._looked + (self._wait if self._problem else fresh)
        if self._going is None and not self._closed and time.monotonic() >= due:
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

    @property
    def busy(self) -> bool:
        """True while the server is being asked what there is."""
        return self._going is not None

    def refresh(
        self, *, at_once: bool = False, patience: float = _PATIENCE, first: float = _FIRST_PATIENCE
    ) -> tuple[str, ...]:
        """Bring the mirror up to date; a sentence where what is shown may be old.

        It is waited for `patience` seconds, or `first` seconds where nothing is known yet.
        """
        self.begin(at_once=at_once)
        known = self.mirror.facts().get("synced")
        if self._going is not None:
            self.settle(patience if known else first)
        if self._going is None and self._problem is None:
            return self._left_out()
        said = str(self._problem) if self._problem else f"{self.name} is still being read."
        since = f" What is shown of it is from {_moment(known)}." if known else " Nothing of it is known yet."
        return (said + since, *self._left_out())

    @property
    def locked(self) -> bool:
        """True where the settings say that nothing in the account is changed."""
        return self._account.mode is not Mode.FULL

    def folders(self) -> list[Remote]:
        """The folders as they are known."""
        return self.mirror.folders()

    def version(self, folder: str) -> tuple[int, int]:
        """What is another whenever anything in a folder is."""
        return self.mirror.version(folder)

    def write(self, folder: str, name: str, data: bytes | None, expected: bytes | None) -> bytes | None:
        """Put an item on the server (None: remove it), over nothing but the version that was looked at.

        Returns the bytes that are kept now, which the server may have put in its own way.
        """
        if self.locked:
            raise Forbidden(f"The account {self.name} is only read, so nothing in it is changed.")
        if self._closed:
            raise Unreachable(f"{self.name} is not connected to any more, so nothing was changed.")
        return self._worker.begin(lambda: self._write(folder, name, data, expected)).result()

    def new_name(self, folder: str, uid: str) -> str:
        """The beginning of the UID, or all of it where the server names items by it."""
        short = uid if self.profile.name_by_uid else uid.replace("-", "")[:_NAME_LENGTH]
        return short + self._kind.suffix

    def notices(self) -> tuple[str, ...]:
        return (str(self._problem),) if self._problem else ()

    @property
    def unsure(self) -> StoreError | None:
        """Why what is known may be old; None where the server was just asked."""
        return NoAnswer(f"{self.name} is still being read.") if self.busy else self._problem

    @property
    def state(self) -> AccountState:
        """How the account is doing."""
        facts = self.mirror.facts()
        return AccountState(
            name=f"{self._service} {self.name}",
            kind=self._kind.folders,
            address=self._account.url,
            server=self.profile.called(self._kind.protocol),
            mode=self._account.mode,
            folders=tuple(each.displayname for each in self.folders()),
            synced=facts.get("synced", ""),
            problem=str(self._problem or ""),
            notes=self.profile.notes,
        )

    @property
    def profile(self) -> Profile:
        """What is peculiar about the server, as far as it is known."""
        home = home_of(self.mirror)
        return home.profile if home else UNKNOWN

    def _sync(self) -> None:
        try:
            sync(self._connected(), self.mirror, self._account, datetime.now(UTC))
        except SignedOut:
            # The password may have been changed since it was looked up.
            self._disconnect()
            raise

    def _connected(self) -> Server:
        if self._server is None:
            try:
                secret = self._find(f"{self._service}/{self.name}", self._account.password)
            except SecretError as error:
                raise SignedOut(f"{self.name} cannot be signed in to. {error}") from error
            self._server = Server(self.name, self._account, secret, self._kind)
        return self._server

    def _disconnect(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    def _write(self, folder: str, name: str, data: bytes | None, expected: bytes | None) -> bytes | None:
        remote = next((each for each in self.folders() if each.name == folder), None)
        if remote is None:
            raise Moved(f"The {self._kind.folder} {folder} is not there any more.")
        kept = self.mirror.find(folder, name)
        if (kept.data if kept else None) != expected:
            raise Moved(f"{folder}/{name} has changed meanwhile.")
        try:
            return self._written(remote, name, kept, data)
        finally:
            # Either way the server should be looked at again soon: what was known of it may be old.
            self._wait = 0.0

    def _written(self, remote: Remote, name: str, kept: Kept | None, data: bytes | None) -> bytes | None:
        server = self._connected()
        if data is None:
            if kept is not None:
                writing.delete(server, remote, kept)
                self.mirror.update(remote.name, gone=(kept.href,))
            return None
        if kept is None:
            arrived = writing.create(server, remote, self.profile, name, data)
        else:
            arrived = writing.replace(server, remote, kept, data)
        if arrived.etag:
            self.mirror.update(remote.name, (Arrived(name, arrived.href, arrived.etag, arrived.data),))
        return arrived.data

    def _left_out(self) -> tuple[str, ...]:
        names = json.loads(self.mirror.facts().get("left_out", "[]"))
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
