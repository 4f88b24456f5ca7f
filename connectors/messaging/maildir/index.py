"""What is known of every message without opening it: a cache, rebuilt from the mailbox when it is lost."""

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from connectors.clean import clean_bytes, clean_line
from connectors.messaging.boxes import letter_of
from connectors.messaging.mailbox import Handles, Reading
from connectors.messaging.maildir.names import Entry
from connectors.messaging.mime.headers import Correspondent, cleaned
from connectors.messaging.mime.letter import Letter
from connectors.messaging.words import fold, needle

_SUBJECT_LIMIT: Final = 200
_TEXT_LIMIT: Final = 200_000
_BATCH: Final = 200
_VERSION: Final = 1
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS message (
  handle TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, sender TEXT, address TEXT, recipients TEXT,
  subject TEXT, sent REAL, message_id TEXT, head TEXT, text TEXT
) WITHOUT ROWID
"""
_COLUMNS: Final = "handle, sender, address, recipients, subject, sent, message_id, head"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Summary:
    """A message in one line; names, addresses and the subject are clean and cut to a bearable length.

    `head` is the sender and the subject, folded for comparing; `sent` is what the Date header says.
    """

    entry: Entry
    sender: Correspondent
    recipients: tuple[Correspondent, ...]
    subject: str
    sent: datetime | None
    message_id: str
    head: str

    @property
    def handle(self) -> str:
        return self.entry.handle

    def came(self, now: datetime) -> datetime:
        """When it was sent, or when it arrived here if that is not told or lies in the future."""
        arrived = datetime.fromtimestamp(self.entry.mtime_ns / 1e9, UTC)
        return arrived if self.sent is None or self.sent > now + timedelta(days=1) else self.sent


class Index:
    """The summaries of a mailbox, kept in an SQLite file by handle, size and time of change."""

    def __init__(self, mailbox: Reading, file: Path) -> None:
        self._mailbox = mailbox
        self._file = file
        self._unreadable: tuple[str, ...] = ()
        self._last: tuple[tuple[Entry, ...], tuple[Summary, ...]] = ((), ())
        self._lock = threading.Lock()

    def summaries(self) -> tuple[Summary, ...]:
        """Every message that can be read, in no order.

        Raises OSError if the mailbox itself cannot be read: a broken read is never an empty mailbox.
        """
        return self._with_database(self._refreshed)

    def holding(
        self, words: Sequence[str], said: Sequence[str] = (), among: Handles | None = None
    ) -> frozenset[str]:
        """The handles of the messages whose subject, sender or text hold all these folded words.

        `said` are the same words as the person wrote them. Where `among` is given no others are wanted.
        """
        condition = " AND ".join("(instr(text, ?) OR instr(head, ?))" for _ in words) or "1"
        values = [needle(word) for word in words for _ in range(2)]
        if among is not None:
            condition = f"handle IN (SELECT value FROM json_each(?)) AND {condition}"
            values.insert(0, json.dumps(sorted(among)))

        def look(database: sqlite3.Connection) -> frozenset[str]:
            self._refreshed(database)
            rows = database.execute(f"SELECT handle FROM message WHERE {condition}", values)
            return frozenset(handle for (handle,) in rows)

        here = self._with_database(look)
        if not words:
            return here
        spellings = zip(words, said, strict=True) if said else ((word,) for word in words)
        missing = None if among is None else among - here
        return here | self._mailbox.search(tuple(spellings), missing)

    @property
    def unreadable(self) -> tuple[str, ...]:
        """The clean names of files that could not be read when last looked at."""
        return self._unreadable

    def _refreshed(self, database: sqlite3.Connection) -> tuple[Summary, ...]:
        now = self._mailbox.entries()
        (known_here,) = database.execute("SELECT count(*) FROM message").fetchone()
        if now == self._last[0] and known_here == len(self._last[1]) and not self._unreadable:
            return self._last[1]
        entries = {entry.handle: entry for entry in now}
        rows = database.execute("SELECT handle, size, mtime FROM message")
        known = {handle: (size, mtime) for handle, size, mtime in rows}
        gone = [(handle,) for handle in known.keys() - entries.keys()]
        database.executemany("DELETE FROM message WHERE handle = ?", gone)
        changed = [
            entry for handle, entry in entries.items() if known.get(handle) != (entry.size, entry.mtime_ns)
        ]
        self._unreadable = tuple(sorted(self._learn(database, changed)))
        database.commit()
        found = database.execute(f"SELECT {_COLUMNS} FROM message")
        summaries = tuple(_summary(entries[row[0]], row) for row in found if row[0] in entries)
        self._last = now, summaries
        return summaries

    def _learn(self, database: sqlite3.Connection, entries: Iterable[Entry]) -> list[str]:
        unreadable = []
        for count, entry in enumerate(entries, start=1):
            try:
                letter = letter_of(self._mailbox, entry, partial(self._mailbox.head, entry))
            except FileNotFoundError:
                continue
            except OSError:
                unreadable.append(clean_bytes(os.fsencode(entry.file_name)))
                continue
            row = _row(entry, letter)
            database.execute(f"REPLACE INTO message VALUES ({', '.join('?' * len(row))})", row)
            # What was learnt is kept even if the rest is broken off.
            if count % _BATCH == 0:
                database.commit()
        return unreadable

    def _with_database(self, use: Callable[[sqlite3.Connection], _T]) -> _T:
        with self._lock:
            try:
                return self._in_file(use)
            except sqlite3.OperationalError:
                # There may be no room for the cache, or another program may be writing it.
                with closing(sqlite3.connect(":memory:")) as database:
                    database.execute(_TABLE)
                    return use(database)
            except sqlite3.DatabaseError:
                self._file.unlink(missing_ok=True)
                return self._in_file(use)

    def _in_file(self, use: Callable[[sqlite3.Connection], _T]) -> _T:
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file.touch(mode=0o600)
        with closing(sqlite3.connect(self._file)) as database:
            database.execute("PRAGMA synchronous = OFF")
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version != _VERSION:
                database.execute("DROP TABLE IF EXISTS message")
                database.execute(f"PRAGMA user_version = {_VERSION}")
            database.execute(_TABLE)
            return use(database)


def _row(entry: Entry, letter: Letter) -> tuple[str | int | float | None, ...]:
    sender = cleaned(letter.sender)
    subject = clean_line(letter.subject, _SUBJECT_LIMIT)
    return (
        entry.handle,
        entry.size,
        entry.mtime_ns,
        sender.name,
        sender.address,
        json.dumps([(each.name, each.address) for each in map(cleaned, letter.recipients)]),
        subject,
        letter.sent.timestamp() if letter.sent else None,
        clean_line(letter.message_id),
        fold(f"{sender.name} {sender.address} {subject}"),
        fold(letter.text[:_TEXT_LIMIT]),
    )


def _summary(entry: Entry, row: tuple[str, str, str, str, str, float | None, str, str]) -> Summary:
    _, name, address, recipients, subject, sent, message_id, head = row
    return Summary(
        entry=entry,
        sender=Correspondent(name, address),
        recipients=tuple(Correspondent(*each) for each in json.loads(recipients)),
        subject=subject,
        sent=None if sent is None else datetime.fromtimestamp(sent, UTC),
        message_id=message_id,
        head=head,
    )
