"""Brings a history that was kept without labels up to date: what cannot be known counts as foreign."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from permissions.tokens import spoken
from permissions.values import spelled

VERSION = 1

_LOOKING = ("find", "get", "list", "read", "search")

Row = tuple[str, str]


def upgrade(connection: sqlite3.Connection) -> None:
    """Give every session kept without labels the labels it must have, all at once or not at all."""
    if connection.execute("PRAGMA user_version").fetchone()[0] >= VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        sessions = [row[0] for row in connection.execute("SELECT DISTINCT session FROM turn").fetchall()]
        for session in sessions:
            query = "SELECT kind, body FROM turn WHERE session = ? ORDER BY n"
            rows = [*labelled(connection.execute(query, (session,)).fetchall())]
            connection.execute("DELETE FROM turn WHERE session = ?", (session,))
            numbered = [(session, number, *row) for number, row in enumerate(rows, start=1)]
            connection.executemany("INSERT INTO turn VALUES (?, ?, ?, ?)", numbered)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def labelled(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows of one session with their labels; what cannot be read stays as it is, and may be anything.

    Once a result has shown something, what the model wrote for that goal is tainted; what was read is a text
    of an earlier session, and what a call that was done had in it may name what was made.
    """
    tainted = False
    calls: dict[str, Any] = {}
    for kind, text in rows:
        try:
            body = json.loads(text)
            added = [*_learnt(body, calls)] if kind == "result" else []
            if kind == "call":
                calls[body["call"]["id"]] = body["call"]
            marked = {**body, "tainted": tainted} if kind in ("call", "reply") else None
        except (ValueError, TypeError, KeyError, AttributeError):
            tainted = True
            yield kind, text
            continue
        yield kind, json.dumps(marked) if marked else text
        yield from added
        tainted = kind != "goal" and (tainted or any(each == "read" for each, _ in added))


def _learnt(body: dict[str, Any], calls: dict[str, Any]) -> Iterator[Row]:
    """What there is to be known from a result."""
    outcome = body["outcome"]
    if outcome["ok"] and (made := _made(calls.get(body["call_id"]))):
        yield "made", json.dumps({"words": made})
    if outcome.get("content") is not None or outcome.get("items"):
        yield "read", json.dumps({"name": "an earlier session", "text": _shown(outcome)})


def _made(call: dict[str, Any] | None) -> list[str]:
    """The words of a call that did more than look."""
    if call is None or call["tool"].partition(".")[2].startswith(_LOOKING):
        return []
    items = (item for value in call["arguments"].values() for item in spelled(value))
    return [spoken(item) for item in items if "@" not in item]


def _shown(outcome: dict[str, Any]) -> str:
    listed = (f"{item['label']}\n{item.get('detail', '')}" for item in outcome.get("items") or ())
    return "\n".join([outcome.get("content") or "", *listed])
