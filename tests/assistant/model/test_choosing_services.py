"""With too many tools the model first says which service it needs, and then sees a few of its tools."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.model.base import Garbled, Wish
from assistant.model.dialects.choosing import CHOOSE, MOST_SHOWN, Choice, chooser, fitting, service, too_many
from assistant.model.dialects.reading import CallReader
from assistant.model.dialects.schema import tool_schemas
from connectors.base import Effect, Tool, ToolArguments
from tests.assistant.model.tools import OFFERED, TOOLS


class Nothing(ToolArguments):
    pass


def many(services: int, each: int) -> list[Tool]:
    """Tools as other programs may bring them."""
    return [
        Tool(f"service{number}.verb_{verb}", f"do thing {verb} of {number}", Nothing, Effect.WRITE)
        for number in range(services)
        for verb in range(each)
    ]


MANY = [*TOOLS, *many(6, 12)]


def picked(*names: str) -> list[Wish]:
    return [Wish(CHOOSE, {"service": name}) for name in names]


def test_the_four_services_are_told_of_at_once() -> None:
    assert not too_many(TOOLS, 2900, 8192)


@pytest.mark.parametrize(("tools", "context"), [(MANY, 8192), (TOOLS, 4096)])
def test_more_tools_or_a_smaller_context_are_too_much(tools: list[Tool], context: int) -> None:
    assert too_many(tools, 2900, context)


def test_of_one_service_there_is_nothing_to_choose() -> None:
    assert not too_many(many(1, 100), 2900, 512)


def test_the_services_are_listed_with_what_they_do_and_only_they_can_be_chosen() -> None:
    tool = chooser(MANY)
    assert "settings: get, set" in tool.summary
    assert "service0: verb 0, verb 1, verb 10" in tool.summary
    (schema, _) = tool_schemas([tool])
    names = json.loads(json.dumps(schema))["function"]["parameters"]["properties"]["service"]["enum"]
    assert names == sorted({service(tool) for tool in MANY})
    answer = '<tool_call>{"name": "choose_service", "arguments": {"service": "%s"}}</tool_call>'
    (wish,) = CallReader([tool], thinking=False).feed(answer % "calendar")
    assert wish == picked("calendar")[0]
    (garbled,) = CallReader([tool], thinking=False).feed(answer % "weather")
    assert isinstance(garbled, Garbled)


def test_first_only_services_are_offered_then_their_tools_and_the_way_back_once() -> None:
    choice = Choice(MANY, "turn on wifi")
    (only,) = choice.offered(again=True)
    assert only.name == CHOOSE
    choice.pick(picked("settings"))
    *tools, back = choice.offered(again=True)
    assert [tool.name for tool in tools] == ["settings.get", "settings.set"]
    assert "settings" not in str(tool_schemas([back]))
    assert [tool.name for tool in choice.offered(again=False)] == ["settings.get", "settings.set"]
    choice.pick(picked("files"))
    assert {service(tool) for tool in choice.offered(again=False)} == {"files"}


def test_a_goal_may_need_two_services_but_no_more_are_told_of() -> None:
    choice = Choice(MANY, "move the dentist and tell Ana")
    choice.pick(picked("calendar", "messaging", "calendar", "files"))
    assert choice.picked == ("calendar", "messaging")
    assert len(choice.offered(again=False)) <= 2 * MOST_SHOWN


def test_of_a_large_service_the_tools_that_share_words_with_the_goal_are_told_of() -> None:
    names = {
        tool.name for tool in fitting(OFFERED, "messaging", "draft a mail to Ana and add her as a contact")
    }
    assert len(names) == MOST_SHOWN
    assert {"messaging.draft", "messaging.add_contact"} <= names
    wanted = {tool.name for tool in fitting(many(1, 30), "service0", "please do thing 27")}
    assert "service0.verb_27" not in wanted, "numbers of two digits are no words"


@given(st.permutations(MANY), st.text(max_size=60), st.sampled_from(sorted({service(t) for t in MANY})))
def test_what_is_offered_does_not_depend_on_the_order_of_the_services(
    tools: list[Tool], goal: str, name: str
) -> None:
    choice, usual = Choice(tools, goal), Choice(MANY, goal)
    assert tool_schemas(choice.offered(again=True)) == tool_schemas(usual.offered(again=True))
    for each in (choice, usual):
        each.pick(picked(name))
    assert tool_schemas(choice.offered(again=True)) == tool_schemas(usual.offered(again=True))
    assert len(choice.offered(again=False)) <= MOST_SHOWN
