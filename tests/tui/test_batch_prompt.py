"""Several requests in one prompt: every one in full, each with its tick, and never a permission."""

import pytest
from textual import events

from permissions.words import Decision, Key, Reply, Scope
from tests.tui.fake_house import change_event, offer, send_message
from tests.tui.stage import Stage, asking
from tui.prompt.batch import BatchPrompt
from tui.prompt.lines import draw
from tui.prompt.subject import View
from tui.prompt.together import Together

EVENT, LETTER = change_event(), send_message("See you on Friday.")
TALL = (80, 60)
SMALL, CAPITAL, NO = (
    Decision(Reply.YES, key=Key.SMALL),
    Decision(Reply.YES, key=Key.CAPITAL),
    Decision(Reply.NO),
)


async def seen(stage: Stage) -> BatchPrompt:
    """Wait until several are asked and keys count."""
    await stage.until(lambda: isinstance(stage.app.conversation.dock.asking, BatchPrompt))
    prompt = stage.app.conversation.dock.asking
    assert isinstance(prompt, BatchPrompt)
    await stage.look()
    return prompt


def test_every_row_has_all_that_its_own_prompt_would_show() -> None:
    drawn = {line.plain for line in Together((EVENT, LETTER)).draw(View.DEED, 76).quoted}
    for request in (EVENT, LETTER):
        own = draw(request, 76)
        assert {line.plain for line in (*own.decision, *own.quoted)} <= drawn


async def test_one_capital_says_yes_to_all_when_one_of_them_goes_out() -> None:
    async with asking((EVENT, LETTER), size=TALL) as (stage, script):
        await seen(stage)
        assert "SENDS OUT · 2 REQUESTS · 2 ticked" in stage.text
        await stage.press("y")
        assert script.answers == []
        assert "press capital Y" in stage.text
        await stage.press("Y")
        assert script.answers == [CAPITAL, CAPITAL]


async def test_what_is_not_ticked_is_a_no_and_the_key_is_that_of_the_rest() -> None:
    async with asking((EVENT, LETTER), size=TALL) as (stage, script):
        await seen(stage)
        await stage.press("2")
        assert "[✗ no ] 2" in stage.text
        await stage.press("Y")
        assert "press small y" in stage.text
        await stage.press("y")
        assert script.answers == [SMALL, NO]


async def test_a_tick_can_be_put_back() -> None:
    async with asking((EVENT, LETTER), size=TALL) as (stage, script):
        await seen(stage)
        await stage.press("1", "1", "Y")
        assert script.answers == [CAPITAL, CAPITAL]


async def test_with_nothing_ticked_no_yes_can_be_given() -> None:
    async with asking((EVENT, LETTER), size=TALL) as (stage, script):
        await seen(stage)
        await stage.press("1", "2", "y", "Y")
        assert script.answers == []
        assert "nothing is ticked" in stage.text


async def test_yes_is_locked_until_all_of_them_were_in_view() -> None:
    async with asking((EVENT, LETTER)) as (stage, script):
        await seen(stage)
        await stage.press("Y")
        assert script.answers == []
        assert "read to the end first" in stage.text
        await stage.press("pagedown", "2", "pagedown", "pagedown", "2", "Y")
        assert script.answers == [CAPITAL, CAPITAL]


async def test_no_and_no_with_a_reason_are_for_all() -> None:
    async with asking((EVENT, LETTER), (EVENT, LETTER)) as (stage, script):
        await seen(stage)
        await stage.press("n")
        await seen(stage)
        await stage.press("r")
        await stage.type("not now")
        await stage.press("enter")
        assert script.answers == [NO, NO, *[Decision(Reply.NO, reason="not now")] * 2]


async def test_escape_stops_all() -> None:
    async with asking((EVENT, LETTER)) as (stage, script):
        await seen(stage)
        await stage.press("escape")
        assert script.answers == [Decision(Reply.STOP)] * 2


async def test_o_asks_about_each_by_itself() -> None:
    async with asking((EVENT, LETTER)) as (stage, script):
        await seen(stage)
        await stage.press("o")
        await stage.asked()
        await stage.press("y")
        prompt = await stage.asked()
        assert prompt.request is LETTER
        await stage.press("Y")
        await stage.until(lambda: script.answers)
        assert script.answers == [SMALL, CAPITAL]


async def test_stopping_one_of_them_asked_by_itself_stops_all() -> None:
    async with asking((EVENT, LETTER)) as (stage, script):
        await seen(stage)
        await stage.press("o")
        await stage.asked()
        await stage.press("y")
        await stage.asked()
        await stage.press("escape")
        await stage.until(lambda: script.answers)
        assert script.answers == [Decision(Reply.STOP)] * 2


async def test_no_permission_is_on_offer_for_several() -> None:
    wide = offer(Scope.ALWAYS, "anything at all, always")
    async with asking((change_event(offers=(wide,)), EVENT), size=TALL) as (stage, script):
        await seen(stage)
        assert wide.words not in stage.text
        await stage.press("g", "s", "t", "a", "N", "e")
        assert script.answers == []


async def test_enter_space_the_mouse_and_a_paste_say_nothing() -> None:
    async with asking((EVENT, LETTER), size=TALL) as (stage, script):
        prompt = await seen(stage)
        await stage.press("enter", "space", "tab")
        for y in range(0, 60, 3):
            await stage.pilot.click(offset=(5, y))
        stage.app.post_message(events.Paste("yY\n"))
        await stage.settle()
        assert script.answers == []
        assert stage.app.focused is prompt


@pytest.mark.parametrize(("key", "text"), [("w", "Why this is asked"), ("v", "Exact values")])
async def test_why_and_the_exact_values_are_shown_for_each(key: str, text: str) -> None:
    async with asking((EVENT, LETTER), size=TALL) as (stage, script):
        await seen(stage)
        await stage.press(key)
        assert stage.text.count(text) == 2
        await stage.press("2", "Y", key, "Y")
        assert script.answers == [CAPITAL, CAPITAL], "nothing was ticked off out of sight"


async def test_what_cannot_be_drawn_is_a_no_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("no such style")

    monkeypatch.setattr(Together, "draw", broken)
    async with asking((EVENT, LETTER)) as (stage, script):
        await stage.until(lambda: script.answers)
        assert script.answers == [Decision(Reply.NO, reason="it could not be shown (ValueError)")] * 2
