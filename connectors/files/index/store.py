"""The index on disk: one SQLite file with a row for each name and full-text tables over names and texts."""

import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from connectors.files.disk.crawl import Entry, Listing
from connectors.files.documents.kinds import KINDS
from connectors.files.finding.words import readable, searchable, stem, tokens
from connectors.files.places import Place, fold

FILE_NAME = "files.db"
_VERSION = 3
_BATCH = 400
_SCHEMA = """
CREATE TABLE entry (
    id INTEGER PRIMARY KEY, root BLOB NOT NULL, folder BLOB NOT NULL, name BLOB NOT NULL, kind TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, folded TEXT NOT NULL, stem TEXT NOT NULL
);
CREATE UNIQUE INDEX entry_place ON entry (root, folder, name);
CREATE INDEX entry_folded ON entry (folded);
CREATE INDEX entry_stem ON entry (stem);
CREATE VIRTUAL TABLE words USING fts5 (name, folder, text, tokenize = "unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE parts USING fts5 (name, tokenize = "trigram");
CREATE TABLE made (version INTEGER NOT NULL, text_limit INTEGER NOT NULL, documents TEXT NOT NULL);
"""
BELOW = "(entry.folder = :folder OR (entry.folder >= :first AND entry.folder < :last) OR :folder = X'')"
"""An SQL condition for all that is in a folder at any depth, with the parameters of `below`."""

TextOf = Callable[[Entry, int], str]
"""The searchable text of a file, given the descriptor of its open folder."""


def below(place: Place) -> dict[str, bytes]:
    """The parameters of `BELOW`: "/" and the byte after it bound the paths that begin with the folder's."""
    return {"folder": place.relative, "first": place.relative + b"/", "last": place.relative + b"0"}


class Store:
    """The index, open for writing by one thread. Raises sqlite3.Error."""

    def __init__(self, folder: Path, text_limit: int) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / FILE_NAME
        try:
            self._connection = _connected(path, text_limit)
        except sqlite3.DatabaseError:
            for leftover in folder.glob(f"{FILE_NAME}*"):
                leftover.unlink(missing_ok=True)
            self._connection = _connected(path, text_limit)
        os.chmod(path, 0o600)
        self._changes = 0

    def close(self) -> None:
        self._connection.commit()
        self._connection.close()

    def commit(self) -> None:
        self._connection.commit()
        self._changes = 0

    def keep_only(self, roots: set[bytes]) -> None:
        """Forget all folders but these, given by their real paths."""
        self._begin()
        known = {row[0] for row in self._connection.execute("SELECT DISTINCT root FROM entry")}
        for root in known - roots:
            self._forget(self._ids("root = :root", {"root": root}))
        self.commit()

    def reconcile(self, root: bytes, listing: Listing, text_of: TextOf) -> None:
        """Make the rows of one folder what the listing says."""
        self._begin()
        gone = set(self._known(root, listing.folder)) - {entry.name for entry in listing.entries}
        for name in gone:
            self.remove(root, listing.folder.child(name))
        self.update(root, listing, text_of)

    def update(self, root: bytes, listing: Listing, text_of: TextOf) -> None:
        """Bring the rows of what is listed up to date, and leave the folder's others as they are."""
        self._begin()
        known = self._known(root, listing.folder, listing.entries)
        for entry in listing.entries:
            if known.get(entry.name) != (entry.kind, entry.size, entry.mtime_ns):
                self._put(root, listing.folder, entry, text_of(entry, listing.descriptor))

    def _begin(self) -> None:
        """Take the right to write before reading what is there: another Askfirst may write the same index."""
        self._changes += 1
        if self._changes >= _BATCH:
            self.commit()
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")

    def _known(
        self, root: bytes, folder: Place, some: Sequence[Entry] = ()
    ) -> dict[bytes, tuple[str, int, int]]:
        """What is known of a folder, or of the one name there that is asked about."""
        sql = "SELECT name, kind, size, mtime_ns FROM entry WHERE root = ? AND folder = ?"
        values: tuple[bytes, ...] = (root, folder.relative)
        if len(some) == 1:
            sql, values = f"{sql} AND name = ?", (*values, some[0].name)
        return {row[0]: row[1:] for row in self._connection.execute(sql, values)}

    def remove(self, root: bytes, place: Place) -> None:
        """Forget what was at a place, and all below it."""
        self._begin()
        self._forget(self._here(root, place.parent, place.name))
        self._forget(self._ids(f"root = :root AND {BELOW}", {"root": root, **below(place)}))

    def _put(self, root: bytes, folder: Place, entry: Entry, text: str) -> None:
        self._begin()
        self._forget(self._here(root, folder, entry.name))
        name = readable(entry.name)
        shown = folder.child(entry.name).label
        row = (root, folder.relative, entry.name, entry.kind, entry.size, entry.mtime_ns)
        cursor = self._connection.execute(
            "INSERT INTO entry (root, folder, name, kind, size, mtime_ns, folded, stem)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, fold(shown), " ".join(tokens(stem(name)))),
        )
        words = searchable(name)
        self._connection.execute(
            "INSERT INTO words (rowid, name, folder, text) VALUES (?, ?, ?, ?)",
            (cursor.lastrowid, words, searchable(readable(folder.relative)), text),
        )
        self._connection.execute("INSERT INTO parts (rowid, name) VALUES (?, ?)", (cursor.lastrowid, words))

    def _here(self, root: bytes, folder: Place, name: bytes) -> list[int]:
        values = {"root": root, "folder": folder.relative, "name": name}
        return self._ids("root = :root AND folder = :folder AND name = :name", values)

    def _ids(self, condition: str, values: dict[str, bytes]) -> list[int]:
        return [row[0] for row in self._connection.execute(f"SELECT id FROM entry WHERE {condition}", values)]

    def _forget(self, numbers: list[int]) -> None:
        rows = [(number,) for number in numbers]
        self._connection.executemany("DELETE FROM entry WHERE id = ?", rows)
        self._connection.executemany("DELETE FROM words WHERE rowid = ?", rows)
        self._connection.executemany("DELETE FROM parts WHERE rowid = ?", rows)


def _connected(path: Path, text_limit: int) -> sqlite3.Connection:
    # A library that was installed since makes more files searchable, so that the index is made anew.
    made = (_VERSION, text_limit, " ".join(sorted({kind.name for kind in KINDS.values() if kind.readable})))
    connection = sqlite3.connect(path, timeout=10)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -32000")
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            connection.executescript(_SCHEMA)
            connection.execute("INSERT INTO made VALUES (?, ?, ?)", made)
            connection.commit()
        if connection.execute("SELECT * FROM made").fetchone() != made:
            raise sqlite3.DatabaseError("made for other settings")
    except BaseException:
        connection.close()
        raise
    return connection
