"""When a goal is over, the model is told what it can read before the next one."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from assistant.events import ModelNoted, TurnEnded
from assistant.headless import Headless
from assistant.model.base import Goal, ModelLost, Proposal, Remark, Result, Text, Turn, Wish
from assistant.model.scripted import ScriptedModel
from assistant.session import Session
from connectors.base import Tool
from permissions.provenance import Provenance
from tests.assistant.bench import Bench
from tests.assistant.fakes import NOW, ZONE, Person

READ_KEYS = Wish("messaging.read", {"message": "keys"})


class Ahead(ScriptedModel):
    """A scripted model that keeps what it was given to read ahead."""

    fault: Exception | None = None

    def __init__(self, *answers: Sequence[Text | Wish | Remark]) -> None:
        super().__init__(answers)
        self.ahead: list[tuple[Turn, ...]] = []

    async def read_ahead(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> None:
        self.ahead.append(tuple(transcript))
        if self.fault:
            raise self.fault


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.close()


def talking(bench: Bench, model: Ahead) -> Session:
    return Session(model, bench.gate, bench.history, Provenance(), lambda: NOW, ZONE)


async def test_it_is_told_what_the_next_request_will_begin_with(bench: Bench) -> None:
    model = Ahead([READ_KEYS], [Text("Done.")], [Text("Nothing to do.")])
    session = talking(bench, model)
    await session.run("read keys", Person())
    await session.run("and now?", Person())
    (ahead, _) = model.ahead
    assert model.heard[-1][:-1] == ahead, "only the goal is new"
    assert model.heard[-1][-1] == Goal("and now?")
    kinds = [type(turn) for turn in ahead]
    assert kinds[:3] == [Goal, Proposal, Result]
    result = ahead[2]
    assert isinstance(result, Result)
    assert result.outcome.content is None, "nothing that was read is told again"


async def test_what_was_said_in_an_earlier_session_is_read_before_the_first_goal(bench: Bench) -> None:
    await talking(bench, Ahead([READ_KEYS], [Text("Done.")])).run("read keys", Person())
    model = Ahead([Text("Nothing to do.")])
    session = talking(bench, model)
    await session.read_ahead()
    session.resume(bench.history.latest() or "")
    await session.read_ahead()
    await session.run("and now?", Person())
    tools_alone, all_of_it, _ = model.ahead
    assert tools_alone == ()
    assert Goal("read keys") in all_of_it
    assert model.heard[0][:-1] == all_of_it


async def test_that_it_could_not_read_ahead_changes_nothing(bench: Bench) -> None:
    model, person = Ahead([READ_KEYS]), Person()
    model.fault = ModelLost("gone")
    await talking(bench, model).run("read keys", person)
    assert isinstance(person.events[-1], TurnEnded)


async def test_where_nobody_is_there_a_remark_is_written(bench: Bench) -> None:
    lines: list[str] = []
    await bench.run("read keys", Headless(lines.append), [Remark("It was cut short."), Text("Hm.")])
    assert lines == ["It was cut short."]


async def test_a_remark_is_shown(bench: Bench) -> None:
    person = await bench.run("read keys", Person(), [Remark("It was cut short."), Text("Hm.")])
    assert ModelNoted("It was cut short.") in person.events
