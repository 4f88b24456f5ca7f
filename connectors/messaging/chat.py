"""What a service of conversations can do beside a mailbox: rooms that are read by all who are in them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from connectors.messaging.mailbox import Box
from connectors.messaging.maildir.names import Entry
from connectors.messaging.mime.headers import Correspondent
from connectors.messaging.mime.letter import Letter
from connectors.people import is_matrix_id
from connectors.people.matrix_ids import is_matrix_room

MATRIX: Final = "Matrix"
"""The folder with what others wrote in conversations; one's own is in Sent."""

CHANNEL: Final = "matrix"
"""What a payload says of the channel that its message goes by; mail says nothing."""

FIXED: Final = "What was said on Matrix stays in its room: it cannot be moved or deleted here."
NOT_FETCHED: Final = "Files that were sent by Matrix are not fetched; open them in a Matrix app."

_SIGN: Final = "$"


class Unanswered(Exception):
    """A message was handed over, and nobody knows if it has arrived."""


@dataclass(frozen=True, slots=True)
class Room:
    """A conversation: who reads it besides oneself, those who are only invited included.

    `direct` names the one person it is meant for; with `encrypted` nothing may be sent, with `open` anybody
    can come in and read.
    """

    id: str
    name: str
    people: tuple[Correspondent, ...]
    direct: str = ""
    encrypted: bool = False
    open: bool = False


@dataclass(frozen=True, slots=True)
class Posting:
    """A message for a room, or for somebody who is invited to a new one.

    `transaction` is fixed once for each approval: a server takes a message of the same transaction only once.
    """

    text: str
    transaction: str
    room: str = ""
    invite: str = ""
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Posted:
    """What the server says of a message it took; `faithful` is None where it could not be read back."""

    event: str
    faithful: bool | None
    notes: tuple[str, ...] = ()


class Rooms(Protocol):
    """The conversations of an account; the methods may raise MailboxError."""

    @property
    def account(self) -> Correspondent:
        """The person's own name and id there."""
        ...

    @property
    def writable(self) -> bool:
        """False where the settings only let it be read."""
        ...

    def known(self) -> Sequence[Room]:
        """The rooms there were when last looked, without asking the server."""
        ...

    def room_of(self, event: str) -> str:
        """The id of the room a message is in; empty for none."""
        ...

    def written(self, room: str) -> int:
        """How many messages of one's own are known in a room."""
        ...

    def now(self) -> Sequence[Room]:
        """The rooms as they are now; raises where the server cannot be asked."""
        ...


class Poster(Protocol):
    """The way out into conversations."""

    def post(self, posting: Posting, seconds: float) -> Posted:
        """Have a message taken once, within so many seconds, and read it back.

        Raises MailboxError where it certainly was not taken, Unanswered where that is not known.
        """
        ...

    def posted(self, room: str, transaction: str) -> bool | None:
        """True if a message was taken, None if that cannot be told. Raises MailboxError."""
        ...


class Chats(Rooms, Poster, Protocol):
    """A service of conversations."""


class ChatBox(Box, Protocol):
    """The messages of all rooms as a mailbox, which knows what each says without parsing mail."""

    def letter(self, entry: Entry) -> Letter:
        """What a message says. Raises FileNotFoundError where it is gone."""
        ...


def is_chat(entry: Entry) -> bool:
    """True for a message of a conversation: its unique name is that of an event."""
    return entry.unique.startswith(_SIGN)


def chat_draft(text: str, people: Sequence[tuple[str, str]]) -> bytes:
    """A message for a conversation that is only kept: the text, and the names and ids it is for, as JSON."""
    return json.dumps({"text": text, "to": people}).encode("ascii")


def is_chat_draft(data: bytes) -> bool:
    """True for a draft of ours that is for a conversation; mail begins with a header."""
    return data.startswith(b"{")


def goes_to_chat(address: str) -> bool:
    """True for the id of a person or a room in a service of conversations."""
    return is_matrix_id(address) or is_matrix_room(address)
