"""What the journal tells: the calls as they stand, what can be taken back, whether anything was altered."""

from permissions.chain import Anchor, anchored, faults, replayed
from permissions.database import Database
from permissions.entry import Entry, entry
from permissions.words import Asker


class Readings:
    """The readings of one journal; each raises JournalError where the file cannot be read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def notices(self) -> tuple[str, ...]:
        """What happened to the file itself, such as having been damaged and kept aside."""
        return self._database.notices

    def entry(self, id: str) -> Entry | None:
        """One call, or None where the journal has no such id."""
        found = self._entries("id = ?", (id,), 1)
        return found[0] if found else None

    def entries(self, limit: int = 100, before: str | None = None) -> tuple[Entry, ...]:
        """The latest calls, newest first; with `before`, those older than the entry of that id."""
        if before is None:
            return self._entries("1", (), limit)
        return self._entries("rowid < (SELECT rowid FROM call WHERE id = ?)", (before,), limit)

    def undoable(self, limit: int = 100) -> tuple[Entry, ...]:
        """The deeds that can be taken back, newest first; undoing an undo is not among them.

        One that failed is, where the service says how to take back what it did do.
        """
        where = "state IN ('done', 'resolved_done', 'failed') AND undo != '' AND undone = 0 AND asker != ?"
        return self._entries(where, (Asker.UNDO.value,), limit)

    def last_undoable(self) -> Entry | None:
        """The latest deed that can be taken back."""
        found = self.undoable(1)
        return found[0] if found else None

    def anchor(self) -> Anchor:
        """Where the log stands; kept elsewhere, it lets `verify` see a cut tail."""
        with self._database.snapshot() as connection:
            return anchored(connection)

    def verify(self, anchor: Anchor | None = None) -> tuple[str, ...]:
        """What is wrong with the journal, in words; nothing if log and calls are as they were written."""
        with self._database.snapshot() as connection:
            log = connection.execute("SELECT n, prev, body, hash FROM log ORDER BY n").fetchall()
            calls = {row["id"]: dict(row) for row in connection.execute("SELECT * FROM call")}
        found = faults(log, anchor)
        if found:
            return tuple(found)
        try:
            told = replayed(row["body"] for row in log)
        except (ValueError, TypeError, KeyError, AttributeError):
            return ("the log cannot be read",)
        changed = sorted(str(id) for id in told.keys() | calls.keys() if told.get(id) != calls.get(id))
        return tuple(f"call {id} is not as the log tells" for id in changed)

    def _entries(self, where: str, values: tuple[object, ...], limit: int) -> tuple[Entry, ...]:
        query = f"SELECT * FROM call WHERE {where} ORDER BY rowid DESC LIMIT ?"
        return tuple(entry(row) for row in self._database.rows(query, *values, limit))
