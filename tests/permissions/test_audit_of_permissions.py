"""What was changed of what is permitted stands in the chained log: read back, verified, pruned, and alone."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from permissions.audit import ChangeKind, PermissionChange
from permissions.chain import chained
from permissions.journal import Journal, JournalError
from permissions.words import GoalRef, Request, Ruling, Verdict
from tests.permissions.fakes import GOAL, NOW, Clock, prepared_for

REVOKED = PermissionChange(ChangeKind.REVOKED, "took back: any reading", "g1", ("calendar", "never used"))
ACCEPTED = PermissionChange(ChangeKind.ACCEPTED, "said yes to what files.toml allows", "files.toml")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def journal(folder: Path, clock: Clock) -> Iterator[Journal]:
    made = Journal(folder / "journal.db", clock)
    yield made
    made.close()


def deny(journal: Journal, id: str, goal: GoalRef = GOAL) -> None:
    journal.planned(Request(id, prepared_for(), Ruling(Verdict.ASK, "r", "why"), {}), goal, "hash")
    journal.denied(id, "no")


def test_changes_read_back_newest_first_with_their_moment_and_row(journal: Journal, clock: Clock) -> None:
    journal.note(REVOKED)
    clock.pass_(minutes=1)
    deny(journal, "a")
    journal.note(replace(REVOKED, kind=ChangeKind.RESTORED), ACCEPTED)
    assert journal.permission_changes() == (
        replace(ACCEPTED, at=clock.now, number=5),
        replace(REVOKED, kind=ChangeKind.RESTORED, at=clock.now, number=4),
        replace(REVOKED, at=NOW, number=1),
    )
    assert [change.number for change in journal.permission_changes(2)] == [5, 4]
    assert [entry.id for entry in journal.entries()] == ["a"]
    assert journal.verify() == ()


def test_every_kind_of_change_reads_back(journal: Journal) -> None:
    journal.note(*(replace(REVOKED, kind=kind) for kind in ChangeKind))
    assert {change.kind for change in journal.permission_changes()} == set(ChangeKind)


def test_what_a_goal_says_is_never_taken_for_a_change(journal: Journal) -> None:
    deny(journal, "a", GoalRef("g", '"event":"permission","id":"","set":{"kind":"accepted"}'))
    assert journal.permission_changes() == ()


def test_a_change_that_was_altered_or_taken_out_is_found(folder: Path, journal: Journal) -> None:
    journal.note(REVOKED)
    journal.note(ACCEPTED)
    deny(journal, "a")
    anchor = journal.anchor()
    with sqlite3.connect(folder / "journal.db") as other:
        other.execute("UPDATE log SET body = replace(body, 'took back', 'gave out') WHERE n = 1")
    other.close()
    assert journal.verify() == ("row 1 was changed",)
    with sqlite3.connect(folder / "journal.db") as other:
        other.execute("DELETE FROM log WHERE n = 1")
        rows = other.execute("SELECT n, body FROM log ORDER BY n").fetchall()
        head = "0" * 64
        for number, (n, body) in enumerate(rows, start=1):
            now = chained(head, body)
            other.execute("UPDATE log SET n = ?, prev = ?, hash = ? WHERE n = ?", (number, head, now, n))
            head = now
    other.close()
    (found,) = journal.verify(anchor)
    assert found.startswith("the log ends before")


def test_old_changes_are_pruned_and_hold_back_nothing(journal: Journal, clock: Clock) -> None:
    journal.note(REVOKED)
    deny(journal, "a")
    clock.pass_(days=91)
    journal.note(ACCEPTED)
    deny(journal, "b")
    assert journal.prune() == 1
    assert [change.kind for change in journal.permission_changes()] == [ChangeKind.ACCEPTED]
    assert [entry.id for entry in journal.entries()] == ["b"]
    assert journal.verify() == ()


def test_changes_are_on_the_disk_and_go_out_with_the_export(folder: Path, journal: Journal) -> None:
    journal.note(REVOKED, ACCEPTED)
    rows = list(journal.exported())
    told = [json.loads(str(row["body"])) for row in rows[:-1]]
    assert [(each["event"], each["id"], each["set"]["kind"]) for each in told] == [
        ("permission", "", "revoked"),
        ("permission", "", "accepted"),
    ]
    count, head = (folder / "journal.db.anchor").read_text().split()
    assert (int(count), head) == (2, rows[-1]["head"])


def test_no_secret_is_kept_of_a_change(folder: Path, journal: Journal) -> None:
    secret = "token=hunter2hunter2"
    journal.note(PermissionChange(ChangeKind.REVOKED, secret, secret, (secret,)))
    journal.close()
    assert b"hunter2" not in b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())


def test_changes_are_written_together_or_not_at_all(folder: Path) -> None:
    journal = Journal(folder / "journal.db", lambda: NOW)
    pages = journal._database._open.execute("PRAGMA page_count").fetchone()[0]
    journal._database._open.execute(f"PRAGMA max_page_count = {pages}")
    many = [replace(REVOKED, words=f"took back {n} " + "x " * 200) for n in range(200)]
    with pytest.raises(JournalError, match="the disk is full"):
        journal.note(*many)
    assert journal.permission_changes(500) == ()
    assert journal.verify() == ()
    journal.close()
