"""Keeps what is known of an account in step with it, beside the calls: reads on, and hears of new mail."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from connectors.base import Needs
from connectors.messaging.errors import MailboxError
from connectors.messaging.imap.cache import Cache
from connectors.messaging.imap.connection import Connection
from connectors.messaging.imap.mailbox import ImapMailbox
from connectors.messaging.maildir.names import INBOX
from connectors.messaging.report import Report
from connectors.messaging.watch import Watch

# A server may hang up on a client that says nothing for half an hour (RFC 2177).
_SILENCE: Final = 25 * 60.0
_PATIENCE: Final = 30.0
_SLICE: Final = 1.0
_SHORTEST, _LONGEST = 5.0, 15 * 60.0
_HOPELESS: Final = frozenset({Needs.SIGNED_OUT})


class MailWatch(Watch):
    """One thread for one account, on a connection of its own; what goes wrong is told and tried again later.

    A sign-in that was refused is not repeated: the account might be locked for it. With a `cache` it is
    remembered when the account was last in step.
    """

    def __init__(
        self,
        mailbox: ImapMailbox,
        connection: Connection,
        clock: Callable[[], datetime] | None = None,
        cache: Cache | None = None,
    ) -> None:
        super().__init__("mail")
        self._mailbox = mailbox
        self._connection = connection
        self._cache = cache
        self._clock = clock or (lambda: datetime.now(UTC))

    def close(self) -> None:
        """End; waits for the step at hand."""
        self.stopping.set()
        self.ended(_PATIENCE)
        self._connection.close()
        self._mailbox.close()

    def run(self) -> None:
        """Read on, and hear of new mail."""
        wait = _SHORTEST
        with suppress(OSError):
            self.report = Report(self._cache.in_step if self._cache else None)
        while not self.stopping.is_set():
            try:
                self._catch_up()
                wait = _SHORTEST
                self._listen()
            except MailboxError as error:
                self.tell(Report(self.report.known, error.text))
                if error.needs in _HOPELESS:
                    return
                self.stopping.wait(wait)
                wait = min(2 * wait, _LONGEST)
            except OSError as error:
                self.tell(Report(self.report.known, str(error)))
                return

    def _catch_up(self) -> None:
        """Learn of every message there is, a part at a time so that calls get their turn."""
        self._mailbox.stale()
        self._mailbox.entries()
        while not self._mailbox.read_on() and not self.stopping.is_set():
            pass
        self._make_sure()
        now = self._clock()
        if self._cache:
            self._cache.is_in_step(now)
        self.tell(Report(now))

    def _listen(self) -> None:
        """Wait for a sign that something has changed in the inbox (RFC 2177), or until it is time to look."""
        with self._connection.folder(INBOX) as client:
            if not client.has_capability("IDLE"):
                self.stopping.wait(60)
                return
            # What came before the folder was open here is not announced, so that it is looked at once more.
            self._mailbox.stale()
            self._mailbox.entries([INBOX])
            self._make_sure()
            client.idle()
            heard: list[object] = []
            passed = 0.0
            while not heard and passed < _SILENCE and not self.stopping.is_set():
                heard = client.idle_check(_SLICE)
                passed += _SLICE
            client.idle_done()
        self._mailbox.stale()

    def _make_sure(self) -> None:
        """Where the mailbox's own line is broken it shows what it knew: then all is to be looked at again."""
        if self._mailbox.trouble:
            raise MailboxError(Needs.OFFLINE, self._mailbox.trouble)
