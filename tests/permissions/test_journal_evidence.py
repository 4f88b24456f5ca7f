"""The log beneath the journal shows every change, deletion, insertion and reordering, and a cut tail."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from permissions.chain import Anchor, chained, faults
from permissions.entry import State
from permissions.journal import Journal
from permissions.words import Request, Ruling, Verdict
from tests.permissions.fakes import GOAL, NOW, prepared_for

Tamper = Callable[[sqlite3.Connection], None]


def written(path: Path) -> tuple[Journal, Anchor]:
    """A journal of three calls in nine steps, and its anchor."""
    journal = Journal(path, lambda: NOW)
    for number in range(3):
        call = f"req-{number}"
        prepared = prepared_for()
        journal.planned(Request(call, prepared, Ruling(Verdict.ASK, "r", "why"), {}), GOAL, "hash")
        if number:
            journal.denied(call, "no")
            continue
        journal.approved(call, "yes")
        journal.started(call, "hash")
        journal.finished(call, State.DONE, "Sent.")
    return journal, journal.anchor()


def tampered(path: Path, tamper: Tamper) -> tuple[str, ...]:
    """What `verify` finds after somebody wrote into the file, without and then with the anchor."""
    journal, anchor = written(path)
    assert journal.verify(anchor) == ()
    with sqlite3.connect(path) as other:
        tamper(other)
    other.close()
    try:
        return journal.verify(anchor)
    finally:
        journal.close()


def sql(*statements: str) -> Tamper:
    def tamper(connection: sqlite3.Connection) -> None:
        for statement in statements:
            connection.execute(statement)

    return tamper


def rechain(connection: sqlite3.Connection) -> None:
    """Give every row the number and hashes that belong to it now, as a forger would."""
    rows = connection.execute("SELECT body FROM log ORDER BY n").fetchall()
    connection.execute("DELETE FROM log")
    head = "0" * 64
    for number, (body,) in enumerate(rows, 1):
        own = chained(head, body)
        connection.execute("INSERT INTO log VALUES (?, ?, ?, ?)", (number, head, body, own))
        head = own


def test_an_untouched_journal_is_sound_with_every_anchor_it_ever_had(folder: Path) -> None:
    journal = Journal(folder / "journal.db", lambda: NOW)
    anchors = [journal.anchor()]
    for number in range(3):
        asked = Request(f"req-{number}", prepared_for(), Ruling(Verdict.ASK, "r", "why"), {})
        journal.planned(asked, GOAL, "hash")
        anchors.append(journal.anchor())
    assert anchors[0] == Anchor(0, "0" * 64)
    assert [anchor.count for anchor in anchors] == [0, 1, 2, 3]
    assert all(journal.verify(anchor) == () for anchor in (None, *anchors))
    journal.close()


def test_a_change_of_any_character_of_any_row_is_found(folder: Path) -> None:
    journal, anchor = written(folder / "journal.db")
    journal.close()
    other = sqlite3.connect(folder / "journal.db")
    rows = other.execute("SELECT n, prev, body, hash FROM log ORDER BY n").fetchall()
    other.close()
    assert len(rows) == 8
    assert faults(rows, anchor) == []
    for index, (n, *texts) in enumerate(rows):
        for column, text in enumerate(texts):
            for place, character in enumerate(text):
                changed = [*texts]
                changed[column] = text[:place] + chr(ord(character) ^ 1) + text[place + 1 :]
                assert faults([*rows[:index], (n, *changed), *rows[index + 1 :]], None), (n, column, place)


@pytest.mark.parametrize("column", ["prev", "body", "hash"])
def test_a_change_in_the_file_is_found(folder: Path, column: str) -> None:
    change = f"UPDATE log SET {column} = substr({column}, 1, length({column}) - 1) || 'x' WHERE n = 4"
    assert tampered(folder / "journal.db", sql(change))[0].startswith("row 4 ")


@pytest.mark.parametrize("n", range(1, 8))
def test_a_deleted_row_is_found(folder: Path, n: int) -> None:
    assert tampered(folder / "journal.db", sql(f"DELETE FROM log WHERE n = {n}"))


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 5), (7, 8)])
def test_rows_that_changed_places_are_found(folder: Path, one: int, other: int) -> None:
    swap = (f"UPDATE log SET n = -1 WHERE n = {one}", f"UPDATE log SET n = {one} WHERE n = {other}")
    assert tampered(folder / "journal.db", sql(*swap, f"UPDATE log SET n = {other} WHERE n = -1"))


def test_an_inserted_row_is_found(folder: Path) -> None:
    insert = "INSERT INTO log SELECT n + 1, prev, body, hash FROM log WHERE n = 8"
    assert tampered(folder / "journal.db", sql(insert))


def test_a_number_out_of_line_is_found(folder: Path) -> None:
    found = tampered(folder / "journal.db", sql("UPDATE log SET n = 9 WHERE n = 8"))
    assert found[0] == "row 8 is missing or out of order"


def test_a_cut_tail_is_found_with_the_anchor(folder: Path) -> None:
    def cut(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM log WHERE n > 6")
        connection.execute("DELETE FROM call WHERE id = 'req-2'")

    journal, anchor = written(folder / "journal.db")
    with sqlite3.connect(folder / "journal.db") as other:
        cut(other)
    other.close()
    assert journal.verify() == ()
    assert journal.verify(anchor) == ("the log ends before, or differs from, what was known of it",)
    journal.close()


def test_a_forged_log_that_is_whole_in_itself_is_found_with_the_anchor(folder: Path) -> None:
    def forge(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE log SET body = replace(body, 'Sent.', 'Kept.')")
        connection.execute("UPDATE call SET outcome = 'Kept.' WHERE outcome = 'Sent.'")
        rechain(connection)

    assert tampered(folder / "journal.db", forge) == (
        "the log ends before, or differs from, what was known of it",
    )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE call SET state = 'denied' WHERE id = 'req-0'",
        "UPDATE call SET title = 'x' WHERE id = 'req-0'",
        "UPDATE call SET undo = 'x' WHERE id = 'req-0'",
        "UPDATE call SET undone = 1 WHERE id = 'req-0'",
        "DELETE FROM call WHERE id = 'req-0'",
        "INSERT INTO call SELECT 'req-9', call_id, owner, hash, at, goal_id, goal, asker, tool, effects,"
        " title, shown, ruling, rule, 'denied', answer, outcome, undo, undone, ended, why, given, mark, until"
        " FROM call LIMIT 1",
    ],
)
def test_calls_that_are_not_as_the_log_tells_are_found(folder: Path, statement: str) -> None:
    (found,) = tampered(folder / "journal.db", sql(statement))
    assert found.endswith("is not as the log tells")


def test_a_log_that_makes_no_sense_is_found(folder: Path) -> None:
    def forge(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE log SET body = '[]' WHERE n = 1")
        rechain(connection)

    journal, _ = written(folder / "journal.db")
    with sqlite3.connect(folder / "journal.db") as other:
        forge(other)
    other.close()
    (folder / "journal.db.anchor").unlink()
    assert journal.verify() == ("the log cannot be read",)
    journal.close()


def test_every_step_is_in_the_log_in_order(folder: Path) -> None:
    journal, _ = written(folder / "journal.db")
    journal.mark_undone("req-0")
    rows = sqlite3.connect(folder / "journal.db").execute("SELECT body FROM log ORDER BY n").fetchall()
    events = [(event["id"], event["event"]) for event in (json.loads(body) for (body,) in rows)]
    assert events == [
        ("req-0", "planned"),
        ("req-0", "approved"),
        ("req-0", "started"),
        ("req-0", "done"),
        ("req-1", "planned"),
        ("req-1", "denied"),
        ("req-2", "planned"),
        ("req-2", "denied"),
        ("req-0", "undone"),
    ]
    assert all(json.loads(body)["at"] == NOW.isoformat() for (body,) in rows)
    journal.close()
