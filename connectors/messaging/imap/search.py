"""Looking for words on the server (RFC 9051 section 6.4.4), which reads more than is kept here."""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Final

from imapclient.exceptions import IMAPClientError

from connectors.base import Needs
from connectors.messaging.errors import MailboxError
from connectors.messaging.imap.connection import Connection

Criteria = list[object]


MOST_NAMED: Final = 2_000
"""Of so many messages at most their UIDs are named to the server; of more it looks through all."""
_AT_ONCE: Final = 500


def search(
    connection: Connection, folder: str, words: Sequence[Sequence[str]], among: Sequence[int] | None = None
) -> tuple[int, ...]:
    """The UIDs of the messages in a folder that hold all words, each in any of its spellings.

    With `among` only these are looked at, which spares the server to open the others. Raises MailboxError,
    also where the server cannot look for such letters: that is not "none".
    """
    wanted: Criteria = [part for spellings in words for part in _any_of(spellings)]
    plain = all(spelling.isascii() for spellings in words for spelling in spellings)
    with connection.folder(folder) as client:
        try:
            return tuple(
                uid
                for part in _parts(among)
                for uid in client.search([*part, *wanted], None if plain else "UTF-8")
            )
        except IMAPClientError as error:
            if plain or "BADCHARSET" not in str(error).upper():
                raise
            text = "The mail server cannot search for such letters, so it could not be searched."
            raise MailboxError(Needs.UNSUPPORTED, text) from error


def _parts(among: Sequence[int] | None) -> Iterator[Criteria]:
    """What limits a search to these messages, in as many parts as lines of bearable length need."""
    if among is None:
        yield []
        return
    for start in range(0, len(among), _AT_ONCE):
        yield ["UID", ",".join(map(str, among[start : start + _AT_ONCE]))]


def _any_of(spellings: Sequence[str]) -> Criteria:
    each: list[Criteria] = [["TEXT", spelling] for spelling in dict.fromkeys(spellings)]
    return reduce(lambda one, other: ["OR", *one, *other], each)
