"""What was said, done and learnt in each session, kept in SQLite so that it can be taken up again."""

import logging
import sqlite3
import uuid
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from assistant.model.base import Goal, Proposal, Reply, Result, Turn
from assistant.upgrade import upgrade
from connectors.base import Needs, failed
from permissions.facts import Doubt, Fact, Made, Read

_KINDS: dict[str, type[Turn | Fact]] = {
    "goal": Goal,
    "call": Proposal,
    "result": Result,
    "reply": Reply,
    "read": Read,
    "made": Made,
    "doubt": Doubt,
}
_ADAPTERS = {kind: TypeAdapter[Turn | Fact](cls) for kind, cls in _KINDS.items()}
_NAMES = {cls: kind for kind, cls in _KINDS.items()}
_DOUBT = TypeAdapter(Doubt)

Kept = TypeVar("Kept")

log = logging.getLogger(__name__)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, started TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS turn (
    session TEXT NOT NULL REFERENCES session (id), n INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (session, n)
) WITHOUT ROWID;
"""


class HistoryError(Exception):
    """The history cannot be read or written; the text is a plain sentence."""


@dataclass(frozen=True, slots=True)
class Past:
    """One earlier session: when it began and the first goal in it."""

    id: str
    started: datetime
    title: str


class History:
    """Sessions and their turns in one file; each write is durable on return. Raises HistoryError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._connection = sqlite3.connect(path, timeout=5, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.executescript(_SCHEMA)
            upgrade(self._connection)
        except sqlite3.Error as error:
            raise HistoryError(f"the history in {path.name} cannot be opened ({error})") from error

    def begin(self, now: datetime) -> str:
        """Start a session and return its id."""
        session = uuid.uuid4().hex
        self._write("INSERT INTO session VALUES (?, ?)", (session, now.isoformat()))
        return session

    def add(self, session: str, turn: Turn | Fact) -> None:
        """Keep a turn, or what was learnt from one, after all that is kept of the session."""
        kind = _NAMES[type(turn)]
        body = _ADAPTERS[kind].dump_json(turn).decode()
        self._write(
            "INSERT INTO turn SELECT ?, COALESCE(MAX(n), 0) + 1, ?, ? FROM turn WHERE session = ?",
            (session, kind, body, session),
        )

    def turns(self, session: str) -> tuple[Turn, ...]:
        """The turns of a session in order, with exactly one result for each call."""
        turns = tuple(each for each in self.story(session) if not isinstance(each, Read | Made | Doubt))
        return (*turns, *map(cut_off, unanswered(turns)))

    def story(self, session: str) -> tuple[Turn | Fact, ...]:
        """All that is kept of a session in order: its turns, and what was learnt from them."""
        rows = self._read("SELECT kind, body FROM turn WHERE session = ? ORDER BY n", (session,))
        return tuple(self._parsed(_ADAPTERS.get(kind), body) for kind, body in rows)

    def doubts(self) -> tuple[Doubt, ...]:
        """The addresses that some session wrote down although the person had not said them."""
        rows = self._read("SELECT body FROM turn WHERE kind = 'doubt' ORDER BY session, n", ())
        return tuple(self._parsed(_DOUBT, body) for (body,) in rows)

    def latest(self) -> str | None:
        """The id of the last session in which something was asked."""
        past = self.sessions(1)
        return past[0].id if past else None

    def sessions(self, limit: int = 50) -> tuple[Past, ...]:
        """Earlier sessions that hold a goal, newest first."""
        rows = self._read(
            "SELECT session.id, started, body, MIN(n) FROM session JOIN turn ON turn.session = session.id"
            " WHERE kind = 'goal' GROUP BY session.id ORDER BY started DESC, session.rowid DESC LIMIT ?",
            (limit,),
        )
        return tuple(
            Past(session, datetime.fromisoformat(started), _goal_text(body))
            for session, started, body, _ in rows
        )

    def close(self) -> None:
        self._connection.close()

    def _parsed(self, adapter: TypeAdapter[Kept] | None, body: str) -> Kept:
        try:
            if adapter is not None:
                return adapter.validate_json(body)
        except ValidationError:
            log.exception("something in the history cannot be read")
        raise HistoryError(f"something that is kept in {self._path.name} cannot be read")

    def _write(self, statement: str, values: Sequence[object]) -> None:
        try:
            self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise HistoryError(f"the history in {self._path.name} cannot be written ({error})") from error

    def _read(self, statement: str, values: Sequence[object]) -> list[tuple[str, ...]]:
        try:
            with closing(self._connection.execute(statement, values)) as cursor:
                return cursor.fetchall()
        except sqlite3.Error as error:
            raise HistoryError(f"the history in {self._path.name} cannot be read ({error})") from error


def unanswered(turns: Sequence[Turn]) -> tuple[str, ...]:
    """The ids of the calls that have no result, in order."""
    results = {turn.call_id for turn in turns if isinstance(turn, Result)}
    return tuple(t.call.id for t in turns if isinstance(t, Proposal) and t.call.id not in results)


def cut_off(call_id: str) -> Result:
    """The result of a call whose end is not known."""
    return Result(call_id, failed(Needs.TIMEOUT, "This was cut off before it ended."))


def _goal_text(body: str) -> str:
    goal = _ADAPTERS["goal"].validate_json(body)
    return goal.text if isinstance(goal, Goal) else ""
