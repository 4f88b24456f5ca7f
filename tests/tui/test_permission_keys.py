"""What each key of the permission prompt says, and what says nothing."""

import pytest
from textual import events

from permissions.words import Decision, Key, Reply, Ruling, Scope, Verdict
from tests.tui.fake_house import change_event, offer, send_message
from tests.tui.stage import asking
from tui.keys import EARLY

SHORT = "See you on Friday."


async def test_a_small_y_says_yes_to_what_can_be_taken_back() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("y")
        assert script.answer == Decision(Reply.YES, key=Key.SMALL)


@pytest.mark.parametrize("key", ["Y", "shift+y"])
async def test_a_capital_y_says_yes_to_what_leaves_the_machine(key: str) -> None:
    async with asking(send_message(SHORT)) as (stage, script):
        await stage.asked()
        await stage.press(key)
        assert script.answer == Decision(Reply.YES, key=Key.CAPITAL)


async def test_the_wrong_letter_case_says_why_it_does_nothing() -> None:
    async with asking(send_message(SHORT)) as (stage, script):
        await stage.asked()
        await stage.press("y")
        assert "sends out: press capital Y" in stage.text
        assert script.answers == []


async def test_a_capital_y_is_not_taken_for_a_small_one() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("Y")
        assert "small y" in stage.text
        assert script.answers == []


async def test_n_says_no() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("n")
        assert script.answer == Decision(Reply.NO)


async def test_escape_says_no_and_stops_the_goal() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("escape")
        assert script.answer == Decision(Reply.STOP)


async def test_a_no_may_carry_a_reason() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("r")
        await stage.type("not on Friday")
        await stage.press("enter")
        assert script.answer == Decision(Reply.NO, reason="not on Friday")


async def test_leaving_the_reason_goes_back_to_the_request_and_answers_nothing() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("r", "y", "escape")
        assert script.answers == []
        await stage.look()
        await stage.press("y")
        assert script.answer == Decision(Reply.YES, key=Key.SMALL)


@pytest.mark.parametrize(("key", "scope"), [("g", Scope.GOAL), ("s", Scope.SESSION)])
async def test_a_yes_may_take_a_permission_whose_words_are_on_the_screen(key: str, scope: Scope) -> None:
    request = change_event()
    offered = {o.grant.scope: o for o in request.offers}[scope]
    async with asking(request) as (stage, script):
        await stage.asked()
        assert offered.words in stage.text
        await stage.press(key)
        assert script.answer == Decision(Reply.YES, grant=offered.grant, key=Key.SMALL)


async def test_a_permission_that_is_not_on_offer_cannot_be_taken() -> None:
    async with asking(change_event(offers=())) as (stage, script):
        await stage.asked()
        assert "this session" not in stage.text
        await stage.press("s")
        assert "no permission for this session is on offer" in stage.text
        assert script.answers == []


async def test_a_permission_for_what_is_sent_is_chosen_with_g_but_given_with_capital_y() -> None:
    goal = offer(Scope.GOAL, "messages to ana@acme.com", "messaging.send")
    async with asking(send_message(SHORT, offers=(goal,))) as (stage, script):
        await stage.asked()
        await stage.press("g")
        assert script.answers == []
        assert "With this yes: messages to ana@acme.com" in stage.text
        await stage.press("Y")
        assert script.answer == Decision(Reply.YES, grant=goal.grant, key=Key.CAPITAL)


async def test_a_chosen_permission_can_be_put_back_before_the_yes() -> None:
    goal = offer(Scope.GOAL, "messages to ana@acme.com", "messaging.send")
    async with asking(send_message(SHORT, offers=(goal,))) as (stage, script):
        await stage.asked()
        await stage.press("g", "g", "Y")
        assert script.answer == Decision(Reply.YES, key=Key.CAPITAL)


@pytest.mark.parametrize("request_", [change_event(), send_message(SHORT)], ids=["change", "send"])
async def test_enter_space_tab_the_mouse_and_a_paste_never_say_yes(request_) -> None:
    async with asking(request_) as (stage, script):
        prompt = await stage.asked()
        await stage.press("enter", "space", "tab", "enter")
        for y in range(24):
            await stage.pilot.click(offset=(5, y))
        stage.app.post_message(events.Paste("yY\n"))
        await stage.settle()
        assert script.answers == []
        assert stage.app.focused is prompt


async def test_keys_pressed_before_there_was_time_to_look_are_dropped() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.appeared()
        stage.clock.now += 0.3
        await stage.press("y")
        assert script.answers == []
        assert EARLY in stage.text


async def test_a_word_being_typed_is_never_an_answer_however_long_it_is() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.appeared()
        for letter in "yesterday":
            stage.clock.now += 0.3
            await stage.press(letter)
        assert script.answers == []
        stage.clock.now += 2
        await stage.press("y")
        assert script.answer == Decision(Reply.YES, key=Key.SMALL)


async def test_a_second_y_does_not_answer_the_next_request() -> None:
    async with asking(change_event(), change_event(id="r3")) as (stage, script):
        await stage.asked()
        await stage.press("y", "y")
        assert len(script.answers) == 1


