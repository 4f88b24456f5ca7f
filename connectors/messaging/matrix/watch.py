"""Keeps what is known of an account in step with it, beside the calls: hears of everything as it happens."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Final, Protocol

from connectors.base import Needs
from connectors.messaging.errors import MailboxError
from connectors.messaging.report import Report
from connectors.messaging.watch import Watch

_LONG: Final = 25.0
_PATIENCE: Final = 10.0
_SHORTEST, _LONGEST = 2.0, 5 * 60.0
_IN_STEP: Final = "in step"


class Listener(Protocol):
    """An account that can wait for news."""

    listening: bool

    def learn(self, wait: float = 0.0) -> None: ...

    def stop(self) -> None: ...

    def close(self) -> None: ...


class Facts(Protocol):
    """Where it is remembered when the account was last in step."""

    def fact(self, name: str) -> str: ...

    def set_fact(self, name: str, value: str) -> None: ...


class MatrixWatch(Watch):
    """One thread for one account; what goes wrong is told and tried again later."""

    def __init__(self, account: Listener, clock: Callable[[], datetime], facts: Facts) -> None:
        super().__init__("matrix watch")
        self._account = account
        self._clock = clock
        self._facts = facts

    def close(self) -> None:
        """End; what is waited for is broken off."""
        self.stopping.set()
        self._account.stop()
        self.ended(_PATIENCE)
        self._account.close()

    def run(self) -> None:
        """Hear of everything as it happens."""
        wait, pause = 0.0, _SHORTEST
        with suppress(OSError, ValueError):
            self.report = Report(datetime.fromisoformat(self._facts.fact(_IN_STEP)))
        while not self.stopping.is_set():
            try:
                self._account.learn(wait)
                self._account.listening = True
                now = self._clock()
                self._facts.set_fact(_IN_STEP, now.isoformat())
                self.tell(Report(now))
                wait, pause = _LONG, _SHORTEST
            except MailboxError as error:
                self._account.listening, wait = False, 0.0
                self.tell(Report(self.report.known, error.text))
                # Signing in again may be done elsewhere, and a token is not locked by being tried.
                self.stopping.wait(_LONGEST if error.needs is Needs.SIGNED_OUT else pause)
                pause = min(2 * pause, _LONGEST)
            except OSError as error:
                self._account.listening = False
                self.tell(Report(self.report.known, str(error)))
                return
