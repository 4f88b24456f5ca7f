"""What is old leaves the journal in one piece from its beginning, so that the rest still verifies."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from permissions.chain import PRUNED, START, Anchor

KEPT = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Cut:
    """How far a log may be cut: the last row to go, and the calls that go with it, whole."""

    end: Anchor
    calls: tuple[str, ...]


def started_at(connection: sqlite3.Connection) -> Anchor:
    """Where the rows that are left begin: after the last one that was pruned."""
    row = connection.execute("SELECT n, head FROM pruned ORDER BY n DESC LIMIT 1").fetchone()
    return Anchor(row[0], row[1]) if row else START


def cut(rows: Sequence[tuple[int, str, str]], before: datetime) -> Cut | None:
    """The longest beginning of the rows (n, hash, body) that is old and that no call goes on after."""
    events = [(n, hash, json.loads(body)) for n, hash, body in rows]
    last = {event["id"]: n for n, _, event in events if event["id"]}
    reach, found, calls = 0, None, []
    for n, hash, event in events:
        if datetime.fromisoformat(event["at"]) >= before:
            break
        if event["id"]:
            reach = max(reach, last[event["id"]])
            if last[event["id"]] == n:
                calls.append(event["id"])
        if reach <= n:
            found = Cut(Anchor(n, hash), tuple(calls))
    return found


def take_out(connection: sqlite3.Connection, end: Anchor, calls: Sequence[str]) -> None:
    """Delete what a cut names, and keep where it ended."""
    connection.execute("DELETE FROM log WHERE n <= ?", (end.count,))
    connection.executemany("DELETE FROM call WHERE id = ?", [(id,) for id in calls])
    connection.execute("DELETE FROM pruned")
    connection.execute("INSERT INTO pruned (n, head) VALUES (?, ?)", (end.count, end.head))


def told(bodies: Sequence[str], start: Anchor) -> bool:
    """True if the log itself tells that it was pruned up to here, or never was."""
    if start == START:
        return True
    events = (json.loads(body) for body in bodies)
    return any(
        event["event"] == PRUNED and event["set"] == {"n": start.count, "head": start.head}
        for event in events
    )
