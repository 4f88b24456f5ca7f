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
# A name says most of what a file is about, then the folders it is in.
_NEAREST_FIRST = "bm25(words, 8.0, 2.0, 1.0), mtime_ns DESC"
# Where more fit than this, only as many of the latest are weighed: a word that is everywhere tells little.
_WEIGHED = 4000


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


def _apart_from_folders(words: Sequence[str], joint: str = "AND", *, beginning: bool = False) -> str:
    """A query for words of which one at least is in the name or text: a folder's name alone finds it only."""
    whole = quoted(words, joint, beginning=beginning)
    return f"({whole}) AND {{name text}} : ({quoted(words, 'OR', beginning=beginning)})"


def query_words(text: str) -> tuple[str, ...]:
    """The words a person wrote, each of which has something to look for in it; a run of CJK is one phrase."""
    phrases = (" ".join(searchable(word).split()) for word in text.split())
    return tuple(dict.fromkeys(phrase for phrase in phrases if tokens(phrase)))


class Lookup:
    """The index, open for reading; each question has a connection of its own. Raises sqlite3.Error."""

    def __init__(self, folder: Path, roots: Sequence[Root]) -> None:
        self._path = folder / FILE_NAME
        self._roots = {root.real: root for root in roots}

    def named(
        self, folded: str, stem: str, words: Sequence[str], around: Sequence[str] = ()
    ) -> tuple[Place, ...]:
        """All that might be meant: called so, with that stem, or with all these words in the name.

        Those `around` are in the names of the folders it is in.
        """
        inside = "{folder} : (" + quoted(around) + ")" if around else ""
        match = "{name} : (" + quoted(words) + ")" if words else ""
        match = " AND ".join(part for part in (match, inside) if part) or '""'
        sql = (
            "SELECT root, folder, name FROM entry WHERE folded = ? OR (stem = ? AND ? <> '')"
            " OR id IN (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?) LIMIT ?"
        )
        with closing(self._connected()) as connection:
            values = (folded, stem, stem, match, _CANDIDATES, 2 * _CANDIDATES)
            return self._places(connection.execute(sql, values).fetchall())

    def along(self, words: Sequence[str]) -> tuple[Place, ...]:
        """All that have these words in their own name and in the names of the folders they are in."""
        match = "{name folder} : (" + quoted(words) + ") AND {name} : (" + quoted(words, "OR") + ")"
        sql = (
            "SELECT root, folder, name FROM entry"
            " WHERE id IN (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?)"
        )
        with closing(self._connected()) as connection:
            return self._places(connection.execute(sql, (match, _CANDIDATES)).fetchall())

    def search(self, text: str, within: Place | None, limit: int) -> Hits:
        """What holds all the words in name, folders or text, or begins with them, or else some of them."""
        words = query_words(text)
        if not words:
            return Hits()
        with closing(self._connected()) as connection:
            any_word = quoted(words, "OR")
            exact, beginning = _apart_from_folders(words), _apart_from_folders(words, beginning=True)
            found = dict.fromkeys(self._matching(connection, exact, any_word, within, limit))
            if len(found) < limit:
                found |= dict.fromkeys(self._matching(connection, beginning, any_word, within, limit))
                found |= dict.fromkeys(self._parts(connection, words, within, limit))
            if found:
                full = len(found) >= limit
                total = self._count(connection, beginning, within) if full else 0
                return Hits(tuple(found)[:limit], max(total, len(found)))
            some = "{name text} : (" + any_word + ")"
            places = self._matching(connection, some, any_word, within, limit)
            total = len(places) if len(places) < limit else self._count(connection, some, within)
            return Hits(places, total, loose=bool(places))

    def _matching(
        self, connection: sqlite3.Connection, query: str, named: str, within: Place | None, limit: int
    ) -> tuple[Place, ...]:
        """The best of what fits, those with it in their name first where too much fits to weigh all."""
        found: dict[Place, None] = {}
        for part in (query, f"{query} AND {{name}} : ({named})"):
            cut, rows = self._weighed(connection, part, within, limit)
            if part is query and not cut:
                return self._places(rows)
            found = dict.fromkeys(self._places(rows)) | found
        return tuple(found)[:limit]

    def _weighed(
        self, connection: sqlite3.Connection, query: str, within: Place | None, limit: int
    ) -> tuple[bool, list[tuple[bytes, bytes, bytes]]]:
        """Whether not all could be weighed, and the rows that fit best among the latest."""
        where, values = self._within(within)
        values |= {"query": query, "limit": limit, "most": _WEIGHED}
        source = f"FROM words JOIN entry ON entry.id = words.rowid WHERE words MATCH :query AND {where}"
        latest = source if within else "FROM words WHERE words MATCH :query"
        oldest = connection.execute(
            f"SELECT words.rowid {latest} ORDER BY words.rowid DESC LIMIT 1 OFFSET :most", values
        ).fetchone()
        values["oldest"] = oldest[0] if oldest else 0
        rows = connection.execute(
            f"SELECT root, entry.folder, entry.name {source} AND words.rowid > :oldest"
            f" ORDER BY {_NEAREST_FIRST} LIMIT :limit",
            values,
        ).fetchall()
        return oldest is not None, rows

    def _count(self, connection: sqlite3.Connection, query: str, within: Place | None) -> int:
        where, values = self._within(within)
        joined = f"FROM words JOIN entry ON entry.id = words.rowid WHERE words MATCH :query AND {where}"
        counted = joined if within else "FROM words WHERE words MATCH :query"
        row = connection.execute(f"SELECT count(*) {counted}", values | {"query": query}).fetchone()
        return int(row[0])

    def _parts(
        self, connection: sqlite3.Connection, words: Sequence[str], within: Place | None, limit: int
    ) -> tuple[Place, ...]:
        """Names with the words as parts of longer ones; the trigram table knows none shorter than three."""
        if any(len(word) < 3 for word in words):
            return ()
        where, values = self._within(within)
        rows = connection.execute(
            "SELECT root, entry.folder, entry.name FROM parts JOIN entry ON entry.id = parts.rowid"
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
