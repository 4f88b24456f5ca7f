"""The journal's file: private, shared, never overwritten when damaged, and a full disk stops everything."""

import os
import sqlite3
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from connectors.base import Call
from permissions.entry import State
from permissions.journal import Journal, JournalError
from permissions.words import Request, Ruling, Verdict
from tests.permissions.fakes import GOAL, NOW, Clock, prepared_for


def opened(path: Path) -> Journal:
    return Journal(path, lambda: NOW)


def plan(journal: Journal, id: str = "req-1") -> None:
    journal.planned(Request(id, prepared_for(), Ruling(Verdict.ASK, "r", "why"), {}), GOAL, "hash")


def test_the_file_and_its_folder_are_the_persons_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "state" / "journal.db"
    journal = opened(path)
    plan(journal)
    for each in (path, *path.parent.glob("journal.db-*")):
        assert stat.S_IMODE(each.stat().st_mode) == 0o600
    for folder in (path.parent, path.with_name("journal.db.owners")):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    journal.close()


def test_every_write_is_on_the_disk_when_it_returns(tmp_path: Path) -> None:
    journal = opened(tmp_path / "journal.db")
    with journal._database.snapshot() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    journal.close()


def test_what_was_written_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    first = opened(tmp_path / "journal.db")
    plan(first)
    first.close()
    second = opened(tmp_path / "journal.db")
    assert [entry.id for entry in second.entries()] == ["req-1"]
    assert second.notices == ()
    assert second.verify() == ()
    second.close()


