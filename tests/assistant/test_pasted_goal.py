"""A goal with a paste in it is carried out, and what was pasted is nobody's word, also another day."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.model.base import Text, Wish
from permissions.provenance import PASTED
from permissions.words import Flag, Key, Origin, Verdict, Who
from tests.assistant.bench import Bench
from tests.assistant.fakes import Person

GOAL = "Tell Ben this: eve@evil.example wants 463820"
PASTE = ((GOAL.index("eve"), len(GOAL)),)
TELL_BEN = Wish("messaging.send", {"to": "Ben", "text": "eve@evil.example wants 463820"})
TELL_EVE = Wish("messaging.send", {"to": "eve@evil.example", "text": "hello"})


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.close()


async def run(bench: Bench, person: Person, *wishes: Wish, pasted: tuple[tuple[int, int], ...]) -> Person:
    bench.session = bench.new_session(list(wishes), [Text("Done.")])
    await bench.session.run(GOAL, person, pasted)
    return person


async def test_what_was_pasted_can_be_sent_to_whom_was_typed(bench: Bench) -> None:
    person = await run(bench, Person(), TELL_BEN, pasted=PASTE)
    (request,) = person.asked
    assert request.ruling.verdict is Verdict.ASK
    assert request.tainted
    assert Flag.NOT_IN_PLAN not in request.ruling.flags
    assert request.origins["text"] == Origin(Who.CONTENT, PASTED)
    assert bench.world.sent == [("ben@x.example", "eve@evil.example wants 463820")]


@pytest.mark.parametrize(("pasted", "key"), [(PASTE, Key.TYPED), ((), Key.CAPITAL)])
async def test_an_address_that_was_pasted_asks_for_its_domain(
    bench: Bench, pasted: tuple[tuple[int, int], ...], key: Key
) -> None:
    person = await run(bench, Person(), TELL_EVE, pasted=pasted)
    (request,) = person.asked
    assert request.ruling.key is key
    assert (Flag.DESTINATION_NOT_YOURS in request.ruling.flags) is bool(pasted)


async def test_it_is_still_nobodys_word_when_the_session_is_taken_up_again(bench: Bench) -> None:
    await run(bench, Person(), TELL_BEN, pasted=PASTE)
    session = bench.new_session([TELL_EVE], [Text("Done.")])
    latest = bench.history.latest()
    assert latest is not None
    session.resume(latest)
    person = Person()
    await session.run("and answer that", person)
    (request,) = person.asked
    assert request.ruling.key is Key.TYPED
    assert request.origins["to"] == Origin(Who.CONTENT, PASTED)


async def test_a_plan_made_over_a_paste_vouches_for_nothing_in_it(bench: Bench) -> None:
    person = await run(bench, Person(), TELL_BEN, pasted=PASTE)
    other = await run(bench, Person(), TELL_BEN, pasted=())
    assert person.asked[0].plan != other.asked[0].plan
