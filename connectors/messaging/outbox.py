"""Which messages were handed to the transport: the promise that each is sent at most once."""

from enum import StrEnum
from pathlib import Path

from connectors.messaging.records import read_json, short_hash, write_json


class Fate(StrEnum):
    """What is known of a message: handed over but unanswered, or taken by the transport."""

    STARTED = "started"
    SENT = "sent"


class Outbox:
    """One small file for each message id, there before the message leaves.

    Every method may raise OSError.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def fate(self, message_id: str) -> Fate | None:
        """What is known of a message, None if it was never handed over; a damaged record is a start."""
        path = self._path(message_id)
        if not path.exists():
            return None
        record = read_json(path) or {}
        return Fate.SENT if record.get("fate") == Fate.SENT else Fate.STARTED

    def start(self, message_id: str) -> bool:
        """Take a message for sending; False if it has been taken before, also by another process."""
        try:
            write_json(self._path(message_id), self._record(message_id, Fate.STARTED), new=True)
        except FileExistsError:
            return False
        return True

    def sent(self, message_id: str) -> None:
        """The transport has taken it."""
        write_json(self._path(message_id), self._record(message_id, Fate.SENT))

    def not_sent(self, message_id: str) -> None:
        """It certainly has not left, so it may be tried again."""
        self._path(message_id).unlink(missing_ok=True)

    def _path(self, message_id: str) -> Path:
        return self._folder / f"{short_hash(message_id)}.json"

    @staticmethod
    def _record(message_id: str, fate: Fate) -> dict[str, str]:
        return {"message_id": message_id, "fate": fate.value}
