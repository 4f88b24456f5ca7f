"""What a person changed of what is permitted, as the journal tells of it: taken back, put back, accepted."""

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from permissions.columns import Columns
from permissions.redact import brief

EVENT = "permission"
"""The event of a row of the log that tells of permissions."""
IS_ONE = f'"event":"{EVENT}","id":""'
"""What every such row has in its body, and no other: within a text, quotation marks are escaped."""
_WORDS = 500
_ABOUT = 200
_MOST = 20


class ChangeKind(StrEnum):
    """What happened to what is permitted."""

    REVOKED = "revoked"
    RESTORED = "restored"
    TURNED_OFF = "turned_off"
    TURNED_ON = "turned_on"
    ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class PermissionChange:
    """A change of what is permitted, in words.

    `about` is the id of the permission or the name of the file; `details` say more, line by line. `at` and
    `number`, the row of the log, are given by the journal.
    """

    kind: ChangeKind
    words: str
    about: str = ""
    details: tuple[str, ...] = ()
    at: datetime | None = None
    number: int = 0


class AuditLog(Protocol):
    """Where changes of what is permitted are written down."""

    def note(self, *changes: PermissionChange) -> None:
        """Write changes down, together; on return they are on the disk. Raises JournalError."""
        ...

    def permission_changes(self, limit: int = 100) -> tuple[PermissionChange, ...]:
        """The latest changes, newest first. Raises JournalError."""
        ...


def kept_change(change: PermissionChange) -> Columns:
    """A change as the log keeps it: short, and without secrets."""
    return {
        "kind": change.kind.value,
        "words": brief(change.words, _WORDS),
        "about": brief(change.about, _ABOUT),
        "details": [brief(line, _ABOUT) for line in change.details[:_MOST]],
    }


def permission_change(number: int, body: str) -> PermissionChange:
    """A row of the log as it reads."""
    told = json.loads(body)
    kept = told["set"]
    return PermissionChange(
        ChangeKind(kept["kind"]),
        kept["words"],
        kept["about"],
        tuple(kept["details"]),
        datetime.fromisoformat(told["at"]),
        number,
    )
