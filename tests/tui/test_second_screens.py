"""What may go with an answer is listed in words, and picking a permission is never the yes itself."""

from dataclasses import replace

import pytest

from permissions.words import Ban, Decision, Key, Reply, Scope
from tests.tui.fake_house import NOW, change_event, offer, send_message
from tests.tui.stage import asking

NARROW = offer(Scope.ALWAYS, "changes of the event Dentist, always")
WIDE = replace(
    offer(Scope.ALWAYS, "changes in the calendar Home, always"), covered=("Move lunch", "Move tea")
)
QUARTER = offer(Scope.UNTIL, "changes of the event Dentist, for 15 minutes")
GOAL, GOAL_WIDE = (
    offer(Scope.GOAL, "the event Dentist, for this goal"),
    offer(Scope.GOAL, "all of Home, for this goal"),
)
NEVER = Ban("calendar.change_event", (), Scope.GOAL, NOW, "never changes of Dentist, in this goal")
NEVER_EVER = Ban("calendar.change_event", (), Scope.ALWAYS, NOW, "never changes of any event, ever again")
REQUEST = change_event(offers=(GOAL, GOAL_WIDE, QUARTER, NARROW, WIDE), bans=(NEVER, NEVER_EVER))


async def test_a_lists_each_width_narrowest_first_with_what_it_would_have_covered() -> None:
    async with asking(REQUEST) as (stage, _):
        await stage.asked()
        await stage.press("a")
        assert "▸ 1  changes of the event Dentist, always" in stage.text
        assert "  2  changes in the calendar Home, always" in stage.text
        assert "would have covered: nothing done so far" in stage.text
        assert "would have covered 2: Move lunch; Move tea" in stage.text


@pytest.mark.parametrize(
    ("keys", "grant"),
    [
        (("a", "1"), NARROW),
        (("a", "2"), WIDE),
        (("a", "down", "enter"), WIDE),
        (("a", "down", "up", "up", "enter"), NARROW),
        (("t", "1"), QUARTER),
        (("g", "2"), GOAL_WIDE),
        (("a", "1", "t", "1"), QUARTER),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
async def test_what_was_picked_is_said_in_words_and_goes_with_the_yes(keys, grant) -> None:
    async with asking(REQUEST) as (stage, script):
        await stage.asked()
        await stage.press(*keys)
        assert script.answers == []
        assert f"With this yes: {grant.words}" in stage.text
        await stage.press("y")
        assert script.answer == Decision(Reply.YES, grant=grant.grant, key=Key.SMALL)


async def test_no_yes_can_be_given_from_the_list() -> None:
    async with asking(REQUEST) as (stage, script):
        await stage.asked()
        await stage.press("a", "y", "Y", "space")
        assert script.answers == []
        await stage.press("escape")
        assert script.answers == [], "Esc in a list only leaves it"
        await stage.press("y")
        assert script.answer == Decision(Reply.YES, key=Key.SMALL)


@pytest.mark.parametrize("keys", [("a", "a"), ("a", "1", "a"), ("g", "escape")])
async def test_the_list_is_left_and_the_choice_put_back(keys: tuple[str, ...]) -> None:
    async with asking(REQUEST) as (stage, script):
        await stage.asked()
        await stage.press(*keys, "y")
        assert script.answer == Decision(Reply.YES, key=Key.SMALL)


@pytest.mark.parametrize(("keys", "ban"), [(("N", "1"), NEVER), (("N", "down", "enter"), NEVER_EVER)])
async def test_capital_n_lists_what_may_be_ruled_out_and_picking_says_no(keys, ban) -> None:
    async with asking(REQUEST) as (stage, script):
        await stage.asked()
        await stage.press(*keys)
        assert script.answer == Decision(Reply.NO, ban=ban)


async def test_with_nothing_to_rule_out_capital_n_says_so() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("N")
        assert "nothing here that can be ruled out" in stage.text
        assert script.answers == []


async def test_a_number_that_is_not_in_the_list_and_one_without_a_list_say_nothing() -> None:
    async with asking(REQUEST) as (stage, script):
        await stage.asked()
        await stage.press("1", "enter", "a", "9")
        assert script.answers == []


async def test_a_picked_permission_for_what_goes_out_still_needs_the_capital() -> None:
    async with asking(send_message("Hi", offers=(GOAL, GOAL_WIDE))) as (stage, script):
        await stage.asked()
        await stage.press("g", "1", "y")
        assert script.answers == []
        await stage.press("Y")
        assert script.answer == Decision(Reply.YES, grant=GOAL.grant, key=Key.CAPITAL)


async def test_the_list_is_gone_once_the_request_is_set_aside_and_opened_again() -> None:
    async with asking(REQUEST) as (stage, script):
        await stage.asked()
        await stage.press("N", "z")
        await stage.look()
        await stage.press("1", "enter", "y", "n")
        assert script.answers == []
