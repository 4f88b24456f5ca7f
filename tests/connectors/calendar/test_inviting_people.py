"""People who are invited are looked up, and where it is not clear who is meant, that is asked."""

from pathlib import Path
from typing import Any

import pytest

from connectors.base import Effect, Question, Role
from connectors.people.accounts import Account, opened
from connectors.secrets.chain import Secrets


@pytest.fixture
def friends(world: Any) -> Any:
    world.book.add("Ana Ruiz", ["ana@post.example"])
    world.book.add("Ben Li", ["ben@work.example", "ben@home.example"])
    world.book.add("Ana Berg", ["berg@post.example"])
    return world


async def test_people_are_looked_up_and_nobody_is_told(friends: Any) -> None:
    prepared = await friends.ready(
        "create_event", title="Tea", when="friday at 15:00", invite=["ana ruiz", "zoe@else.example"]
    )
    invited = [each for each in prepared.preview.fields if each.label == "Invited"]
    assert [each.value for each in invited] == ["Ana Ruiz <ana@post.example>", "zoe@else.example"]
    assert {each.note for each in invited} == {"kept with the event; nobody is notified"}
    assert prepared.effects == {Effect.WRITE}
    destinations = [thing.value for thing in prepared.resolved if thing.role is Role.DESTINATION]
    assert destinations == ["ana@post.example", "zoe@else.example"]

    await friends.connector.perform(prepared)
    (path,) = friends.folder.rglob("*.ics")
    text = path.read_text().replace("\n ", "")
    assert 'ATTENDEE;CN="Ana Ruiz"' in text or "ATTENDEE;CN=Ana Ruiz" in text
    assert text.count("SCHEDULE-AGENT=CLIENT") == 2


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ana", ["Ana Berg <berg@post.example>", "Ana Ruiz <ana@post.example>"]),
        ("ben", ["Ben Li <ben@work.example>", "Ben Li <ben@home.example>"]),
    ],
)
async def test_two_people_or_two_addresses_are_asked_about(
    friends: Any, name: str, options: list[str]
) -> None:
    arguments = {"title": "Tea", "when": "friday at 15:00"}
    question = await friends.asked("create_event", **arguments, invite=["zoe@else.example", name])
    assert [option.label for option in question.options] == options
    answer = friends.picked(question, options[1])
    prepared = await friends.ready("create_event", **arguments, **answer)
    invited = [each.value for each in prepared.preview.fields if each.label == "Invited"]
    assert invited == ["zoe@else.example", options[1]]


async def test_a_stranger_is_asked_about_and_the_typed_answer_counts(friends: Any) -> None:
    arguments = {"title": "Tea", "when": "friday at 15:00"}
    question = await friends.asked("create_event", **arguments, invite=["Zoe"])
    assert question.argument == "invite"
    prepared = await friends.ready("create_event", **arguments, invite="zoe@else.example")
    assert friends.field(prepared, "Invited").value == "zoe@else.example"


async def test_one_address_is_invited_once(friends: Any) -> None:
    prepared = await friends.ready(
        "create_event", title="Tea", when="friday at 15:00", invite=["ana ruiz", "ANA@post.example"]
    )
    assert len([each for each in prepared.preview.fields if each.label == "Invited"]) == 1


async def test_an_answer_leads_back_to_the_same_question_until_it_is_clear(world: Any) -> None:
    question = await world.asked("create_event", title="X", when="next friday")
    for option in question.options:
        prepared = await world.prepare("create_event", title="X", **option.arguments)
        assert not isinstance(prepared, Question)


async def test_that_somebody_may_be_missing_from_the_contacts_is_said(world: Any, tmp_path: Path) -> None:
    away = Account(url="http://127.0.0.1:9/", user="ana", password={"environment": "PASSWORD"})
    accounts = opened({"away": away}, tmp_path / "contacts state", Secrets(tmp_path, {"PASSWORD": "x"}).find)
    world.book.use(accounts)
    question = await world.asked("create_event", title="Lunch", when="friday at 12:00", invite=["Zoe"])
    assert question.text == (
        "Nobody called “Zoe” with an address is in the address book. away cannot be reached."
        " Nothing of it is known yet. Whom do you mean?"
    )
    accounts["away"].close()
