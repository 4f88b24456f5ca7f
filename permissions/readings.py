"""What the journal tells: the calls as they stand, what can be taken back, whether anything was altered."""

from collections.abc import Iterable, Iterator

from pydantic import JsonValue

from permissions.anchor import AnchorFile
from permissions.audit import IS_ONE, PermissionChange, permission_change
from permissions.chain import Anchor, anchored, faults, replayed
from permissions.database import ADDED, Database
from permissions.entry import Entry, entry
from permissions.pruning import started_at, told
from permissions.words import Asker

MOST = 100
"""How many are told at once unless more are wanted."""
_SENSELESS = ("the log cannot be read",)


class Readings:
    """The readings of one journal; each raises JournalError where the file cannot be read."""

    def __init__(self, database: Database, anchor_file: AnchorFile) -> None:
        self._database = database
        self._anchor_file = anchor_file

    @property
    def notices(self) -> tuple[str, ...]:
        """What happened to the file itself, such as having been damaged and kept aside."""
        return self._database.notices

    def entry(self, id: str) -> Entry | None:
        """One call, or None where the journal has no such id."""
        found = self._entries("id = ?", (id,), 1)
        return found[0] if found else None

    def entries(self, limit: int = MOST, before: str | None = None) -> tuple[Entry, ...]:
        """The latest calls, newest first; with `before`, those older than the entry of that id."""
        if before is None:
            return self._entries("1", (), limit)
        return self._entries("rowid < (SELECT rowid FROM call WHERE id = ?)", (before,), limit)

    def undoable(self, limit: int = MOST) -> tuple[Entry, ...]:
        """The deeds that can be taken back, newest first; undoing an undo is not among them.

        One that failed or did more than was shown is, where the service says how to take back what it did.
        """
        where = (
            "state IN ('done', 'resolved_done', 'failed', 'diverged') AND undo != '' AND undone = 0"
            " AND asker != ?"
        )
        return self._entries(where, (Asker.UNDO.value,), limit)

    def last_undoable(self) -> Entry | None:
        """The latest deed that can be taken back."""
        found = self.undoable(1)
        return found[0] if found else None

    def unclear(self, limit: int = MOST) -> tuple[Entry, ...]:
        """What a person should hear of: calls of unknown outcome, and those that an ended process still held.

        Newest first.
        """
        found = self._entries("state IN ('unknown', 'held')", (), limit)
        owners = {row["id"]: row["owner"] for row in self._database.rows(_HELD)}
        dead = self._database.dead(set(owners.values()))
        return tuple(each for each in found if each.id not in owners or owners[each.id] in dead)

    def abandoned(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Those of the calls whose process has ended, and those that are not known any more."""
        found = {each: self._database.rows("SELECT owner FROM call WHERE id = ?", each) for each in ids}
        owners = {id: rows[0]["owner"] for id, rows in found.items() if rows}
        dead = self._database.dead(set(owners.values()))
        return tuple(id for id in found if id not in owners or owners[id] in dead)

    def was_kept(self, id: str) -> bool:
        """Whether the person said to keep what would else have been set back."""
        query = "SELECT 1 FROM log WHERE instr(body, ?) AND instr(body, ?)"
        return bool(self._database.rows(query, '"event":"kept"', f'"id":"{id}"'))

    def permission_changes(self, limit: int = MOST) -> tuple[PermissionChange, ...]:
        """The latest changes of what is permitted, newest first."""
        query = "SELECT n, body FROM log WHERE instr(body, ?) ORDER BY n DESC LIMIT ?"
        return tuple(permission_change(*row) for row in self._database.rows(query, IS_ONE, limit))

    def anchor(self) -> Anchor:
        """Where the log stands; kept elsewhere, it lets `verify` see a cut tail."""
        with self._database.snapshot() as connection:
            return anchored(connection)

    def verify(self, anchor: Anchor | None = None) -> tuple[str, ...]:
        """What is wrong with the journal, in words; nothing if log and calls are as they were written.

        The log is held against the anchor, and against the one that is kept beside the journal.
        """
        with self._database.snapshot() as connection:
            start = started_at(connection)
            log = connection.execute("SELECT n, prev, body, hash FROM log ORDER BY n").fetchall()
            calls = {row["id"]: dict(row) for row in connection.execute("SELECT * FROM call")}
        found = faults(log, anchor, start) or faults(log, self._anchor_file.read(), start)
        if found:
            return tuple(found)
        bodies = [row["body"] for row in log]
        try:
            told_of = replayed(bodies)
            if not told(bodies, start):
                return ("earlier rows were taken out, and the log does not tell of it",)
        except (ValueError, TypeError, KeyError, AttributeError):
            return _SENSELESS
        new = dict.fromkeys(ADDED, "")
        changed = [id for id in told_of.keys() | calls.keys() if new | told_of.get(id, {}) != calls.get(id)]
        return tuple(f"call {id} is not as the log tells" for id in sorted(map(str, changed)))

    def exported(self) -> Iterator[dict[str, JsonValue]]:
        """The whole log for keeping elsewhere, row by row, and at the end where it stands.

        A row's hash is the SHA-256, in hex, of the hash before it, a line feed, and its body.
        """
        with self._database.snapshot() as connection:
            start = started_at(connection)
            rows = connection.execute("SELECT n, prev, body, hash FROM log ORDER BY n").fetchall()
        for row in rows:
            yield {"n": row["n"], "prev": row["prev"], "body": row["body"], "hash": row["hash"]}
        head = Anchor(rows[-1]["n"], rows[-1]["hash"]) if rows else start
        yield {"count": head.count, "head": head.head, "pruned": start.count}

    def _entries(self, where: str, values: tuple[object, ...], limit: int) -> tuple[Entry, ...]:
        query = f"SELECT * FROM call WHERE {where} ORDER BY rowid DESC LIMIT ?"
        return tuple(entry(row) for row in self._database.rows(query, *values, limit))


_HELD = "SELECT id, owner FROM call WHERE state = 'held'"
