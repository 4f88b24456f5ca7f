"""The log beneath the journal: every row holds the hash of the one before, so that no row can be altered."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from permissions.canonical import canonical

_START = "0" * 64


@dataclass(frozen=True, slots=True)
class Anchor:
    """How many rows the log had, and the hash of the last; kept elsewhere, it shows that a tail was cut."""

    count: int
    head: str


def append(connection: sqlite3.Connection, body: Mapping[str, JsonValue]) -> int:
    """Add one row within the caller's transaction and give its number, from 1."""
    anchor = anchored(connection)
    text = canonical(body).decode("ascii")
    values = (anchor.count + 1, anchor.head, text, chained(anchor.head, text))
    connection.execute("INSERT INTO log (n, prev, body, hash) VALUES (?, ?, ?, ?)", values)
    return anchor.count + 1


def anchored(connection: sqlite3.Connection) -> Anchor:
    """Where the log stands now."""
    row = connection.execute("SELECT n, hash FROM log ORDER BY n DESC LIMIT 1").fetchone()
    return Anchor(row[0], row[1]) if row else Anchor(0, _START)


def chained(prev: str, body: str) -> str:
    """The hash of a row: SHA-256 over the hash before it and its body, in hex."""
    return hashlib.sha256(f"{prev}\n{body}".encode()).hexdigest()


def faults(rows: Iterable[tuple[int, str, str, str]], anchor: Anchor | None) -> list[str]:
    """What is wrong with a log, in words; nothing if it is whole up to the anchor."""
    found: list[str] = []
    count, head = 0, _START
    reached = anchor is None or anchor == Anchor(0, _START)
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
    if not reached:
        found.append("the log ends before, or differs from, what was known of it")
    return found


def replayed(bodies: Iterable[str]) -> dict[str, dict[str, JsonValue]]:
    """The calls as the log tells of them, by id."""
    calls: dict[str, dict[str, JsonValue]] = {}
    for body in bodies:
        event = json.loads(body)
        calls.setdefault(event["id"], {}).update(event["set"])
    return calls