async def test_escape_counts_at_once() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.appeared()
        await stage.press("escape")
        assert script.answer == Decision(Reply.STOP)


async def test_a_word_is_typed_where_one_is_asked_and_then_capital_y() -> None:
    ruling = Ruling(Verdict.ASK_TYPED, "new address", "never written to", key=Key.TYPED, word="gmail.com")
    async with asking(send_message(SHORT, ruling=ruling)) as (stage, script):
        await stage.asked()
        await stage.press("Y")
        assert script.answers == []
        assert "To say yes, type gmail.com and then Y" in stage.text
        await stage.type("gmail.comY")
        assert script.answer == Decision(Reply.YES, typed="gmail.com", key=Key.TYPED)


async def test_another_word_enter_and_a_pasted_word_say_nothing() -> None:
    ruling = Ruling(Verdict.ASK_TYPED, "new address", "never written to", key=Key.TYPED, word="12")
    async with asking(send_message(SHORT, ruling=ruling)) as (stage, script):
        prompt = await stage.asked()
        await stage.press("Y", "1", "Y", "enter")
        assert script.answers == []
        await stage.press("backspace", "backspace")
        assert stage.app.focused is not prompt
        assert stage.app.focused is not None
        stage.app.focused.post_message(events.Paste("12"))
        await stage.press("Y", "enter")
        assert script.answers == []


async def test_w_shows_why_and_where_the_values_came_from() -> None:
    async with asking(send_message(SHORT)) as (stage, _):
        await stage.asked()
        await stage.press("w")
        assert "messaging.send: ask" in stage.text
        assert "first seen in mail “Networking event”" in stage.text


async def test_v_shows_the_exact_values_and_the_version_looked_at() -> None:
    async with asking(change_event()) as (stage, _):
        await stage.asked()
        await stage.press("v")
        assert "event:home/dentist.ics" in stage.text
        assert "2026-12-04T16:00:00+01:00" in stage.text
        assert "sha256:5f1d" in stage.text


@pytest.mark.parametrize("key", ["w", "v"])
async def test_no_yes_can_be_given_while_something_else_is_shown(key: str) -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press(key, "y")
        assert script.answers == []
        assert "go back to what would happen first" in stage.text
        await stage.press(key, "y")
        assert script.answer == Decision(Reply.YES, key=Key.SMALL)


async def test_a_request_set_aside_leaves_one_line_and_takes_no_answer() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("z")
        assert "Set aside: CALENDAR · changes one event" in stage.text
        assert "Dentist" not in stage.lines[-2]
        await stage.look()
        await stage.press("y", "n", "g", "e", "r")
        assert script.answers == []
        await stage.press("z")
        await stage.press("y")
        assert script.answers == []
        await stage.look()
        await stage.press("y")
        assert script.answer == Decision(Reply.YES, key=Key.SMALL)


async def test_nothing_can_be_typed_for_the_composer_while_a_request_is_set_aside() -> None:
    async with asking(change_event()) as (stage, _):
        await stage.asked()
        await stage.press("z")
        await stage.type("hello")
        assert stage.app.conversation.dock.composer.text == ""


async def test_help_over_a_request_is_followed_by_a_moment_in_which_keys_do_not_count() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("question_mark")
        assert "Keys and commands" in stage.text
        await stage.press("y", "escape")
        await stage.until(lambda: stage.app.screen is stage.app.conversation)
        await stage.press("y")
        assert script.answers == []
        await stage.look()
        await stage.press("y")
        assert script.answer == Decision(Reply.YES, key=Key.SMALL)


async def test_the_composer_comes_back_with_what_was_being_typed() -> None:
    async with asking(change_event()) as (stage, _):
        composer = stage.app.conversation.dock.composer
        composer.text = "and then"
        await stage.asked()
        assert not composer.display
        await stage.press("n")
        await stage.until(lambda: composer.has_focus)
        assert composer.display
        assert composer.text == "and then"


async def test_keys_do_not_count_at_once_when_the_window_gets_the_focus_back() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        stage.app.post_message(events.AppFocus())
        await stage.settle()
        await stage.press("y")
        assert script.answers == []


async def test_a_word_cannot_be_given_once_the_terminal_is_too_small_to_show_the_request() -> None:
    ruling = Ruling(Verdict.ASK_TYPED, "new address", "never written to", key=Key.TYPED, word="12")
    async with asking(send_message(SHORT, ruling=ruling)) as (stage, script):
        await stage.asked()
        await stage.press("Y", "1", "2")
        await stage.pilot.resize_terminal(50, 20)
        await stage.look()
        await stage.press("Y")
        assert script.answers == []
        await stage.pilot.resize_terminal(80, 24)
        await stage.look()
        await stage.press("Y")
        assert script.answer == Decision(Reply.YES, typed="12", key=Key.TYPED)


async def test_no_can_be_said_when_the_terminal_becomes_too_small_while_something_is_written() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.press("r", "x")
        await stage.pilot.resize_terminal(50, 20)
        await stage.look()
        await stage.press("n")
        assert script.answer == Decision(Reply.NO)
