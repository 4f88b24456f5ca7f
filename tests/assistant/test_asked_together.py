"""Calls of one answer that stand alone are asked about together, and each still needs its own yes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from assistant.events import Ending
from assistant.model.base import Text, Wish
from connectors.base import Effect
from permissions.words import Decision, Grant, Reply, Request, Scope
from tests.assistant.bench import Bench
from tests.assistant.fakes import NOW, Person

TELL_BEN = Wish("messaging.send", {"to": "Ben", "text": "late"})
TELL_ANA = Wish("messaging.send", {"to": "Ana Ruiz", "text": "late"})
WHICH_ANA = Wish("messaging.send", {"to": "Ana", "text": "late"})
DELETE_KEYS = Wish("messaging.delete", {"message": "keys"})
READ_KEYS = Wish("messaging.read", {"message": "keys"})

KEYS, BEN, ANA = "Delete keys", "Send a message to Ben", "Send a message to Ana Ruiz"
GOAL = "delete keys, tell Ben late and Ana Ruiz late"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.close()


async def test_calls_that_stand_alone_come_in_one_question_and_all_run(bench: Bench) -> None:
    person = await bench.run(GOAL, Person(), [DELETE_KEYS, TELL_BEN, TELL_ANA])
    assert person.rounds == [[KEYS, BEN, ANA]]
    assert bench.world.trash == ["keys"]
    assert [to for to, _ in bench.world.sent] == ["ben@x.example", "ruiz@post.example"]
    assert {entry.state.value for entry in bench.journal.entries()} == {"done"}


async def test_each_call_has_its_own_answer(bench: Bench) -> None:
    person = await bench.run(GOAL, Person(Reply.YES, Reply.NO, Reply.YES), [DELETE_KEYS, TELL_BEN, TELL_ANA])
    assert bench.world.trash == ["keys"]
    assert [to for to, _ in bench.world.sent] == ["ruiz@post.example"]
    assert f"{BEN} (you said no)" in person.ended.summary


async def test_reading_is_asked_alone_and_first(bench: Bench) -> None:
    person = await bench.run(GOAL, Person(), [READ_KEYS, DELETE_KEYS, TELL_BEN])
    assert person.rounds == [["Read keys"], [KEYS, BEN]]


async def test_a_call_that_needs_a_question_is_not_asked_along(bench: Bench) -> None:
    person = await bench.run(GOAL, Person(picks=[0]), [DELETE_KEYS, WHICH_ANA, TELL_BEN])
    assert person.rounds[0] == [KEYS]
    assert len(person.questions) == 1


async def test_a_call_on_the_same_thing_is_not_asked_along(bench: Bench) -> None:
    person = await bench.run(GOAL, Person(), [DELETE_KEYS, DELETE_KEYS])
    assert person.rounds == [[KEYS]]


async def test_a_call_that_needs_a_typed_word_is_asked_alone(bench: Bench) -> None:
    stranger = Wish("messaging.send", {"to": "ana@acme.con", "text": "late"})
    person = await bench.run("delete keys, tell ana@acme.com late", Person(), [DELETE_KEYS, stranger])
    assert [len(asked) for asked in person.rounds] == [1, 1]
    assert person.asked[1].ruling.word
    assert len(bench.world.sent) == 1


async def test_a_failure_voids_what_was_said_yes_to_after_it(bench: Bench) -> None:
    bench.world.room = 0
    person = await bench.run(GOAL, Person(), [TELL_BEN, TELL_ANA])
    assert person.rounds[0] == [BEN, ANA]
    assert [ANA] in person.rounds[1:], "it is asked about anew"
    refused = [entry.answer for entry in bench.journal.entries() if "asked about anew" in entry.answer]
    assert len(refused) == 1


async def test_a_mended_call_leaves_the_other_answers_in_force(bench: Bench) -> None:
    bench.world.online = False
    person = await bench.run(GOAL, Person(), [TELL_BEN, TELL_ANA])
    assert person.rounds == [[BEN, ANA], ["Turn Wi-Fi on"], [BEN]]
    assert len(bench.world.sent) == 2


async def test_no_permission_comes_from_a_question_about_several(bench: Bench) -> None:
    wide = Grant("messaging.send", (), Scope.SESSION, NOW, effects=frozenset({Effect.SEND}))
    taken = [Decision(Reply.YES, grant=wide)] * 2
    await bench.run(GOAL, Person(*taken), [TELL_BEN, TELL_ANA])
    assert len(bench.world.sent) == 2, "both ran by their own yes"
    assert wide not in list(bench.gate.grants)


async def test_answers_that_are_missing_are_noes(bench: Bench) -> None:
    class Terse(Person):
        async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
            return [Decision(Reply.YES)]

    person = await bench.run(GOAL, Terse(), [DELETE_KEYS, TELL_BEN])
    assert (bench.world.trash, bench.world.sent) == (["keys"], [])
    assert "there was no answer" in person.ended.summary


async def test_stop_runs_none_of_them(bench: Bench) -> None:
    person = await bench.run(GOAL, Person(Reply.STOP, Reply.STOP), [DELETE_KEYS, TELL_BEN])
    assert (bench.world.trash, bench.world.sent) == ([], [])
    assert person.ended.ending is Ending.STOPPED
    assert {entry.state.value for entry in bench.journal.entries()} == {"denied"}


async def test_an_edit_of_one_is_shown_anew_alone(bench: Bench) -> None:
    edit = Decision(Reply.EDIT, edited={"text": "on time"})
    person = await bench.run(GOAL, Person(Reply.YES, edit), [DELETE_KEYS, TELL_BEN], [Text("ok")])
    assert person.rounds == [[KEYS, BEN], [BEN]]
    assert bench.world.sent == [("ben@x.example", "on time")]
