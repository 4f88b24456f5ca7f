"""Where the model is not sure what a goal means, the person says which reading is meant, or none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.doubt import DID_YOU_MEAN
from assistant.events import Ending
from assistant.frontend import Answer
from assistant.model.base import NoToolFits, Otherwise, Wish
from connectors.base import Question
from tests.assistant.bench import Bench
from tests.assistant.fakes import Person

TELL_BEN = Wish("messaging.send", {"to": "Ben", "text": "late"})
READ_KEYS = Wish("messaging.read", {"message": "keys"})


class Picking(Person):
    """Picks the option with this number, or gives no answer."""

    def __init__(self, number: int | None) -> None:
        super().__init__()
        self.number = number
        self.chosen: list[Question] = []

    async def choose(self, question: Question) -> Answer:
        self.chosen.append(question)
        return Answer(None if self.number is None else question.options[self.number].arguments)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.close()


async def test_a_doubtful_answer_is_asked_about_before_anything_is_planned(bench: Bench) -> None:
    person = Picking(0)
    await bench.run("ben late", person, [TELL_BEN, Otherwise((READ_KEYS,))])
    assert [question.text for question in person.chosen] == [DID_YOU_MEAN]
    assert [option.label for option in person.chosen[0].options] == [
        "send: Ben, late",
        "read: keys",
        "Neither",
    ]
    assert bench.world.sent == [("ben@x.example", "late")]


async def test_the_second_reading_runs_alone_when_it_is_picked(bench: Bench) -> None:
    person = Picking(1)
    await bench.run("ben late", person, [TELL_BEN, Otherwise((READ_KEYS,))])
    assert bench.world.sent == []
    assert person.plan() == [("read: keys", "done")]


@pytest.mark.parametrize("number", [2, None])
async def test_neither_of_them_or_no_answer_runs_nothing(bench: Bench, number: int | None) -> None:
    person = Picking(number)
    await bench.run("ben late", person, [TELL_BEN, Otherwise((READ_KEYS,))])
    assert (bench.world.sent, person.asked) == ([], [])
    assert person.ended.ending is Ending.STOPPED


async def test_a_refusal_that_is_doubtful_becomes_the_call_only_if_picked(bench: Bench) -> None:
    person = Picking(0)
    await bench.run("ben late", person, [NoToolFits(), Otherwise((TELL_BEN,))])
    assert [option.label for option in person.chosen[0].options] == ["send: Ben, late", "No"]
    assert bench.world.sent == [("ben@x.example", "late")]
    refusing = Picking(None)
    await bench.run("ben late", refusing, [NoToolFits(), Otherwise((TELL_BEN,))])
    assert refusing.ended.ending is Ending.NOTHING_FITS
    assert len(bench.world.sent) == 1


async def test_readings_that_come_to_the_same_are_not_asked_about(bench: Bench) -> None:
    person = Picking(None)
    await bench.run("ben late", person, [TELL_BEN, Otherwise((TELL_BEN,))])
    assert person.chosen == []
    assert bench.world.sent == [("ben@x.example", "late")]


async def test_a_reading_that_cannot_be_made_is_not_offered(bench: Bench) -> None:
    person = Picking(0)
    await bench.run("ben late", person, [TELL_BEN, Otherwise((Wish("messaging.fly", {}),))])
    assert [option.label for option in person.chosen[0].options] == ["send: Ben, late", "No"]
