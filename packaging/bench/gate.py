"""A call's way through gate and journal, two waits for the disk included, beside two bare SQLite commits."""

import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from rows import Row, timed

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

CALLS = 10
WARMING = 5
TURNS = 40
ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, tzinfo=ZONE)
GOAL = GoalRef("goal", "write milk to Shopping")


class Write(ToolArguments):
    file: str
    text: str


class Notes:
    """A service whose work costs nothing, so that only the gate is measured."""

    name = "notes"
    tools = (
        Tool("notes.write", "write a note", Write, Effect.WRITE),
        Tool("notes.read", "read a note", Write, Effect.READ),
    )

    async def prepare(self, call: Call, context: Context) -> Prepared:
        target = Resolved(Role.TARGET, "file", str(call.arguments["file"]), "Shopping")
        preview = Preview("Write to Shopping", "writes a note", body=str(call.arguments["text"]))
        effects = frozenset({Effect.READ if call.tool == "notes.read" else Effect.WRITE})
        return Prepared(
            call, effects, (target,), dict(call.arguments), preview, "basis", "it can be put back"
        )

    async def perform(self, prepared: Prepared) -> Outcome:
        return Outcome(ok=True, text="Written.")


def run() -> list[Row]:
    """They take short turns, so that whatever else the machine does slows all alike."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        turns = asyncio.run(_turns(Path(folder)))[WARMING:]
    write, judging, read, bare = (statistics.median(each) / CALLS for each in zip(*turns, strict=True))
    return [
        timed("one call: asked, allowed, begun, done", write, bare, "two SQLite commits"),
        timed("of it, judging by plan, origins and rules", judging, bare, "the same"),
        timed("one look: asked, allowed, begun, done", read, bare, "the same"),
    ]


class Stopwatch:
    """The seconds that a function takes, all calls together."""

    def __init__(self) -> None:
        self.total = 0.0

    def around(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any) -> Any:
            began = time.perf_counter()
            try:
                return work(*arguments)
            finally:
                self.total += time.perf_counter() - began

        return watched


async def _turns(folder: Path) -> list[tuple[float, float, float, float]]:
    """The seconds of each turn: for calls, for the judging in them, for looks, and for bare commits."""
    journal = Journal(folder / "journal.db", lambda: NOW)
    gate = Gate([Notes()], journal, GrantBook(), lambda: NOW)
    judging = Stopwatch()
    gate._judge.judge = judging.around(gate._judge.judge)  # type: ignore[method-assign]
    bare = _bare(folder)
    turns = []
    for _ in range(WARMING + TURNS):
        judging.total = 0.0
        write = await _calls(gate, "notes.write")
        judged = judging.total
        turns.append((write, judged, await _calls(gate, "notes.read"), _commits(bare)))
    journal.close()
    bare.close()
    return turns


async def _calls(gate: Gate, tool: str) -> float:
    provenance = Provenance()
    provenance.say(GOAL.text)
    began = time.perf_counter()
    for number in range(CALLS):
        call = gate.make_call(tool, {"file": "note:1", "text": f"milk {number}"})
        assert isinstance(call, Call)
        prepared = await gate.prepare(call, Context(NOW, ZONE))
        assert isinstance(prepared, Prepared)
        request = gate.request(prepared, provenance, GOAL)
        ticket = gate.settle(request, _yes(request))
        assert isinstance(ticket, Ticket)
        assert (await gate.perform(ticket)).ok
    return time.perf_counter() - began


def _yes(request: Request) -> Decision:
    return Decision(Reply.YES, typed=request.ruling.word, key=request.ruling.key)


def _bare(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE log (n INTEGER PRIMARY KEY, body TEXT)")
    return connection


def _commits(connection: sqlite3.Connection) -> float:
    """What two durable writes cost here, with nothing else done: the least that STARTED and DONE can take."""
    began = time.perf_counter()
    for number in range(2 * CALLS):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO log (body) VALUES (?)", (f"row {number}",))
        connection.execute("COMMIT")
    return time.perf_counter() - began
