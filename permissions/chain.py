"""The log beneath the journal: every row holds the hash of the one before, so that no row can be altered."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from permissions.canonical import canonical

PRUNED = "pruned"
"""The event of the row that tells up to where earlier rows were taken out."""
_START = "0" * 64


@dataclass(frozen=True, slots=True)
class Anchor:
    """How many rows the log had, and the hash of the last; kept elsewhere, it shows that a tail was cut."""

    count: int
    head: str


START = Anchor(0, _START)
"""Where every log begins."""


def append(connection: sqlite3.Connection, body: Mapping[str, JsonValue]) -> Anchor:
    """Add one row within the caller's transaction, and give where the log stands then."""
    anchor = anchored(connection)
    text = canonical(body).decode("ascii")
    now = Anchor(anchor.count + 1, chained(anchor.head, text))
    values = (now.count, anchor.head, text, now.head)
    connection.execute("INSERT INTO log (n, prev, body, hash) VALUES (?, ?, ?, ?)", values)
    return now


def anchored(connection: sqlite3.Connection) -> Anchor:
    """Where the log stands now."""
    row = connection.execute("SELECT n, hash FROM log ORDER BY n DESC LIMIT 1").fetchone()
    return Anchor(row[0], row[1]) if row else START


def chained(prev: str, body: str) -> str:
    """The hash of a row: SHA-256 over the hash before it and its body, in hex."""
    return hashlib.sha256(f"{prev}\n{body}".encode()).hexdigest()


def faults(
    rows: Iterable[tuple[int, str, str, str]], anchor: Anchor | None = None, start: Anchor = START
) -> list[str]:
    """What is wrong with a log, in words; nothing if it is whole from the start up to the anchor."""
    found: list[str] = []
    count, head = start.count, start.head
    reached = anchor is None or anchor in (START, start)
    for number, prev, body, own in rows:
        count += 1
        if number != count:
            found.append(f"row {count} is missing or out of order")
            count = number
        if prev != head:
            found.append(f"row {number} does not follow the row before it")
        if own != chained(prev, body):
            found.append(f"row {number} was changed")
        head = own
        reached = reached or anchor == Anchor(count, head)
    if anchor is not None and not reached:
        found.append(_unreached(anchor, start))
    return found


def replayed(bodies: Iterable[str]) -> dict[str, dict[str, JsonValue]]:
    """The calls as the log tells of them, by id."""
    calls: dict[str, dict[str, JsonValue]] = {}
    for body in bodies:
        event = json.loads(body)
        if event["id"]:
            calls.setdefault(event["id"], {}).update(event["set"])
    return calls


def _unreached(anchor: Anchor, start: Anchor) -> str:
    if anchor.count < start.count:
        return f"what was known of the log is from before row {start.count}, up to which it was pruned"
    return "the log ends before, or differs from, what was known of it"
