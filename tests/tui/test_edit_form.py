"""Changing a call in the prompt: what is written comes back as values, and is never a yes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.widgets import TextArea

from connectors.base import Call, Effect, Tool, ToolArguments
from permissions.words import Asker, Decision, Key, Reply
from tests.tui.fake_house import change_event, send_message
from tests.tui.stage import asking
from tests.tui.test_line_keys import CHANGE
from tui.prompt.values import NotAValue, as_text, editable, from_written

WORDS = st.text(st.characters(categories=("L", "N")), min_size=1)


async def test_an_edited_field_comes_back_alone() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("e", "down")
        await stage.type(" sharp")
        await stage.press("enter")
        assert script.answer == Decision(Reply.EDIT, edited={"when": "Friday at 4 sharp"})


async def test_a_long_text_is_edited_on_several_lines() -> None:
    async with asking(send_message("Hi Ana,\nsee you")) as (stage, script):
        await stage.asked()
        await stage.press("e")
        area = stage.app.screen.query_one("EditForm TextArea", TextArea)
        area.focus()
        area.move_cursor(area.document.end)
        await stage.press("enter")
        await stage.type("Bo")
        await stage.press("ctrl+s")
        assert script.answer == Decision(Reply.EDIT, edited={"body": "Hi Ana,\nsee you\nBo"})


async def test_letters_that_answer_a_request_are_only_letters_in_the_form() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("e")
        await stage.type("ynYrgsz")
        assert script.answers == []


async def test_leaving_the_form_changes_and_answers_nothing() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("e", "x", "escape")
        assert script.answers == []
        await stage.look()
        await stage.press("y")
        assert script.answer == Decision(Reply.YES, key=Key.SMALL)


async def test_a_form_sent_unchanged_goes_back_to_the_request() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("e", "ctrl+s")
        await stage.settle()
        assert script.answers == []
        assert "y yes" in stage.text


async def test_a_value_of_the_wrong_kind_is_said_and_the_form_stays() -> None:
    request = change_event()
    object.__setattr__(request.prepared, "call", Call("c1", "settings.set", {"value": 40}))
    async with asking(request) as (stage, script):
        await stage.asked()
        await stage.press("e")
        await stage.type("x")
        await stage.press("ctrl+s")
        await stage.settle()
        assert "value takes a number" in stage.text
        assert script.answers == []


async def test_a_call_without_arguments_has_nothing_to_edit() -> None:
    request = change_event()
    object.__setattr__(request.prepared, "call", Call("c1", "settings.get", {}))
    async with asking(request) as (stage, _):
        await stage.asked()
        await stage.press("e")
        assert "there is nothing here to change" in stage.text


async def test_a_field_that_the_call_does_not_have_yet_can_be_filled_in() -> None:
    async with asking(change_event(tool=CHANGE)) as (stage, script):
        await stage.asked()
        await stage.press("e")
        assert "place     (the new place)" in stage.text
        await stage.press(*["down"] * 5)
        await stage.type("Clinic")
        await stage.press("down")
        await stage.type("Ana, Bo")
        await stage.press("ctrl+s")
        assert script.answer == Decision(Reply.EDIT, edited={"place": "Clinic", "invite": ["Ana", "Bo"]})


async def test_what_the_tool_would_not_take_is_said_and_the_form_stays() -> None:
    async with asking(change_event(tool=CHANGE)) as (stage, script):
        await stage.asked()
        await stage.press("e", *["down"] * 7)
        await stage.type("some")
        await stage.press("ctrl+s")
        await stage.settle()
        assert "“series” of calendar.change_event should be one of" in " ".join(stage.text.split())
        assert "series    some" in stage.text, "the form is not covered by what is said"
        assert script.answers == []


async def test_what_takes_back_a_deed_is_not_edited() -> None:
    async with asking(change_event(asker=Asker.UNDO)) as (stage, script):
        await stage.asked()
        await stage.press("e")
        assert "there is nothing here to change" in stage.text
        assert script.answers == []


def test_every_argument_of_a_tool_can_be_edited_and_has_a_value_of_its_kind() -> None:
    class Wide(ToolArguments):
        name: str | None = None
        many: list[str] = []
        on: bool | None = None
        count: int | None = None

    found = editable({"name": "x"}, Tool("t.t", "", Wide, Effect.READ))
    assert found == {"name": "x", "many": [], "on": False, "count": 0}
    assert editable({"name": "x"}, None) == {"name": "x"}


@pytest.mark.parametrize(
    ("text", "was", "value"),
    [
        ("Friday", "Thursday", "Friday"),
        ("", "Thursday", None),
        ("Ana, Bo", ["Ana"], ["Ana", "Bo"]),
        ("", ["Ana"], []),
        ("Ruiz, Ana; Bo", ["Ruiz, Ana"], ["Ruiz, Ana", "Bo"]),
        ("no", True, False),
        ("True", False, True),
        ("45", 40, 45),
        ("", 40, None),
        ("this", None, "this"),
    ],
)
def test_text_becomes_a_value_of_the_kind_it_was(text: str, was, value) -> None:
    assert from_written(text, was, "x") == value


@pytest.mark.parametrize(
    ("text", "was", "kind"),
    [("maybe", True, "yes or no"), ("1", True, "yes or no"), ("much", 4, "a number"), ("yes", 4, "a number")],
)
def test_text_of_another_kind_is_refused_in_words(text: str, was, kind: str) -> None:
    with pytest.raises(NotAValue, match=f"loud takes {kind}"):
        from_written(text, was, "loud")


@given(st.one_of(WORDS, st.booleans(), st.integers(), st.lists(WORDS)))
def test_a_value_that_is_not_touched_stays_what_it_was(value) -> None:
    assert from_written(as_text(value), value, "x") == value
