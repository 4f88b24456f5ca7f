"""The journal's file: opened for keeps, private, shared by processes, and never overwritten when damaged."""

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from permissions.owners import Owners

_VERSION = 2
_BUSY_MS = 5000
_LOG_PAGES = 100
_DAMAGE = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})
_FULL = frozenset({sqlite3.SQLITE_FULL})
_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
ADDED = ("why", "given", "mark", "until")
"""Columns that older journals have not had; their calls have nothing in them."""
_FIRST = (
    """CREATE TABLE call (
        id TEXT PRIMARY KEY, call_id TEXT NOT NULL, owner TEXT NOT NULL, hash TEXT NOT NULL,
        at TEXT NOT NULL, goal_id TEXT NOT NULL, goal TEXT NOT NULL, asker TEXT NOT NULL, tool TEXT NOT NULL,
        effects TEXT NOT NULL, title TEXT NOT NULL, shown TEXT NOT NULL, ruling TEXT NOT NULL,
        rule TEXT NOT NULL, state TEXT NOT NULL, answer TEXT NOT NULL, outcome TEXT NOT NULL,
        undo TEXT NOT NULL, undone INTEGER NOT NULL, ended TEXT NOT NULL)""",
    "CREATE TABLE log (n INTEGER PRIMARY KEY, prev TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL)",
)
_SECOND = (
    *(f"ALTER TABLE call ADD COLUMN {name} TEXT NOT NULL DEFAULT ''" for name in ADDED),
    "DROP INDEX IF EXISTS one_deed",
    """CREATE UNIQUE INDEX one_deed ON call(call_id)
        WHERE state IN ('held', 'started', 'done', 'unknown', 'diverged', 'resolved_done', 'left')""",
    "CREATE TABLE pruned (n INTEGER PRIMARY KEY, head TEXT NOT NULL)",
)
_LAYOUTS = (_FIRST, _SECOND)

log = logging.getLogger(__name__)


class JournalError(Exception):
    """The journal cannot be written or read, so nothing may run; the text is a plain sentence.

    JournalError
     └─ JournalConflict   the call is not, or no longer, in the state that the step needs
    """


class JournalConflict(JournalError):
    """The call is not, or no longer, in the state that the step needs."""


class Database:
    """One open journal file; every write is one transaction, or nothing.

    A write that needs not be durable survives the death of the process at once, and a power cut from the next
    durable write on: the file's log keeps them in their order.
    """

    def __init__(self, path: Path, now: datetime) -> None:
        self.path = path
        self.notices: tuple[str, ...] = ()
        self._lock = threading.RLock()
        self._durable = True
        try:
            _private(path)
            self._owners = Owners(path.with_name(f"{path.name}.owners"))
            with self._owners.alone():
                self._open = self._connect(now)
                self.owner = self._owners.join()
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"The journal {path} cannot be used: {_plain(error)}.") from error

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """A transaction that never happened if the block raises.

        Where it is durable, it and all that was written before are on the disk when the block ends.
        """
        with self._lock:
            try:
                self._sync(durable)
                self._open.execute("BEGIN IMMEDIATE")
                yield self._open
                self._open.execute("COMMIT")
            except sqlite3.Error as error:
                self._roll_back()
                raise JournalError(f"The journal {self.path} cannot be written: {_plain(error)}.") from error
            except BaseException:
                self._roll_back()
                raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Several readings of one and the same moment."""
        with self._lock:
            try:
                self._open.execute("BEGIN")
                yield self._open
            except sqlite3.Error as error:
                raise JournalError(f"The journal {self.path} cannot be read: {_plain(error)}.") from error
            finally:
                self._roll_back()

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        """The rows that a query finds."""
        with self._lock:
            try:
                return self._open.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise JournalError(f"The journal {self.path} cannot be read: {_plain(error)}.") from error

    def dead(self, owners: set[str]) -> set[str]:
        """Those of the owners whose process has ended."""
        try:
            with self._owners.alone():
                return {owner for owner in owners if owner != self.owner and not self._owners.lives(owner)}
        except OSError as error:
            raise JournalError(f"The journal {self.path} cannot be used: {_plain(error)}.") from error

    def close(self) -> None:
        with self._lock:
            self._open.close()
            self._owners.leave(self.owner)

    def _sync(self, durable: bool) -> None:
        if durable and not self._durable:
            self._open.execute("PRAGMA synchronous = FULL")
            self._durable = True
        elif self._durable and not durable:
            self._durable = False  # Even if the statement fails: the next durable write then makes sure.
            self._open.execute("PRAGMA synchronous = NORMAL")

    def _connect(self, now: datetime) -> sqlite3.Connection:
        try:
            return _connected(self.path)
        except sqlite3.DatabaseError as error:
            if _code(error) not in _DAMAGE:
                raise
            aside = _set_aside(self.path, now)
            log.error("journal %s is damaged (%s); kept as %s", self.path, error, aside)
            self.notices = (f"The journal was damaged. It was kept as {aside}, and a new one was begun.",)
            return _connected(self.path)

    def _roll_back(self) -> None:
        try:
            if self._open.in_transaction:
                self._open.execute("ROLLBACK")
        except sqlite3.Error:
            log.exception("the journal could not be rolled back")


def _private(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=_BUSY_MS / 1000)
    try:
        connection.row_factory = sqlite3.Row
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        # A short log is written over in place, and waits for the disk only half as long as one that grows.
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
        sound = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if sound != "ok":
            raise _Damaged(sound)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            raise sqlite3.DatabaseError("it was made by a newer Askfirst")
        if version < _VERSION:
            _lay_out(connection, version)
    except BaseException:
        connection.close()
        raise
    return connection


def _lay_out(connection: sqlite3.Connection, version: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for layout in _LAYOUTS[version:]:
        for statement in layout:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {_VERSION}")
    connection.execute("COMMIT")


class _Damaged(sqlite3.DatabaseError):
    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def _set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged journal with its companions to a name that is still free."""
    stem = f"{path.name}.damaged-{now:%Y%m%dT%H%M%S}"
    number = 0
    while (aside := path.with_name(f"{stem}{f'-{number}' if number else ''}")).exists():
        number += 1
    for ending in ("-wal", "-shm", ".anchor", ""):
        companion = path.with_name(path.name + ending)
        if companion.exists():
            companion.rename(aside.with_name(aside.name + ending))
    _private(path)
    return aside


def _code(error: BaseException) -> int:
    """SQLite's primary error code, or 0."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _plain(error: BaseException) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    code = _code(error)
    if code in _FULL:
        return "the disk is full"
    if code in _LOCKED:
        return "another program keeps it locked"
    if code in _DAMAGE:
        return "it is damaged"
    if code == sqlite3.SQLITE_READONLY:
        return "it may only be read"
    return str(error)
