"""Killed at any step, the journal is true or says that it does not know, and nothing is done twice."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from connectors.base import Call
from permissions.entry import State
from tests.permissions.fakes import ANA, Bench
from tests.permissions.killed import WORLD

ROOT = Path(__file__).parents[2]
HAPPENED = {State.DONE, State.UNKNOWN}
NOT_HAPPENED = {State.EXPIRED, State.DENIED, State.UNKNOWN, State.HELD, State.WITHDRAWN}


@pytest.fixture(scope="module")
def killed(memory: Path) -> list[Path]:
    """Folders of one day that was killed after 1, 2, 3 ... steps; the last one was not killed."""
    base = memory / "killed"
    base.mkdir()
    command = [sys.executable, "-m", "tests.permissions.killed", str(base)]
    subprocess.run(command, check=True, cwd=ROOT, timeout=55)
    return sorted(base.iterdir(), key=lambda folder: int(folder.name))


def world(folder: Path) -> list[str]:
    lines = folder / WORLD
    return lines.read_text().split() if lines.exists() else []


@pytest.mark.timeout(120)
def test_whenever_it_is_killed_the_journal_is_true_and_nothing_happens_twice(killed: list[Path]) -> None:
    assert len(killed) > 50
    assert world(killed[-1]) == ["deed", "undo", "look", "sent"]
    unknown = held = 0
    for folder in killed:
        before = world(folder)
        bench = Bench(folder)
        told = bench.journal.unfinished()
        entries = {entry.call_id: entry for entry in bench.journal.entries()}
        assert bench.journal.verify() == (), folder
        assert {entry.state for entry in told} <= {State.UNKNOWN}
        assert len(told) <= 1
        unknown += len(told)
        assert set(before) <= set(entries)
        for call_id, entry in entries.items():
            assert before.count(call_id) <= 1
            assert entry.state in (HAPPENED if call_id in before else NOT_HAPPENED), (folder, entry)
        if "undo" in entries and entries["undo"].state is State.DONE:
            assert entries["deed"].undone
        assert world(folder) == before
        unclear = {entry.call_id: entry.state for entry in bench.journal.unclear()}
        left = {
            id: entry.state for id, entry in entries.items() if entry.state in (State.UNKNOWN, State.HELD)
        }
        assert unclear == left, folder
        held += State.HELD in unclear.values()
        kept = {path.stem for path in folder.glob("journal.db.held/*")}
        sends = {entry.id for entry in entries.values() if "send" in entry.tool}
        assert kept <= sends & {entry.id for entry in bench.journal.unclear()}, folder
        for entry in bench.journal.unclear():
            if entry.state is State.HELD:
                again = bench.journal.shelf.call(entry.id)
                assert again is not None
                assert again.arguments["to"] == [ANA]
        bench.journal.close()
    assert unknown > 0
    assert held > 0


@pytest.mark.timeout(120)
def test_after_a_restart_the_same_call_is_not_carried_out_again(killed: list[Path]) -> None:
    for folder in killed:
        if "deed" not in world(folder):
            continue
        bench = Bench(folder)
        bench.journal.unfinished()
        call = Call("deed", "messaging.write", {"thing": "note:1", "text": "milk"})
        outcome = asyncio.run(bench.run(call))
        assert not outcome.ok
        assert "already" in outcome.text
        assert bench.service.effects == []
        bench.journal.close()
