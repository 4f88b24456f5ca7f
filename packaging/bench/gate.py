"""Calls a second through gate and journal, each made durable twice over, beside two bare SQLite commits."""

import asyncio
import sqlite3
import tempfile
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from rows import Row, median, timed

from connectors.base import (
    Call,
    Context,
    Effect,
    Outcome,
    Prepared,
    Preview,
    Resolved,
    Role,
    Tool,
    ToolArguments,
)
from permissions.gate import Gate, Ticket
from permissions.grants import GrantBook
from permissions.journal import Journal
from permissions.provenance import Provenance
from permissions.words import Decision, GoalRef, Reply, Request

CALLS = 50
RUNS = 5
ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, tzinfo=ZONE)
GOAL = GoalRef("goal", "write milk to Shopping")


class Write(ToolArguments):
    file: str
    text: str


class Notes:
    """A service whose work costs nothing, so that only the gate is measured."""

    name = "notes"
    tools = (Tool("notes.write", "write a note", Write, Effect.WRITE),)

    async def prepare(self, call: Call, context: Context) -> Prepared:
        target = Resolved(Role.TARGET, "file", str(call.arguments["file"]), "Shopping")
        preview = Preview("Write to Shopping", "writes a note", body=str(call.arguments["text"]))
        effects = frozenset({Effect.WRITE})
        return Prepared(
            call, effects, (target,), dict(call.arguments), preview, "basis", "it can be put back"
        )

    async def perform(self, prepared: Prepared) -> Outcome:
        return Outcome(ok=True, text="Written.")


def run() -> list[Row]:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        ours = median(lambda: asyncio.run(_calls(Path(folder))), RUNS) / CALLS
        bare = median(lambda: _commits(Path(folder)), RUNS) / CALLS
    return [timed("one call: asked, allowed, begun, done", ours, bare, "two SQLite commits")]


async def _calls(folder: Path) -> None:
    journal = Journal(folder / "journal.db", lambda: NOW)
    gate = Gate([Notes()], journal, GrantBook(), lambda: NOW)
    provenance = Provenance()
    provenance.say(GOAL.text)
    for number in range(CALLS):
        call = gate.make_call("notes.write", {"file": "note:1", "text": f"milk {number}"})
        assert isinstance(call, Call)
        prepared = await gate.prepare(call, Context(NOW, ZONE))
        assert isinstance(prepared, Prepared)
        request = gate.request(prepared, provenance, GOAL)
        ticket = gate.settle(request, _yes(request))
        assert isinstance(ticket, Ticket)
        assert (await gate.perform(ticket)).ok
    journal.close()


def _yes(request: Request) -> Decision:
    return Decision(Reply.YES, typed=request.ruling.word, key=request.ruling.key)


def _commits(folder: Path) -> None:
    """What two durable writes cost here, with nothing else done: the least that STARTED and DONE can take."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS log (n INTEGER PRIMARY KEY, body TEXT)")
    for number in range(2 * CALLS):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO log (body) VALUES (?)", (f"row {number}",))
        connection.execute("COMMIT")
    connection.close()
