"""The file of what is permitted or forbidden beyond the process: private, durable, shared by processes."""

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from permissions.grants import Held, StoreError
from permissions.words import Ban, Grant

_VERSION = 1
_BUSY_SECONDS = 5
_SCHEMA = """CREATE TABLE IF NOT EXISTS held (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, used TEXT NOT NULL,
    uses INTEGER NOT NULL)"""
_KINDS: dict[str, TypeAdapter[Grant] | TypeAdapter[Ban]] = {
    "grant": TypeAdapter(Grant),
    "ban": TypeAdapter(Ban),
}

log = logging.getLogger(__name__)


class GrantStore:
    """Keeps what is held in one SQLite file; what another process writes there is seen at the next reading.

    A grant that cannot be read covers nothing. A standing no that cannot be read is an error, so that nothing
    runs which it may have been against. Every method raises StoreError where the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            path.chmod(0o600)
            self._open = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise self._cannot("used", error) from error
        with self._working("used") as connection:
            connection.execute("PRAGMA synchronous = FULL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > _VERSION:
                raise StoreError(f"The permissions in {path} were written by a newer Askfirst.")
            connection.execute(_SCHEMA)
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        self.held()

    def held(self) -> Sequence[Held]:
        with self._working("read") as connection:
            rows = connection.execute("SELECT id, kind, body, used, uses FROM held ORDER BY rowid").fetchall()
        return [held for row in rows if (held := self._read(row))]

    def put(self, held: Held) -> None:
        kind = "ban" if isinstance(held.what, Ban) else "grant"
        body = _KINDS[kind].dump_json(held.what).decode("utf-8")  # type: ignore[arg-type]
        used = held.used.isoformat() if held.used else ""
        with self._working("written") as connection:
            connection.execute(
                "INSERT INTO held (id, kind, body, used, uses) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id)"
                " DO UPDATE SET kind = excluded.kind, body = excluded.body, used = excluded.used,"
                " uses = excluded.uses",
                (held.id, kind, body, used, held.uses),
            )

    def use(self, id: str, now: datetime) -> None:
        with self._working("written") as connection:
            connection.execute(
                "UPDATE held SET used = ?, uses = uses + 1 WHERE id = ?", (now.isoformat(), id)
            )

    def remove(self, id: str) -> None:
        with self._working("written") as connection:
            connection.execute("DELETE FROM held WHERE id = ?", (id,))

    def close(self) -> None:
        """Leave the file to others."""
        with self._lock:
            self._open.close()

    def _read(self, row: tuple[str, str, str, str, int]) -> Held | None:
        id, kind, body, used, uses = row
        try:
            what = _KINDS[kind].validate_json(body)
            return Held(id, what, datetime.fromisoformat(used) if used else None, uses)
        except (KeyError, ValueError, ValidationError) as error:
            if kind == "grant":
                log.warning("a permission in %s cannot be read and covers nothing", self.path)
                return None
            raise StoreError(f"A standing no in {self.path} cannot be read.") from error

    @contextmanager
    def _working(self, how: str) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._open
            except sqlite3.Error as error:
                raise self._cannot(how, error) from error

    def _cannot(self, how: str, error: Exception) -> StoreError:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return StoreError(f"The permissions in {self.path} cannot be {how}: {reason}.")
