"""One SQLite file with what is known of an account on Matrix, made anew when it is lost."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_VERSION: Final = 2
_SCHEMA: Final = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE room (id TEXT PRIMARY KEY, facts TEXT NOT NULL, there INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE said (
  place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, room TEXT NOT NULL, sender TEXT NOT NULL,
  stamp INTEGER NOT NULL, text TEXT NOT NULL, answers TEXT NOT NULL, file TEXT NOT NULL,
  seen INTEGER NOT NULL, readers TEXT NOT NULL
);
CREATE INDEX said_room ON said (room, place);
CREATE TABLE edit (id TEXT PRIMARY KEY, target TEXT NOT NULL, sender TEXT NOT NULL, stamp INTEGER NOT NULL,
  text TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX edit_target ON edit (target);
CREATE TABLE removal (target TEXT PRIMARY KEY, room TEXT NOT NULL, stamp INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE draft (id TEXT PRIMARY KEY, data BLOB NOT NULL, stamp INTEGER NOT NULL) WITHOUT ROWID;
"""


class Database:
    """Used by several threads. Raises OSError where the file cannot be used."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        with self._lock:
            if self._connection:
                self._connection.close()
            self._connection = None

    @contextmanager
    def using(self) -> Iterator[sqlite3.Connection]:
        """The database, for changes that are kept together or not at all."""
        with self._lock:
            try:
                database = self._opened()
                # The inner one of two is part of the outer one.
                inner = database.in_transaction
                if not inner:
                    database.execute("BEGIN")
                yield database
                if not inner:
                    database.commit()
            except sqlite3.OperationalError as error:
                self._back()
                raise OSError(f"what is known of Matrix cannot be read or kept: {error}") from error
            except sqlite3.DatabaseError as error:
                self.close()
                self._file.unlink(missing_ok=True)
                raise OSError("what was known of Matrix was damaged; it is fetched anew") from error
            except BaseException:
                self._back()
                raise

    def _back(self) -> None:
        if self._connection and self._connection.in_transaction:
            self._connection.rollback()

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file.touch(mode=0o600)
            try:
                self._connection = self._connected()
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:
                self._file.unlink(missing_ok=True)
                self._connection = self._connected()
        return self._connection

    def _connected(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._file, check_same_thread=False, isolation_level=None)
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version != _VERSION:
            for (name,) in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ).fetchall():
                database.execute(f'DROP TABLE "{name}"')
            database.executescript(f"{_SCHEMA} PRAGMA user_version = {_VERSION};")
        return database
