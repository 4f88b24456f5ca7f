"""How much fits into the mailbox, looked at before anything is put in."""

from datetime import datetime
from typing import Final

from connectors.base import Item, Needs, Outcome, failed
from connectors.messaging import describe
from connectors.messaging.chat import is_chat
from connectors.messaging.config import Config
from connectors.messaging.mailbox import Limit, Reading
from connectors.messaging.maildir.index import Index
from connectors.messaging.maildir.names import FLAGGED, TRASH

_MOST_ITEMS: Final = 8


class Quota:
    """At most so many messages, or bytes; the trash is not counted, as the Maildir++ quota has it."""

    def __init__(self, mailbox: Reading, index: Index, config: Config) -> None:
        self._mailbox = mailbox
        self._index = index
        self._config = config

    def shortage(self, size: int, now: datetime, keep: str = "") -> Outcome | None:
        """Why a message of `size` bytes does not fit, with those that could go, oldest first, or None.

        `keep` is the handle of a message that is needed. Raises OSError.
        """
        for limit in (*self._mailbox.limits(), *self._own_limits()):
            more = 1 if limit.unit == "messages" else size
            if limit.used + more > limit.most:
                text = f"The mailbox is full: {_held(limit)}. A message must go before another can come in."
                return failed(Needs.MAILBOX_FULL, text, items=self._that_could_go(now, keep))
        return None

    def _own_limits(self) -> tuple[Limit, ...]:
        """The limits that the person has set."""
        most, most_bytes = self._config.most_messages, self._config.most_bytes
        if most is None and most_bytes is None:
            return ()
        counted = [each for each in self._mailbox.entries() if each.folder != TRASH and not is_chat(each)]
        messages = [] if most is None else [Limit("messages", len(counted), most)]
        used = sum(entry.size for entry in counted)
        return (*messages, *([] if most_bytes is None else [Limit("bytes", used, most_bytes)]))

    def _that_could_go(self, now: datetime, keep: str) -> tuple[Item, ...]:
        there = [
            each
            for each in self._index.summaries()
            if each.entry.folder != TRASH
            and each.handle != keep
            and FLAGGED not in each.entry.flags
            and not is_chat(each.entry)
        ]
        oldest = sorted(there, key=lambda each: (each.came(now), each.handle))[:_MOST_ITEMS]
        return tuple(describe.item(each, now, size=True) for each in oldest)


def _held(limit: Limit) -> str:
    if limit.unit == "messages":
        return f"it holds {limit.used:,} messages and has room for {limit.most:,}"
    return f"it holds {describe.in_bytes(limit.used)} and has room for {describe.in_bytes(limit.most)}"