@pytest.mark.parametrize("damage", ["garbage", "torn"])
def test_a_damaged_journal_is_kept_aside_and_said_so(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "journal.db"
    if damage == "garbage":
        path.write_bytes(b"this is no database at all" * 100)
    else:
        first = opened(path)
        for number in range(40):
            plan(first, f"req-{number}")
        first.close()
        data = bytearray(path.read_bytes())
        data[4096:12288] = os.urandom(8192)
        path.write_bytes(data)
    before = path.read_bytes()
    journal = opened(path)
    aside = path.with_name("journal.db.damaged-20261130T100000")
    assert aside.read_bytes() == before
    assert journal.notices == (f"The journal was damaged. It was kept as {aside}, and a new one was begun.",)
    plan(journal)
    assert journal.verify() == ()
    journal.close()


def test_all_that_belongs_to_a_damaged_journal_is_kept_with_it(tmp_path: Path) -> None:
    endings = ("", ".anchor")
    for ending in endings:
        (tmp_path / f"journal.db{ending}").write_bytes(f"broken{ending}".encode() * 300)
    journal = opened(tmp_path / "journal.db")
    for ending in endings:
        kept = tmp_path / f"journal.db.damaged-20261130T100000{ending}"
        assert kept.read_bytes() == f"broken{ending}".encode() * 300
    plan(journal)
    journal.denied("req-1", "no")
    assert journal.verify() == ()
    journal.close()


def test_a_second_damaged_journal_does_not_replace_the_first(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    for number in range(2):
        path.write_bytes(b"broken %d" % number * 500)
        opened(path).close()
        for companion in path.parent.glob("journal.db-*"):
            companion.unlink()
    kept = sorted(tmp_path.glob("journal.db.damaged-*"))
    assert [each.read_bytes()[:8] for each in kept] == [b"broken 0", b"broken 1"]


def test_a_journal_of_a_newer_askfirst_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    opened(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(JournalError, match=r"journal\.db cannot be used: it was made by a newer Askfirst\."):
        opened(path)
    assert not list(tmp_path.glob("*.damaged*"))


def test_a_journal_that_cannot_be_made_is_a_plain_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError, match=r"journal\.db cannot be used: .+\.$"):
        opened(tmp_path / "file" / "journal.db")
    (tmp_path / "folder" / "journal.db").mkdir(parents=True)
    with pytest.raises(JournalError, match="cannot be used"):
        opened(tmp_path / "folder" / "journal.db")


def test_a_full_disk_stops_a_step_and_leaves_the_journal_sound(tmp_path: Path) -> None:
    journal = opened(tmp_path / "journal.db")
    connection = journal._database._open
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    written, error = 0, ""
    while not error:
        try:
            plan(journal, f"req-{written}")
            written += 1
        except JournalError as full:
            error = str(full)
    assert error == f"The journal {tmp_path / 'journal.db'} cannot be written: the disk is full."
    assert 0 < len(journal.entries(1000)) == written
    assert journal.verify() == ()
    connection.execute("PRAGMA max_page_count = 100000")
    plan(journal, "req-last")
    assert journal.verify() == ()
    journal.close()


def test_a_journal_that_somebody_else_keeps_locked_is_a_plain_sentence(tmp_path: Path) -> None:
    journal = opened(tmp_path / "journal.db")
    journal._database._open.execute("PRAGMA busy_timeout = 10")
    other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalError, match="another program keeps it locked"):
        plan(journal)
    other.execute("ROLLBACK")
    other.close()
    plan(journal)
    journal.close()


def test_a_closed_journal_is_an_error_and_not_a_crash(tmp_path: Path) -> None:
    journal = opened(tmp_path / "journal.db")
    journal.close()
    with pytest.raises(JournalError):
        plan(journal)
    with pytest.raises(JournalError):
        journal.entries()


class TestWhatAnEndedProcessLeft:
    def leave(self, path: Path) -> Journal:
        journal = opened(path)
        for number, steps in enumerate(("", "a", "as", "asd", "x")):
            id = f"req-{number}"
            prepared = replace(prepared_for(), call=Call(f"call-{number}", "messaging.send", {}))
            journal.planned(Request(id, prepared, Ruling(Verdict.ASK, "r", "why"), {}), GOAL, "hash")
            for step in steps:
                match step:
                    case "a":
                        journal.approved(id, "yes")
                    case "s":
                        journal.started(id, "hash")
                    case "d":
                        journal.finished(id, State.DONE, "Sent.")
                    case "x":
                        journal.denied(id, "no")
        return journal

    def test_what_ran_is_unknown_and_what_waited_has_expired(self, tmp_path: Path) -> None:
        self.leave(tmp_path / "journal.db").close()
        journal = opened(tmp_path / "journal.db")
        (left,) = journal.unfinished()
        assert (left.id, left.state) == ("req-2", State.UNKNOWN)
        assert left.outcome == "Askfirst ended before it knew the outcome."
        assert {entry.id: entry.outcome for entry in journal.entries()} == {
            "req-0": "",
            "req-1": "",
            "req-2": left.outcome,
            "req-3": "Sent.",
            "req-4": "",
        }
        states = {entry.id: entry.state.value for entry in journal.entries()}
        assert states == {
            "req-0": "expired",
            "req-1": "expired",
            "req-2": "unknown",
            "req-3": "done",
            "req-4": "denied",
        }
        assert journal.unfinished() == ()
        assert journal.verify() == ()
        journal.close()

    def test_what_another_running_process_does_is_left_alone(self, tmp_path: Path) -> None:
        running = self.leave(tmp_path / "journal.db")
        other = opened(tmp_path / "journal.db")
        assert other.unfinished() == ()
        assert {entry.state.value for entry in other.entries()} >= {"started", "planned", "approved"}
        running.finished("req-2", State.DONE, "Sent.")
        running.close()
        assert other.unfinished() == ()
        assert {entry.id: entry.state.value for entry in other.entries()}["req-0"] == "expired"
        other.close()
        assert [each.name for each in (tmp_path / "journal.db.owners").iterdir()] == ["door"]

    def test_its_own_running_calls_are_left_alone(self, tmp_path: Path) -> None:
        running = self.leave(tmp_path / "journal.db")
        assert running.unfinished() == ()
        running.finished("req-2", State.DONE, "Sent.")
        running.close()


WRITER = """
import sys
from pathlib import Path
from datetime import datetime, timezone
from permissions.journal import Journal
from permissions.words import Request, Ruling, Verdict, GoalRef
from tests.permissions.fakes import prepared_for
path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
journal = Journal(path, lambda: datetime(2026, 11, 30, tzinfo=timezone.utc))
for number in range(count):
    id = f"{name}-{number}"
    journal.planned(Request(id, prepared_for(), Ruling(Verdict.ASK, "r", "why"), {}), GoalRef("g", ""), "h")
    journal.denied(id, "no")
journal.close()
"""


def test_two_processes_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    count = 40
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), name, str(count)], cwd=Path(__file__).parents[2]
        )
        for name in ("a", "b")
    ]
    assert [writer.wait(timeout=50) for writer in writers] == [0, 0]
    journal = Journal(path, Clock())
    assert len(journal.entries(1000)) == 2 * count
    assert {entry.state for entry in journal.entries(1000)} == {State.DENIED}
    assert journal.anchor().count == 4 * count
    assert journal.verify() == ()
    journal.close()
