"""What is older than 90 days leaves the journal from its beginning, and the rest still verifies."""

import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.canonical import canonical
from permissions.chain import START, Anchor
from permissions.entry import State
from permissions.journal import Journal
from permissions.pruning import cut, told
from permissions.words import Request, Ruling, Verdict
from tests.permissions.fakes import GOAL, NOW, Clock, prepared_for


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def journal(folder: Path, clock: Clock) -> Iterator[Journal]:
    made = Journal(folder / "journal.db", clock)
    yield made
    made.close()


def plan(journal: Journal, id: str) -> None:
    journal.planned(Request(id, prepared_for(), Ruling(Verdict.ASK, "r", "why"), {}), GOAL, "hash")


def deny(journal: Journal, id: str) -> None:
    plan(journal, id)
    journal.denied(id, "no")


def do(journal: Journal, id: str) -> None:
    plan(journal, id)
    journal.approved(id, "yes")
    journal.started(id, "hash")
    journal.finished(id, State.FAILED, "no")


def ids(journal: Journal) -> list[str]:
    return [entry.id for entry in journal.entries()][::-1]


def test_a_journal_of_the_last_90_days_is_left_alone(journal: Journal, clock: Clock) -> None:
    assert journal.prune() == 0
    deny(journal, "a")
    clock.pass_(days=90)
    before = journal.anchor()
    assert journal.prune() == 0
    assert (journal.anchor(), ids(journal)) == (before, ["a"])


def test_what_is_older_goes_and_the_rest_verifies(journal: Journal, clock: Clock) -> None:
    deny(journal, "a")
    do(journal, "b")
    clock.pass_(days=60)
    deny(journal, "c")
    clock.pass_(days=30, seconds=1)
    anchor = journal.anchor()
    assert journal.prune() == 2
    assert ids(journal) == ["c"]
    assert journal.verify() == ()
    assert journal.verify(anchor) == ()
    deny(journal, "d")
    assert journal.verify(anchor) == ()
    assert journal.prune() == 0
    clock.pass_(days=100)
    assert journal.prune() == 2
    assert (ids(journal), journal.verify()) == ([], ())


def test_a_call_that_goes_on_keeps_all_that_came_after_it(journal: Journal, clock: Clock) -> None:
    deny(journal, "a")
    do(journal, "b")
    deny(journal, "c")
    clock.pass_(days=91)
    journal.mark_undone("b")
    assert journal.prune() == 1
    assert ids(journal) == ["b", "c"]
    assert journal.verify() == ()


def test_what_was_known_of_what_was_pruned_cannot_be_held_against_it(journal: Journal, clock: Clock) -> None:
    deny(journal, "a")
    early = journal.anchor()
    deny(journal, "b")
    middle = journal.anchor()
    clock.pass_(days=91)
    journal.prune()
    assert journal.verify(middle) == ()
    assert journal.verify(early) == (
        "what was known of the log is from before row 4, up to which it was pruned",
    )
    assert journal.verify(Anchor(4, "f" * 64)) == (
        "the log ends before, or differs from, what was known of it",
    )


def pruned(folder: Path) -> Journal:
    clock = Clock()
    journal = Journal(folder / "journal.db", clock)
    deny(journal, "a")
    clock.pass_(days=91)
    deny(journal, "b")
    journal.prune()
    deny(journal, "c")
    (folder / "journal.db.anchor").unlink()
    return journal


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM pruned",
        "UPDATE pruned SET n = 3",
        "UPDATE pruned SET head = (SELECT hash FROM log WHERE n = 3)",
        "DELETE FROM log WHERE n = 3",
    ],
)
def test_taking_out_more_by_hand_is_found(folder: Path, statement: str) -> None:
    journal = pruned(folder)
    assert journal.verify() == ()
    with sqlite3.connect(folder / "journal.db") as other:
        other.execute(statement)
    other.close()
    assert journal.verify() != ()
    journal.close()


def test_a_pruning_that_the_log_does_not_tell_of_is_found(folder: Path) -> None:
    journal = pruned(folder)
    with sqlite3.connect(folder / "journal.db") as other:
        other.execute("UPDATE pruned SET n = 4, head = (SELECT hash FROM log WHERE n = 4)")
        other.execute("DELETE FROM log WHERE n <= 4")
        other.execute("DELETE FROM call WHERE id = 'b'")
    other.close()
    assert journal.verify() == ("earlier rows were taken out, and the log does not tell of it",)
    journal.close()


@pytest.mark.parametrize(
    ("bodies", "start", "tells"),
    [
        ((), START, True),
        ((), Anchor(4, "head"), False),
        (('{"event":"pruned","set":{"head":"head","n":4}}',), Anchor(4, "head"), True),
        (('{"event":"pruned","set":{"head":"head","n":3}}',), Anchor(4, "head"), False),
        (('{"event":"done","set":{"head":"head","n":4}}',), Anchor(4, "head"), False),
    ],
)
def test_a_log_tells_of_its_pruning_or_never_was_pruned(
    bodies: tuple[str, ...], start: Anchor, tells: bool
) -> None:
    assert told(bodies, start) is tells


Step = tuple[int, int]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), max_size=12), st.integers(0, 60))
def test_a_cut_takes_whole_calls_and_only_what_is_old(steps: list[Step], limit: int) -> None:
    rows, at = [], NOW
    for number, (call, days) in enumerate(steps, 1):
        at += timedelta(days=days)
        body = canonical({"id": f"call-{call}", "event": "x", "at": at.isoformat()}).decode()
        rows.append((number, f"hash-{number}", body))
    before = NOW + timedelta(days=limit)
    found = cut(rows, before)
    end, calls = (found.end.count, set(found.calls)) if found else (START.count, set())
    old, rest = steps[:end], steps[end:]
    assert {f"call-{call}" for call, _ in old} == calls
    assert not calls & {f"call-{call}" for call, _ in rest}
    assert all(when(row) < before for row in rows[:end])
    longer = [
        n
        for n in range(end + 1, len(steps) + 1)
        if all(when(row) < before for row in rows[:n])
        and not {call for call, _ in steps[:n]} & {call for call, _ in steps[n:]}
    ]
    assert longer == []


def when(row: tuple[int, str, str]) -> datetime:
    return datetime.fromisoformat(row[2].partition('"at":"')[2].partition('"')[0])
