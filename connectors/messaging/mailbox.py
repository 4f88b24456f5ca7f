"""What every mailbox can do, be it a folder of this machine or a server."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from connectors.messaging.maildir.names import Entry, Subdir

Handles = frozenset[str]
"""The handles of some messages."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How much a mailbox may hold: messages or bytes."""

    unit: str
    used: int
    most: int


class Reading(Protocol):
    """Looking into a mailbox; every method may raise OSError."""

    @property
    def trouble(self) -> str:
        """Why what is told may not be the newest, in a plain sentence, or nothing."""
        ...

    def folders(self) -> tuple[str, ...]:
        """The folders there are, by the names of `maildir.names`, the inbox first."""
        ...

    def entries(self, folders: Iterable[str] | None = None) -> tuple[Entry, ...]:
        """Every message of these folders (None: of all), in no order."""
        ...

    def look_again(self, folder: str) -> None:
        """Learn what has changed in a folder, however lately it was looked at."""
        ...

    def locate(self, handle: str) -> Entry | None:
        """The message a handle stands for as it is now, or None if it is gone."""
        ...

    def read(self, entry: Entry) -> bytes:
        """The whole message (RFC 5322)."""
        ...

    def head(self, entry: Entry) -> bytes:
        """As much of a message as its summary needs: at least the header."""
        ...

    def search(self, words: Sequence[Sequence[str]], among: Handles | None = None) -> frozenset[str]:
        """The handles of messages that hold all these words, each in any of its spellings.

        Only of those whose `head` is not the whole; where `among` is given no others are wanted.
        """
        ...

    def limits(self) -> tuple[Limit, ...]:
        """How full the mailbox is, where it can say so."""
        ...


class Writing(Protocol):
    """Changing a mailbox; every method may raise OSError, and then nothing has changed."""

    def new_name(self, data: bytes) -> str:
        """The unique name that a message of these bytes will have when it is delivered."""
        ...

    def deliver(self, folder: str, data: bytes, flags: str, unique: str = "") -> Entry:
        """Put a new message into a folder, wholly or not at all; without flags it is new mail."""
        ...

    def name_in(self, entry: Entry, folder: str) -> str:
        """The unique name a message gets in another folder."""
        ...

    def move(self, entry: Entry, folder: str, unique: str, subdir: Subdir) -> Entry:
        """Put a message into another folder with its flags, under a name from `name_in`."""
        ...

    def mark(self, entry: Entry, flags: str) -> Entry:
        """Give a message these flags."""
        ...

    def put_back(self, entry: Entry, subdir: Subdir, file_suffix: str) -> Entry:
        """Undo `mark`: the message is again as new, or marked, as it was."""
        ...

    def remove(self, entry: Entry) -> None:
        """Delete a message for good."""
        ...


class Box(Reading, Writing, Protocol):
    """A mailbox that is read and written."""
