"""One thing done to one message on a server, in a folder that is still the one that was looked at."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from imapclient import IMAPClient

from connectors.base import Needs
from connectors.messaging.errors import MailboxError
from connectors.messaging.imap.cache import Cache, Row
from connectors.messaging.imap.connection import Connection
from connectors.messaging.imap.flags import flags as server_flags
from connectors.messaging.imap.flags import letters
from connectors.messaging.maildir.names import Entry

GONE: Final = "The message is not there any more."
_MADE_ANEW: Final = "The folder was made anew on the server just now, so it was left alone."


class Deeds:
    """Commands on messages; each may raise MailboxError, or FileNotFoundError where the message is gone.

    Where the line breaks once a change was asked for, the error says that nobody knows if it was made.
    """

    def __init__(self, connection: Connection, cache: Cache) -> None:
        self._connection = connection
        self._cache = cache

    def fetch(self, entry: Entry) -> bytes:
        """The whole message, its lines ended by LF."""
        with self._opened(entry) as (client, uid):
            told = client.fetch([uid], ["BODY.PEEK[]"])
        data = told.get(uid, {}).get(b"BODY[]")
        if data is None:
            raise FileNotFoundError(GONE)
        return bytes(data).replace(b"\r\n", b"\n")

    def append(self, name: str, data: bytes, flags: str) -> None:
        """Put a message, its lines ended by CRLF, into a folder by the server's name for it."""
        with self._connection.client() as client, self._connection.deed():
            client.append(name, data, server_flags(flags))

    def move(self, entry: Entry, name: str) -> int:
        """Put a message into another folder, by the server's name for it (MOVE of RFC 6851, else COPY).

        Returns the UID that it got there, 0 where the server does not say.
        """
        with self._changing(entry) as (client, uid):
            _copied_to(client)
            if client.has_capability("MOVE"):
                client.move([uid], name)
            else:
                client.copy([uid], name)
                _expunge(client, uid)
            return _copied_to(client)

    def mark(self, entry: Entry, flags: str) -> str:
        """Give a message these flags; returns those that it has then."""
        with self._changing(entry) as (client, uid):
            gained, lost = set(flags) - set(entry.flags), set(entry.flags) - set(flags)
            if gained:
                client.add_flags([uid], server_flags("".join(gained)))
            if lost:
                client.remove_flags([uid], server_flags("".join(lost)))
            now = letters(client.get_flags([uid]).get(uid, ()))
            self._cache.set_flags(entry.folder, {uid: now})
        return now

    def expunge(self, entry: Entry) -> None:
        """Delete a message for good."""
        with self._changing(entry) as (client, uid):
            _expunge(client, uid)

    def identity(self, entry: Entry) -> tuple[str, int, int]:
        """What stands for a message's very bytes: on a server they never change under the same numbers."""
        return entry.folder, self._cache.state(entry.folder)[0], self._row(entry).uid

    @contextmanager
    def _opened(self, entry: Entry, *, write: bool = False) -> Iterator[tuple[IMAPClient, int]]:
        """The client with a message's folder open, and the message's UID there.

        A folder that was made anew since it was looked at may have given that UID to another message.
        """
        row, (validity, _) = self._row(entry), self._cache.state(entry.folder)
        with self._connection.folder(entry.folder, write=write) as client:
            if self._connection.validity != validity:
                raise MailboxError(Needs.CONFLICT, _MADE_ANEW)
            yield client, row.uid

    @contextmanager
    def _changing(self, entry: Entry) -> Iterator[tuple[IMAPClient, int]]:
        with self._opened(entry, write=True) as (client, uid), self._connection.deed():
            yield client, uid

    def _row(self, entry: Entry) -> Row:
        row = self._cache.find(entry.folder, entry.unique)
        if row is None:
            raise FileNotFoundError(GONE)
        return row


def _copied_to(client: IMAPClient) -> int:
    """The UID of what was copied last, which the server says once (COPYUID of RFC 4315)."""
    _, told = client._imap.response("COPYUID")
    last = (told[-1] or b"").rpartition(b" ")[2] if told else b""
    return int(last) if last.isdigit() else 0


def _expunge(client: IMAPClient, uid: int) -> None:
    """Take away exactly this message; where the server cannot do just that, it stays marked as deleted."""
    client.add_flags([uid], [rb"\Deleted"])
    if client.has_capability("UIDPLUS"):
        client.uid_expunge([uid])
