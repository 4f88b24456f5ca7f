"""An account on Matrix: its rooms, its messages as a mailbox, and the way out into its rooms."""

import json
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from connectors.base import Needs
from connectors.messaging.chat import Posted, Posting, Room, Unanswered
from connectors.messaging.errors import MailboxError
from connectors.messaging.matrix.box import MatrixBox
from connectors.messaging.matrix.config import Account as Settings
from connectors.messaging.matrix.posting import Postman
from connectors.messaging.matrix.session import Homeserver, Session
from connectors.messaging.matrix.store import Store
from connectors.messaging.matrix.sync import INVITED, Sync
from connectors.messaging.matrix.watch import MatrixWatch
from connectors.messaging.mime.headers import Correspondent
from connectors.messaging.records import short_hash
from connectors.mode import Mode

_FRESH: Final = 2.0
_PAUSE: Final = 10.0
_FIRST: Final = 120.0


class MatrixAccount:
    """Looks at its server when it is asked, and not at all while a watch hears of everything anyway.

    `trouble` says why what is known may not be the newest, or nothing.
    """

    def __init__(
        self,
        session: Session,
        store: Store,
        me: Correspondent,
        rooms: Sequence[str] = (),
        *,
        writable: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        server = session.server
        self.account = me
        self.writable = writable
        self.trouble = ""
        self.listening = False
        self.step = server.timeout
        self._session = session
        self._store = store
        self._clock = clock
        self._sync = Sync(store, server.user, server.host, rooms)
        self._postman = Postman(self._sync, session, self.step)
        self._looked = float("-inf")
        self._away = float("-inf")
        self._looking = threading.Lock()

    def look(self, *, anew: bool = False) -> None:
        """Bring what is known up to date, as far as the server can be reached."""
        if not anew and (self.listening or self._clock() - self._looked < _FRESH):
            return
        with self._looking:
            if self._clock() - self._away < _PAUSE:
                return
            try:
                self.learn()
            except (MailboxError, TimeoutError) as error:
                # A server that does not answer is waited for once, and not for every look.
                self._away = self._clock()
                self.trouble = self._words(error)

    def learn(self, wait: float = 0.0) -> None:
        """One step with the server, which may wait so many seconds for news. Raises MailboxError."""
        patience = wait + (self.step if self._store.fact("token") else _FIRST)
        try:
            self._session.run(partial(self._sync.step, wait=wait), patience)
        except TimeoutError as error:
            text = f"{self._session.server.host} did not answer in time."
            raise MailboxError(Needs.OFFLINE, text) from error
        self._looked, self._away = self._clock(), float("-inf")
        invitations = json.loads(self._store.fact(INVITED) or "[]")
        self.trouble = f"{'; '.join(invitations)} (accept it in a Matrix app)." if invitations else ""

    def known(self) -> Sequence[Room]:
        return self._store.rooms()

    def room_of(self, event: str) -> str:
        message = self._store.message(event)
        return message.said.room if message else ""

    def written(self, room: str) -> int:
        return self._store.written(room, self.account.address)

    def now(self) -> Sequence[Room]:
        self.learn()
        return self._store.rooms()

    def post(self, posting: Posting, seconds: float) -> Posted:
        work = partial(self._postman.post, posting=posting, seconds=seconds)
        try:
            posted: Posted = self._session.run(work, 2 * seconds + 4 * self.step)
        except TimeoutError as error:
            raise Unanswered from error
        self.look(anew=True)
        return posted

    def posted(self, room: str, transaction: str) -> bool | None:
        work = partial(self._postman.find, room=room, transaction=transaction)
        try:
            found = self._session.run(work, 4 * self.step)
        except TimeoutError:
            return None
        return True if found else None

    def stop(self) -> None:
        """Break off what is being done; nothing is begun any more."""
        self._session.close()

    def close(self) -> None:
        self._session.close()
        self._store.close()

    def _words(self, error: MailboxError | TimeoutError) -> str:
        text = error.text if isinstance(error, MailboxError) else f"{self._session.server.host} is slow."
        return f"{text} What was known before is shown." if self._store.fact("token") else text


def opened(
    state: Path, settings: Settings, name: str, secret: Callable[[], str]
) -> tuple[MatrixAccount, MatrixBox, MatrixWatch]:
    """The account that the settings name, with what is known of it in `state`; nothing is asked yet."""
    server = Homeserver(settings.homeserver, settings.user, settings.timeout, settings.authority)
    # What is known of one account must never be taken for what is in another, nor of some rooms for all.
    file = f"matrix-{short_hash(server.url, server.user, *sorted(settings.rooms))}.db"
    store, me = Store(state / file), Correspondent(name, settings.user)
    account = MatrixAccount(
        Session(server, secret), store, me, settings.rooms, writable=settings.mode is Mode.FULL
    )
    watch = MatrixWatch(account, lambda: datetime.now().astimezone(), store)
    return account, MatrixBox(store, account, me), watch
