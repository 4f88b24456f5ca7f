"""Every step of a call is told to the log word for word, and is on the disk where an effect hangs on it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Call
from permissions.entry import State
from permissions.journal import Journal, JournalConflict, JournalError
from permissions.words import Request, Ruling, Verdict
from tests.permissions.fakes import GOAL, NOW, Clock, prepared_for

UNDO = Call("undo-1", "messaging.undo", {"record": "r-1"})
CALL = prepared_for().call
UNTIL = NOW + timedelta(seconds=30)
ID, TWIN = "c0ffee00" * 4, "decade00" * 4
GIVEN = '{"grant":null,"key":"","words":""}'
KEPT_UNDO = '["messaging.undo",{"record":"r-1"},"undo-1"]'


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def journal(folder: Path, clock: Clock) -> Iterator[Journal]:
    made = Journal(folder / "journal.db", clock)
    yield made
    made.close()


Step = Callable[[Journal], object]
APPROVED: Step = lambda journal: journal.approved(ID, "yes (Y)", GIVEN)  # noqa: E731
HELD: Step = lambda journal: journal.held(ID, "hash", UNTIL, CALL)  # noqa: E731
STARTED: Step = lambda journal: journal.started(ID, "hash")  # noqa: E731


def ended(state: State, undo: Call | None = None) -> Step:
    return lambda journal: journal.finished(ID, state, "so it went", undo)


WAYS: dict[str, tuple[tuple[Step, ...], dict[str, Any], bool]] = {
    "denied": ((lambda journal: journal.denied(ID, "no: why"),), {"answer": "no: why"}, False),
    "approved": ((APPROVED,), {"answer": "yes (Y)", "given": GIVEN}, False),
    "expired": ((APPROVED, lambda journal: journal.expired(ID)), {}, False),
    "failed early": (
        (APPROVED, lambda journal: journal.hindered(ID, "gone")),
        {"outcome": "gone"},
        False,
    ),
    "held": ((APPROVED, HELD), {"until": UNTIL.isoformat()}, True),
    "withdrawn": (
        (APPROVED, HELD, lambda journal: journal.withdrawn(ID, "taken back")),
        {"outcome": "taken back"},
        True,
    ),
    "started": ((APPROVED, STARTED), {}, True),
    "started after a wait": ((APPROVED, HELD, STARTED), {}, True),
    "started softly": (
        (APPROVED, lambda journal: journal.started(ID, "hash", durable=False)),
        {},
        False,
    ),
    "done": (
        (APPROVED, STARTED, ended(State.DONE, UNDO)),
        {"outcome": "so it went", "undo": KEPT_UNDO},
        True,
    ),
    "unknown": ((APPROVED, STARTED, ended(State.UNKNOWN)), {"outcome": "so it went", "undo": ""}, True),
    "resolved_done": (
        (
            APPROVED,
            STARTED,
            ended(State.UNKNOWN),
            lambda journal: journal.resolved(ID, True, "it was done", UNDO),
        ),
        {"outcome": "it was done", "undo": KEPT_UNDO},
        True,
    ),
    "resolved_not": (
        (APPROVED, STARTED, ended(State.UNKNOWN), lambda journal: journal.resolved(ID, False)),
        {},
        True,
    ),
    "left": ((APPROVED, STARTED, ended(State.UNKNOWN), lambda journal: journal.left(ID)), {}, True),
}
OPEN = {"approved", "held", "started"}


def planned(journal: Journal, id: str = ID, call: str = CALL.id) -> None:
    prepared = prepared_for()
    prepared = replace(prepared, call=replace(prepared.call, id=call))
    journal.planned(Request(id, prepared, Ruling(Verdict.ASK, "r", "why"), {}), GOAL, "hash")


def log(journal: Journal) -> list[dict[str, Any]]:
    """What the log tells, row by row."""
    return [json.loads(row["body"]) for row in journal.exported() if "body" in row]


@pytest.mark.parametrize("way", WAYS)
def test_a_step_is_told_with_its_time_and_all_that_it_changed(
    journal: Journal, clock: Clock, way: str
) -> None:
    steps, told, durable = WAYS[way]
    planned(journal)
    for step in steps[:-1]:
        step(journal)
    before = journal._anchor_file.read()
    clock.pass_(minutes=1)
    steps[-1](journal)
    state = {"failed early": "failed"}.get(way, way.partition(" ")[0])
    end = {} if state in OPEN else {"ended": clock().isoformat()}
    assert log(journal)[-1] == {
        "at": clock().isoformat(),
        "event": state,
        "id": ID,
        "set": {"state": state, **told, **end},
    }
    entry = journal.entry(ID)
    assert entry is not None
    assert (entry.state, entry.ended) == (State(state), None if state in OPEN else clock())
    assert (entry.outcome, entry.undo) == (
        told.get("outcome", "so it went" if state in ("resolved_not", "left") else ""),
        UNDO if told.get("undo") else None,
    )
    anchor = journal._anchor_file.read()
    assert (anchor == journal.anchor()) is durable
    assert (anchor != before) is durable
    assert journal.verify() == ()


def test_a_question_is_told_with_all_its_columns(journal: Journal) -> None:
    planned(journal)
    (row,) = log(journal)
    assert (row["at"], row["event"], row["id"]) == (NOW.isoformat(), "planned", ID)
    kept = dict(journal._database.rows("SELECT * FROM call")[0])
    assert row["set"] == kept
    assert (kept["state"], kept["hash"], kept["ended"]) == ("planned", "hash", "")


class TestConflicts:
    def test_a_step_from_a_state_that_is_not_open_to_it_is_told(self, journal: Journal) -> None:
        planned(journal)
        with pytest.raises(JournalConflict) as caught:
            journal.started(ID, "hash")
        assert str(caught.value) == "The call is not in a state from which it could be started."
        assert len(log(journal)) == 1

    def test_a_twin_of_what_has_begun_is_told(self, journal: Journal) -> None:
        for id in (ID, TWIN):
            planned(journal, id)
            journal.approved(id, "yes")
        journal.started(ID, "hash")
        with pytest.raises(JournalConflict) as caught:
            journal.started(TWIN, "hash")
        assert str(caught.value) == "This very call has already been carried out or begun."


class TestTheShelf:
    def test_what_waits_is_kept_whole_until_it_is_taken_back_or_done(self, journal: Journal) -> None:
        for number, last in enumerate(
            (
                lambda id: journal.withdrawn(id, "no"),
                lambda id: (journal.started(id, "hash"), journal.finished(id, State.DONE, "done")),
                lambda id: (
                    journal.started(id, "hash"),
                    journal.finished(id, State.UNKNOWN, "?"),
                    journal.resolved(id, True),
                ),
                lambda id: (
                    journal.started(id, "hash"),
                    journal.finished(id, State.UNKNOWN, "?"),
                    journal.left(id),
                ),
            )
        ):
            id = f"{number:032x}"
            planned(journal, id, f"call-{number}")
            journal.approved(id, "yes")
            journal.held(id, "hash", UNTIL, CALL)
            assert journal.shelf.call(id) == replace(CALL, id=f"again-{id}")
            last(id)
            assert journal.shelf.call(id) is None

    @pytest.mark.parametrize(
        ("steps", "kept"),
        [
            ((), False),
            ((APPROVED,), True),
            ((APPROVED, HELD), True),
            ((APPROVED, HELD, STARTED), True),
            ((APPROVED, HELD, STARTED, ended(State.UNKNOWN)), True),
            ((APPROVED, HELD, STARTED, ended(State.DONE)), False),
            ((lambda journal: journal.denied(ID, "no"),), False),
        ],
    )
    def test_a_start_sweeps_away_what_nobody_needs(
        self, journal: Journal, steps: tuple[Step, ...], kept: bool
    ) -> None:
        planned(journal)
        for step in steps:
            step(journal)
        journal.shelf.keep(ID, CALL)
        assert journal.unfinished() == ()
        assert (journal.shelf.call(ID) is not None) is kept

    def test_what_was_not_approved_like_this_does_not_wait(self, journal: Journal) -> None:
        planned(journal)
        journal.approved(ID, "yes")
        with pytest.raises(JournalConflict):
            journal.held(ID, "another hash", UNTIL, CALL)
        assert journal.shelf.call(ID) is None
        journal.held(ID, "hash", UNTIL, CALL)

    def test_what_cannot_be_kept_whole_does_not_wait(self, journal: Journal, folder: Path) -> None:
        (folder / "journal.db.held").write_text("in the way")
        planned(journal)
        journal.approved(ID, "yes")
        with pytest.raises(JournalError, match=r"^The call cannot be kept for later: .+\.$"):
            journal.held(ID, "hash", UNTIL, CALL)
        entry = journal.entry(ID)
        assert entry is not None
        assert entry.state is State.APPROVED


def test_what_is_taken_back_is_told_once(journal: Journal, clock: Clock) -> None:
    planned(journal)
    for step in (APPROVED, STARTED, ended(State.DONE, UNDO)):
        step(journal)
    clock.pass_(minutes=1)
    for _ in range(2):
        journal.mark_undone(ID)
    undone = [row for row in log(journal) if row["event"] == "undone"]
    assert undone == [{"at": clock().isoformat(), "event": "undone", "id": ID, "set": {"undone": 1}}]
    assert journal._anchor_file.read() == journal.anchor()
