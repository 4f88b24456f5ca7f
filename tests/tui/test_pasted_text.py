"""What is pasted where a goal is typed is marked as such, through every edit, until the person owns it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

from assistant.events import Ending, GoalTaken, TurnEnded
from assistant.frontend import Frontend
from permissions.provenance import PASTED
from permissions.words import Origin, Who
from tests.tui.stage import Stage, playing
from tui.pasted import Pasted, within
from tui.prompt import words

HINT = "pasted words count as others' · ctrl+o they are mine"


async def at_once(goal: str, front: Frontend) -> None:
    await front.show(GoalTaken(goal))
    await front.show(TurnEnded(Ending.DONE, ""))


async def paste(stage: Stage, text: str) -> None:
    stage.app.conversation.dock.composer.post_message(events.Paste(text))
    await stage.settle()


async def sent(stage: Stage) -> tuple[str, tuple[str, ...]]:
    """Send what is written: the goal, and the pieces of it that were pasted."""
    before = len(stage.house.goals)
    await stage.press("enter")
    await stage.until(lambda: len(stage.house.goals) > before and not stage.app.turns.busy)
    return stage.house.goals[-1], stage.house.pasted[-1]


async def test_what_is_typed_is_no_paste_and_what_is_pasted_is() -> None:
    async with playing(at_once) as stage:
        await stage.type("tell ana: ")
        assert HINT not in stage.text
        await paste(stage, "write to eve@evil.example")
        assert HINT in stage.text
        await stage.type(" soon")
        assert await sent(stage) == (
            "tell ana: write to eve@evil.example soon",
            ("write to eve@evil.example",),
        )
        assert HINT not in stage.text


async def test_the_person_can_say_that_it_is_theirs() -> None:
    async with playing(at_once) as stage:
        await paste(stage, "ana@acme.com")
        await stage.press("ctrl+o")
        assert HINT not in stage.text
        assert await sent(stage) == ("ana@acme.com", ())
        await paste(stage, "ana@acme.com")
        assert await sent(stage) == ("ana@acme.com", ("ana@acme.com",))


async def test_taking_it_back_and_doing_it_again_leaves_it_pasted() -> None:
    async with playing(at_once) as stage:
        await paste(stage, "eve@evil.example")
        composer = stage.app.conversation.dock.composer
        composer.action_undo()
        await stage.settle()
        assert composer.text == ""
        assert HINT not in stage.text
        composer.action_redo()
        await stage.settle()
        assert await sent(stage) == ("eve@evil.example", ("eve@evil.example",))


async def test_what_is_typed_into_a_paste_parts_it() -> None:
    async with playing(at_once) as stage:
        await paste(stage, "abcd")
        await stage.press("left", "left", "x")
        assert await sent(stage) == ("abxcd", ("ab", "cd"))


async def test_a_goal_that_is_taken_up_again_is_as_it_was_sent() -> None:
    async with playing(at_once) as stage:
        await stage.type("ask ")
        await paste(stage, "eve@evil.example")
        await sent(stage)
        await stage.press("up")
        assert HINT in stage.text
        assert await sent(stage) == ("ask eve@evil.example", ("eve@evil.example",))


async def test_the_apps_own_clipboard_is_a_paste_too() -> None:
    async with playing(at_once) as stage:
        stage.app.copy_to_clipboard("eve@evil.example")
        await stage.press("ctrl+v")
        assert await sent(stage) == ("eve@evil.example", ("eve@evil.example",))


async def test_space_around_a_goal_moves_no_mark() -> None:
    async with playing(at_once) as stage:
        await stage.press("space", "space")
        await paste(stage, " abc ")
        assert await sent(stage) == ("abc", ("abc",))


async def test_the_hint_is_readable_in_a_small_terminal() -> None:
    async with playing(at_once, size=(60, 16)) as stage:
        await paste(stage, "abc")
        assert HINT in stage.text


def test_a_pasted_value_says_so_on_the_prompt() -> None:
    assert words.origin(Origin(Who.CONTENT, PASTED)) == ("pasted by you", True)


def test_a_part_of_a_text_has_its_part_of_the_marks() -> None:
    assert within(((0, 3), (4, 6)), 2, 5) == ((0, 1), (2, 3))
    assert within(((0, 2),), 2, 5) == ()


@pytest.mark.parametrize("own", [False, True])
def test_after_a_paste_is_owned_only_what_comes_later_is_marked(own: bool) -> None:
    text = Pasted()
    with text.pasting():
        text.follow("abc")
    assert text.spans == ((0, 3),)
    if own:
        assert text.own()
        assert not text.own()
    text.follow("abcd")
    assert text.spans == (() if own else ((0, 3),))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 20), st.integers(0, 3), st.text("xy", max_size=4))))
def test_no_pasted_sign_is_ever_taken_for_a_typed_one(
    edits: list[tuple[bool, int, int, str]],
) -> None:
    """Signs typed are small, signs pasted capital, so that each tells by itself where it came from."""
    followed, text = Pasted(), ""
    for is_paste, at, gone, new in edits:
        at = min(at, len(text))
        new = new.upper() if is_paste else new
        text = text[:at] + new + text[at + gone :]
        if is_paste:
            with followed.pasting():
                followed.follow(text)
        else:
            followed.follow(text)
        marked = {n for start, end in followed.spans for n in range(start, end)}
        assert marked == {n for n, sign in enumerate(text) if sign.isupper()}
