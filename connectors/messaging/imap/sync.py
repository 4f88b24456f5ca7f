"""Learning what has changed in a folder of a server: new messages, flags, and what has gone."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from imapclient import IMAPClient

from connectors.messaging.imap.cache import Cache, Row
from connectors.messaging.imap.connection import Connection
from connectors.messaging.imap.flags import letters
from connectors.messaging.records import short_hash

_HEAD: Final = (
    "BODY.PEEK[HEADER.FIELDS (FROM SENDER REPLY-TO TO CC BCC SUBJECT DATE MESSAGE-ID IN-REPLY-TO REFERENCES)]"
)
# A field's name, and its value with the lines it goes on in (RFC 5322 section 2.2.3).
_TELLING: Final = re.compile(rb"(?im)^(message-id|date|from|subject)[ \t]*:(.*(?:\n[ \t].*)*)")
_HEADS_AT_ONCE: Final = 250
_FLAGS_AT_ONCE: Final = 5_000


def refresh(connection: Connection, cache: Cache, folder: str, most: int, *, flags: bool = True) -> bool:
    """Bring what is known of a folder up to date, `most` new messages of it at a time, the newest first.

    Without `flags` those of the messages that are known are not asked for. Returns False where more are
    left. Raises MailboxError or OSError; what was learnt by then is kept.
    """
    with connection.client() as client:
        name = connection.folders(client).there(folder)
        stamp = _stamp(client, name)
    if stamp and cache.state(folder) == stamp:
        return True
    with connection.folder(folder) as client:
        validity = _validity(client, name)
        cache.begin(folder, validity)
        known = cache.flags(folder)
        there = frozenset(client.search())
        cache.remove(folder, known.keys() - there)
        if flags:
            told = _flags(client, cache.state(folder)[1], there & known.keys())
            cache.set_flags(folder, _changed(told, known))
        missing = sorted(there - known.keys(), reverse=True)
        for batch in _batches(missing[:most], _HEADS_AT_ONCE):
            cache.add(folder, _rows(client.fetch(batch, ["FLAGS", "INTERNALDATE", "RFC822.SIZE", _HEAD])))
    whole = len(missing) <= most
    cache.finish(folder, stamp[1] if whole and stamp else "")
    return whole


def name_of(data: bytes, size: int) -> str:
    """Our name for a message: the same wherever it is moved to, by its header and its size in bytes."""
    head = data.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    telling = sorted((name.lower(), value.strip()) for name, value in _TELLING.findall(head))
    return short_hash(*(part for field in telling for part in field), str(size))


def _stamp(client: IMAPClient, name: str) -> tuple[int, str] | None:
    """What stands for the whole state of a folder; None on a server that cannot say it (RFC 7162)."""
    if not client.has_capability("CONDSTORE"):
        return None
    status = client.folder_status(name, ["UIDVALIDITY", "UIDNEXT", "MESSAGES", "HIGHESTMODSEQ"])
    if not (modseq := status.get(b"HIGHESTMODSEQ")):
        return None
    return int(status[b"UIDVALIDITY"]), f"{status[b'UIDNEXT']} {status[b'MESSAGES']} {modseq}"


def _validity(client: IMAPClient, name: str) -> int:
    return int(client.folder_status(name, ["UIDVALIDITY"])[b"UIDVALIDITY"])


def _flags(client: IMAPClient, stamp: str, known: Iterable[int]) -> dict[int, str]:
    """The flags of these messages, or of those alone that have changed since the stamp."""
    changed_since = [f"CHANGEDSINCE {stamp.split()[2]}"] if stamp else None
    found: dict[int, str] = {}
    for batch in _batches(sorted(known), _FLAGS_AT_ONCE):
        told = client.fetch(batch, ["FLAGS"], changed_since)
        found |= {uid: letters(facts[b"FLAGS"]) for uid, facts in told.items()}
    return found


def _changed(told: Mapping[int, str], known: Mapping[int, str]) -> dict[int, str]:
    return {uid: flags for uid, flags in told.items() if known.get(uid, flags) != flags}


def _batches(uids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(uids), size):
        yield uids[start : start + size]


def _rows(told: Mapping[int, Mapping[bytes, Any]]) -> Iterator[Row]:
    for uid, facts in sorted(told.items(), reverse=True):
        head = next((value for key, value in facts.items() if key.startswith(b"BODY[HEADER")), None)
        if head is None:
            continue
        size = int(facts[b"RFC822.SIZE"])
        yield Row(uid, name_of(head, size), letters(facts[b"FLAGS"]), size, _arrived(facts), bytes(head))


def _arrived(facts: Mapping[bytes, Any]) -> int:
    """When a message came, in nanoseconds; imapclient gives local time without a zone."""
    moment = facts.get(b"INTERNALDATE")
    return int(moment.astimezone().timestamp()) * 10**9 if isinstance(moment, datetime) else 0
