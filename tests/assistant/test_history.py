"""A session can be taken up again as it was, however it ended."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from assistant.history import History, HistoryError
from assistant.model.base import Goal, Proposal, Reply, Result
from connectors.base import Call, Item, Needs, Outcome, failed

NOW = datetime(2026, 11, 30, 10, tzinfo=UTC)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "sessions.db")


def test_turns_come_back_as_they_were(history: History) -> None:
    undo = Call("u", "calendar.undo", {"record": "r"})
    outcome = Outcome(True, "Done.", items=(Item("event:home/a", "Lunch"),), content="text", undo=undo)
    turns = (
        Goal("lunch ⟨U+001B⟩ “quoted”"),
        Proposal(Call("c", "calendar.create_event", {"title": "lunch", "invite": ["Sam"]})),
        Result("c", outcome),
        Reply("There."),
        Result("d", failed(Needs.OFFLINE, "No network.")),
    )
    session = history.begin(NOW)
    for turn in turns:
        history.add(session, turn)
    assert history.turns(session) == turns


def test_what_was_one_answer_is_known_again_and_of_older_sessions_is_not(history: History) -> None:
    session = history.begin(NOW)
    for answer in (0, 1, 1, 2):
        history.add(session, Proposal(Call(f"c{answer}", "settings.get", {}), answer=answer))
    turns = [turn for turn in history.turns(session) if isinstance(turn, Proposal)]
    assert [turn.answer for turn in turns] == [0, 1, 1, 2]
    old = '{"call":{"id":"c","tool":"settings.get","arguments":{}},"tainted":true}'
    assert TypeAdapter(Proposal).validate_json(old).answer == 0


def test_sessions_do_not_mix_and_the_latest_comes_first(history: History) -> None:
    first, second = history.begin(NOW), history.begin(NOW.replace(hour=11))
    history.add(first, Goal("one"))
    history.add(second, Goal("two"))
    history.add(second, Goal("three"))
    assert [past.title for past in history.sessions()] == ["two", "one"]
    assert history.latest() == second
    assert history.turns(first) == (Goal("one"),)


def test_a_session_in_which_nothing_was_asked_is_not_listed(history: History) -> None:
    history.begin(NOW)
    assert history.latest() is None


def test_a_call_that_was_cut_off_is_answered_on_resume(history: History) -> None:
    session = history.begin(NOW)
    history.add(session, Goal("x"))
    history.add(session, Proposal(Call("c", "files.read", {"file": "a"})))
    *_, last = history.turns(session)
    assert isinstance(last, Result)
    assert (last.call_id, last.outcome.needs) == ("c", Needs.TIMEOUT)


def test_it_survives_being_opened_again(tmp_path: Path) -> None:
    first = History(tmp_path / "sessions.db")
    session = first.begin(NOW)
    first.add(session, Goal("x"))
    first.close()
    assert History(tmp_path / "sessions.db").turns(session) == (Goal("x"),)


def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    path.write_bytes(b"not a database, but somebody's file" * 100)
    before = path.read_bytes()
    with pytest.raises(HistoryError, match=r"sessions\.db"):
        History(path)
    assert path.read_bytes() == before
