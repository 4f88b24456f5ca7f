"""The journal's file: opened for keeps, private, shared by processes, and never overwritten when damaged."""

import fcntl
import logging
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

_VERSION = 1
_BUSY_MS = 5000
_DAMAGE = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})
_FULL = frozenset({sqlite3.SQLITE_FULL})
_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_SCHEMA = (
    """CREATE TABLE call (
        id TEXT PRIMARY KEY, call_id TEXT NOT NULL, owner TEXT NOT NULL, hash TEXT NOT NULL,
        at TEXT NOT NULL, goal_id TEXT NOT NULL, goal TEXT NOT NULL, asker TEXT NOT NULL, tool TEXT NOT NULL,
        effects TEXT NOT NULL, title TEXT NOT NULL, shown TEXT NOT NULL, ruling TEXT NOT NULL,
        rule TEXT NOT NULL, state TEXT NOT NULL, answer TEXT NOT NULL, outcome TEXT NOT NULL,
        undo TEXT NOT NULL, undone INTEGER NOT NULL, ended TEXT NOT NULL)""",
    """CREATE UNIQUE INDEX one_deed ON call(call_id)
        WHERE state IN ('started', 'done', 'unknown', 'resolved_done')""",
    "CREATE TABLE log (n INTEGER PRIMARY KEY, prev TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL)",
    f"PRAGMA user_version = {_VERSION}",
)

log = logging.getLogger(__name__)


class JournalError(Exception):
    """The journal cannot be written or read, so nothing may run; the text is a plain sentence.

    JournalError
     └─ JournalConflict   the call is not, or no longer, in the state that the step needs
    """


class JournalConflict(JournalError):
    """The call is not, or no longer, in the state that the step needs."""


class Database:
    """One open journal file; every write is one durable transaction, or nothing."""

    def __init__(self, path: Path, now: datetime) -> None:
        self.path = path
        self.notices: tuple[str, ...] = ()
        self._lock = threading.RLock()
        try:
            _private(path)
            self._owners = Owners(path.with_name(f"{path.name}.owners"))
            with self._owners.alone():
                self._open = self._connect(now)
                self.owner = self._owners.join()
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"The journal {path} cannot be used: {_plain(error)}.") from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is on the disk when the block ends, and never happened if it raises."""
        with self._lock:
            try:
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


class Owners:
    """Which processes have the journal open: each holds a lock on a file of its own, until it ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[str, int] = {}
        folder.mkdir(mode=0o700, exist_ok=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep all others from joining or looking meanwhile."""
        door = os.open(self._folder / "door", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(door, fcntl.LOCK_EX)
            yield
        finally:
            os.close(door)

    def join(self) -> str:
        """Become an owner; the name is new each time."""
        name = secrets.token_hex(8)
        held = os.open(self._folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._held[name] = held
        return name

    def lives(self, name: str) -> bool:
        """True while the process that joined under this name runs; the file of a dead one is removed."""
        path = self._folder / name
        try:
            held = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            path.unlink()
            return False
        finally:
            os.close(held)

    def leave(self, name: str) -> None:
        held = self._held.pop(name, None)
        if held is not None:
            (self._folder / name).unlink(missing_ok=True)
            os.close(held)


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
        sound = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if sound != "ok":
            raise _Damaged(sound)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            raise sqlite3.DatabaseError("it was made by a newer Askfirst")
        if version < _VERSION:
            _lay_out(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _lay_out(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _SCHEMA:
        connection.execute(statement)
    connection.execute("COMMIT")


class _Damaged(sqlite3.DatabaseError):
    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def _set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged journal with its companions to a name that is still free."""
    stem = f"{path.name}.damaged-{now:%Y%m%dT%H%M%S}"
    number = 0
    while (aside := path.with_name(f"{stem}{f'-{number}' if number else ''}")).exists():
        number += 1
    for ending in ("-wal", "-shm", ""):
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
