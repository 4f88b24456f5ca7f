"""Reading the index: which names are called so, and which files hold these words."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from connectors.files.finding.words import searchable, tokens
from connectors.files.index.store import BELOW, FILE_NAME, below
from connectors.files.places import Place, Root

_CANDIDATES = 500
# Readers never wait for the writer but while the file is being made: then a walk is the quicker way.
_PATIENCE = 0.2
_NEAREST_FIRST = "bm25(words, 8.0, 1.0), mtime_ns DESC"


@dataclass(frozen=True, slots=True)
class Hits:
    """What a search found, best first: `total` counts all; when `loose`, none has all the words."""

    places: tuple[Place, ...] = ()
    total: int = 0
    loose: bool = False


def quoted(words: Sequence[str], joint: str = "AND", *, beginning: bool = False) -> str:
    """Words as an FTS5 query in which nothing is an operator: each is a quoted phrase."""
    phrases = ['"' + word.replace('"', '""') + '"' + ("*" if beginning else "") for word in words]
    return f" {joint} ".join(phrases)


def query_words(text: str) -> tuple[str, ...]:
    """The words a person wrote, each of which has something to look for in it; a run of CJK is one phrase."""
    phrases = (" ".join(searchable(word).split()) for word in text.split())
    return tuple(dict.fromkeys(phrase for phrase in phrases if tokens(phrase)))


class Lookup:
    """The index, open for reading; each question has a connection of its own. Raises sqlite3.Error."""

    def __init__(self, folder: Path, roots: Sequence[Root]) -> None:
        self._path = folder / FILE_NAME
        self._roots = {root.real: root for root in roots}

    def named(self, folded: str, stem: str, words: Sequence[str]) -> tuple[Place, ...]:
        """All that might be meant: called so, with that stem, or with all these words in the name."""
        match = "{name} : (" + quoted(words) + ")" if words else '""'
        sql = (
            "SELECT root, folder, name FROM entry WHERE folded = ? OR (stem = ? AND ? <> '')"
            " OR id IN (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?) LIMIT ?"
        )
        with closing(self._connected()) as connection:
            values = (folded, stem, stem, match, _CANDIDATES, 2 * _CANDIDATES)
            return self._places(connection.execute(sql, values).fetchall())

    def search(self, text: str, within: Place | None, limit: int) -> Hits:
        """The files and folders that hold all the words in name or text, or begin with them, or else some."""
        words = query_words(text)
        if not words:
            return Hits()
        with closing(self._connected()) as connection:
            found: dict[Place, None] = {}
            total = 0
            for query in (quoted(words), quoted(words, beginning=True)):
                places, count = self._matching(connection, query, within, limit)
                found.update(dict.fromkeys(places))
                total = max(total, count)
            found.update(dict.fromkeys(self._parts(connection, words, within, limit)))
            if found:
                return Hits(tuple(found)[:limit], max(total, len(found)))
            places, total = self._matching(connection, quoted(words, "OR"), within, limit)
            return Hits(places, total, loose=bool(places))

    def _matching(
        self, connection: sqlite3.Connection, query: str, within: Place | None, limit: int
    ) -> tuple[tuple[Place, ...], int]:
        where, values = self._within(within)
        values |= {"query": query, "limit": limit}
        source = f"FROM words JOIN entry ON entry.id = words.rowid WHERE words MATCH :query AND {where}"
        rows = connection.execute(
            f"SELECT root, folder, entry.name {source} ORDER BY {_NEAREST_FIRST} LIMIT :limit", values
        ).fetchall()
        if len(rows) < limit:
            return self._places(rows), len(rows)
        counted = source if within else "FROM words WHERE words MATCH :query"
        return self._places(rows), int(connection.execute(f"SELECT count(*) {counted}", values).fetchone()[0])

    def _parts(
        self, connection: sqlite3.Connection, words: Sequence[str], within: Place | None, limit: int
    ) -> tuple[Place, ...]:
        """Names with the words as parts of longer ones; the trigram table knows none shorter than three."""
        if any(len(word) < 3 for word in words):
            return ()
        where, values = self._within(within)
        rows = connection.execute(
            "SELECT root, folder, entry.name FROM parts JOIN entry ON entry.id = parts.rowid"
            f" WHERE parts MATCH :query AND {where} ORDER BY mtime_ns DESC LIMIT :limit",
            values | {"query": quoted(words), "limit": limit},
        )
        return self._places(rows.fetchall())

    def _within(self, within: Place | None) -> tuple[str, dict[str, object]]:
        if within is None:
            return "TRUE", {}
        return f"root = :root AND {BELOW}", {"root": within.root.real, **below(within)}

    def _places(self, rows: Sequence[tuple[bytes, bytes, bytes]]) -> tuple[Place, ...]:
        known = [(self._roots[root], folder, name) for root, folder, name in rows if root in self._roots]
        return tuple(Place(root, folder).child(name) for root, folder, name in known)

    def _connected(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)
