"""How much fits into the mailbox, looked at before anything is put in."""

from datetime import datetime
from typing import Final

from connectors.base import Item, Needs, Outcome, failed
from connectors.messaging import describe
from connectors.messaging.config import Config
from connectors.messaging.maildir.index import Index
from connectors.messaging.maildir.mailbox import Mailbox
from connectors.messaging.maildir.names import FLAGGED, TRASH

_MOST_ITEMS: Final = 8


class Quota:
    """At most so many messages, or bytes; the trash is not counted, as the Maildir++ quota has it."""

    def __init__(self, mailbox: Mailbox, index: Index, config: Config) -> None:
        self._mailbox = mailbox
        self._index = index
        self._config = config

    def shortage(self, size: int, now: datetime, keep: str = "") -> Outcome | None:
        """Why a message of `size` bytes does not fit, with those that could go, oldest first, or None.

        `keep` is the handle of a message that is needed. Raises OSError.
        """
        counted = [entry for entry in self._mailbox.entries() if entry.folder != TRASH]
        used = sum(entry.size for entry in counted)
        most, most_bytes = self._config.most_messages, self._config.most_bytes
        if most is not None and len(counted) + 1 > most:
            reason = f"it holds {len(counted):,} messages and has room for {most:,}"
        elif most_bytes is not None and used + size > most_bytes:
            reason = f"it holds {describe.in_bytes(used)} and has room for {describe.in_bytes(most_bytes)}"
        else:
            return None
        text = f"The mailbox is full: {reason}. A message must go before another can come in."
        return failed(Needs.MAILBOX_FULL, text, items=self._that_could_go(now, keep))

    def _that_could_go(self, now: datetime, keep: str) -> tuple[Item, ...]:
        there = [
            each
            for each in self._index.summaries()
            if each.entry.folder != TRASH and each.handle != keep and FLAGGED not in each.entry.flags
        ]
        oldest = sorted(there, key=lambda each: (each.came(now), each.handle))[:_MOST_ITEMS]
        return tuple(describe.item(each, now, size=True) for each in oldest)
