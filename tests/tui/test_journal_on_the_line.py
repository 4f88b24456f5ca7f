"""On the line: the journal is checked and exported, what was cut off gone through, what waits waited for."""

import argparse
import asyncio
import json
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from assistant.frontend import Answer
from connectors.base import Call, Needs, Outcome, Question, failed
from permissions.chain import chained
from permissions.entry import State
from permissions.holding import Released
from permissions.journal import Journal
from permissions.outbox import Held
from permissions.words import Request, Ruling, Verdict
from tests.permissions.fakes import GOAL, prepared_for
from tests.tui.fake_house import NOW, FakeHouse, entry
from tui.activity_cli import export, recover, verify
from tui.settings import Settings
from tui.waiting import WaitingOut


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "journal.db", lambda: NOW)
    for id in ("a", "b"):
        made.planned(Request(id, prepared_for(), Ruling(Verdict.ASK, "r", "why"), {}), GOAL, "hash")
        made.denied(id, "no")
    yield made
    made.close()


class TestChecking:
    def test_a_whole_journal_is_said_to_be_whole_and_where_it_stands(
        self, journal: Journal, capsys: pytest.CaptureFixture[str]
    ) -> None:
        head = journal.anchor().head
        assert verify(journal, "", as_json=False) == 0
        assert capsys.readouterr().out == f"The journal is whole. It stands at 4:{head}\n"
        assert verify(journal, f"4:{head}", as_json=True) == 0
        assert json.loads(capsys.readouterr().out) == {"whole": True, "faults": [], "head": f"4:{head}"}

    def test_what_was_altered_or_cut_is_told(
        self, journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        kept = journal.anchor()
        with sqlite3.connect(tmp_path / "journal.db") as other:
            other.execute("DELETE FROM log WHERE n > 2")
            other.execute("DELETE FROM call WHERE id = 'b'")
        other.close()
        assert verify(journal, "", as_json=False) == 0
        capsys.readouterr()
        assert verify(journal, f"{kept.count}:{kept.head}", as_json=False) == 1
        assert capsys.readouterr().out.splitlines() == [
            "The journal is not as it was written:",
            "✗ the log ends before, or differs from, what was known of it",
        ]

    def test_an_anchor_that_is_none_is_a_sentence(
        self, journal: Journal, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert verify(journal, "4-abc", as_json=False) == 1
        assert "COUNT:HASH" in capsys.readouterr().err


class TestExporting:
    def test_every_row_is_written_and_can_be_checked_by_anyone(
        self, journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "out.jsonl"
        assert export(journal, path) == 0
        *rows, last = [json.loads(line) for line in path.read_text().splitlines()]
        head = "0" * 64
        for row in rows:
            assert row["hash"] == chained(head, row["body"])
            head = row["hash"]
        assert (last["count"], last["head"]) == (4, head)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert capsys.readouterr().out == f"4 rows written to {path}\n"

    def test_nothing_is_written_over_and_what_cannot_be_is_a_sentence(
        self, journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "out.jsonl"
        path.write_text("mine")
        assert export(journal, path) == 1
        assert path.read_text() == "mine"
        assert export(journal, tmp_path / "nowhere" / "out.jsonl") == 1
        assert capsys.readouterr().err.count("askfirst: ") == 2


HELD = entry("h" * 32, "Send a message to Ana", "messaging.send", state=State.HELD, ended=None)
UNKNOWN = entry("u" * 32, "Change the event", "calendar.change_event", state=State.UNKNOWN)


class Choosing:
    """Answers each question with the option of this number."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)
        self.questions: list[Question] = []

    async def choose(self, question: Question) -> Answer:
        self.questions.append(question)
        return Answer(question.options[self.numbers.pop(0)].arguments)


class LineHouse(FakeHouse):
    """A house on the line: nothing is held for long."""

    async def settled(self) -> None:
        return None


OPTIONS = argparse.Namespace(json=False)


class TestRecovering:
    def test_with_nobody_there_it_is_only_listed(self, capsys: pytest.CaptureFixture[str]) -> None:
        house = LineHouse(cut_off=[HELD, UNKNOWN])
        assert recover(OPTIONS, house, None) == 0
        assert capsys.readouterr().out.splitlines() == [
            "hhhhhhhh  2026-11-30 10:00  Askfirst ended while this was held, so it was not sent: "
            "Send a message to Ana",
            "uuuuuuuu  2026-11-30 10:00  It is not known whether this was done: Change the event",
        ]
        assert recover(argparse.Namespace(json=True), house, None) == 0
        assert [row["state"] for row in json.loads(capsys.readouterr().out)] == ["held", "unknown"]

    def test_each_is_put_to_the_person(self, capsys: pytest.CaptureFixture[str]) -> None:
        house, front = LineHouse(cut_off=[HELD, UNKNOWN], seen="It was done."), Choosing(0, 0)
        assert recover(OPTIONS, house, front) == 0
        assert house.asked_again == [HELD.id]
        assert [option.label for option in front.questions[1].options] == [
            "look again whether it was done",
            "let it go",
            "decide another time",
        ]
        assert "  It was done." in capsys.readouterr().out
        assert house.closed == 1

    def test_it_can_be_let_go_or_left_for_another_time(self) -> None:
        house = LineHouse(cut_off=[HELD, UNKNOWN])
        recover(OPTIONS, house, Choosing(1, 2))
        assert house.cut_off == [UNKNOWN]


class HoldingHouse(FakeHouse):
    """A house in which what waits ends when it is told so."""

    def __init__(self, *waiting: Held) -> None:
        super().__init__(waiting=list(waiting))
        self.over = asyncio.Event()

    async def settled(self) -> None:
        await self.over.wait()


HELLO = Held("h", "Send a message to Ana", NOW, 0.0)
CALL = Call("c", "messaging.send", {})


class TestWaitingOut:
    async def test_it_waits_until_nothing_is_held_and_tells_how_it_ended(self) -> None:
        house, said = HoldingHouse(HELLO), list[str]()
        waiting = WaitingOut(house, said.append)
        task = asyncio.create_task(waiting.wait())
        await asyncio.sleep(0)
        assert not task.done()
        house.waiting = []
        house.say_held(Released(HELLO, CALL, Outcome(ok=True, text="Sent to Ana.")))
        house.over.set()
        await task
        assert said == ["  ✓ Sent to Ana."]
        assert waiting.well
        assert waiting.rows() == [{"title": "Send a message to Ana", "sent": True, "text": "Sent to Ana."}]

    async def test_stopping_takes_back_what_has_not_gone_out(self) -> None:
        house, said = HoldingHouse(HELLO), list[str]()
        waiting = WaitingOut(house, said.append)
        task = asyncio.create_task(waiting.wait())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert house.waiting == []
        assert said == ["  – taken back, not sent: Send a message to Ana"]
        assert not waiting.well
        assert waiting.rows()[0]["sent"] is False

    async def test_a_send_that_fails_in_the_end_is_told_and_is_no_success(self) -> None:
        house, said = HoldingHouse(HELLO), list[str]()
        waiting = WaitingOut(house, said.append)
        house.say_held(Released(HELLO, CALL, failed(Needs.OFFLINE, "Wi-Fi is off.")))
        assert said == ["  ✗ Send a message to Ana: Wi-Fi is off."]
        assert not waiting.well


@pytest.mark.parametrize("seconds", [0, 10, 30, 600])
def test_a_wait_may_be_none_or_long_enough(seconds: int) -> None:
    assert Settings(hold_seconds=seconds).hold_seconds == seconds


@pytest.mark.parametrize("seconds", [-1, 1, 9, 601])
def test_a_wait_too_short_to_undo_or_too_long_is_refused(seconds: int) -> None:
    with pytest.raises(ValidationError, match="0, or from 10 to 600"):
        Settings(hold_seconds=seconds)
