"""A session with a model that has a chat template: services are chosen, plans are sealed, its words stand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.events import Ending, ModelProgressed, PlanChanged
from assistant.model.dialects.chat import QWEN_PLAIN, ChatDialect
from assistant.model.dialects.thread import WAITING
from assistant.model.local import LocalModel
from assistant.model.talking import CHOOSING
from assistant.session import Session
from permissions.provenance import Provenance
from permissions.words import Asker, Reply
from tests.assistant.bench import Bench
from tests.assistant.fakes import NOW, ZONE, Person
from tests.assistant.model.puppet import SPEC, Puppet

READ = '<tool_call>\n{"name": "messaging.read", "arguments": {"message": "keys"}}\n</tool_call>'
TELL = '<tool_call>\n{"name": "messaging.send", "arguments": {"to": "Ben", "text": "late"}}\n</tool_call>'
TELL_LATER = TELL.replace('"late"', '"?"')
CHOOSE = '<tool_call>\n{"name": "choose_service", "arguments": {"service": "messaging"}}\n</tool_call>'


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.close()


def session(bench: Bench, puppet: Puppet) -> Session:
    model = LocalModel(SPEC, puppet, ChatDialect(lambda: NOW, QWEN_PLAIN, thinking=False))
    return Session(model, bench.gate, bench.history, Provenance(), lambda: NOW, ZONE)


async def test_within_a_goal_each_request_goes_on_from_the_models_own_words(bench: Bench) -> None:
    puppet, person = Puppet(f"{READ}\n{TELL_LATER}", TELL, ""), Person()
    await session(bench, puppet).run("read keys and tell Ben late", person)
    assert [chat.follows for chat in puppet.chats] == [False, True, True]
    *_, waiting = puppet.chats[1].messages
    assert waiting == {"role": "tool", "content": WAITING}
    assert bench.world.sent == [("ben@x.example", "late")]
    assert [request.asker for request in person.asked] == [Asker.PLAN, Asker.PLAN]


async def test_what_was_denied_is_a_result_like_any_other(bench: Bench) -> None:
    puppet = Puppet(READ, "")
    await session(bench, puppet).run("read keys", Person(Reply.NO))
    assert puppet.chats[1].follows
    assert puppet.chats[1].messages[-1]["role"] == "tool"


async def test_an_answer_that_cannot_be_read_is_not_gone_on_from(bench: Bench) -> None:
    puppet = Puppet("<tool_call>{broken</tool_call>", READ, "")
    await session(bench, puppet).run("read keys", Person())
    assert [chat.follows for chat in puppet.chats] == [False, False, True]
    assert "not whole JSON" in str(puppet.chats[1].messages[-1]["content"])


async def test_told_anew_the_calls_of_one_answer_stand_together(bench: Bench) -> None:
    puppet = Puppet(f"{READ}\n{TELL}", "<tool_call>{broken</tool_call>", "")
    await session(bench, puppet).run("read keys and tell Ben late", Person())
    _, _, answer, *results = puppet.chats[2].messages
    assert not puppet.chats[2].follows
    assert str(answer["tool_calls"]).count("messaging.") == 2
    assert [message["role"] for message in results] == ["tool", "tool", "tool"]


async def test_before_the_next_goal_what_is_over_is_read_ahead(bench: Bench) -> None:
    puppet = Puppet(READ, "", "")
    talk = session(bench, puppet)
    await talk.run("read keys", Person())
    await talk.run("and the newsletter", Person())
    assert puppet.chats[2].messages[:-1] == puppet.ahead[0].messages
    assert not puppet.chats[2].follows


async def test_of_too_many_tools_a_service_is_chosen_and_the_plan_is_of_its_calls(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.model.dialects.choosing.MOST_TOOLS", 3)
    puppet, person = Puppet(CHOOSE, TELL, ""), Person()
    await session(bench, puppet).run("tell Ben late", person)
    assert ModelProgressed(CHOOSING, None) in person.events
    (request,) = person.asked
    assert (request.asker, request.call.tool, request.tainted) == (Asker.PLAN, "messaging.send", False)
    plans = [event.steps for event in person.events if isinstance(event, PlanChanged)]
    assert all([step.words for step in steps] == ["send: Ben, late"] for steps in plans)
    assert bench.world.sent == [("ben@x.example", "late")]


async def test_when_it_only_chooses_nothing_is_done_and_that_is_said(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.model.dialects.choosing.MOST_TOOLS", 3)
    puppet, person = Puppet(*[CHOOSE] * 30), Person()
    await session(bench, puppet).run("tell Ben late", person)
    assert person.ended.ending is Ending.FAILED
    assert person.ended.summary == "Ended because the model's answers cannot be read."
    assert len(puppet.asked) == 4, "one choice, and an answer and two repairs that choose the same again"
