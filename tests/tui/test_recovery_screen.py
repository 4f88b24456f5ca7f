"""After a restart the person is told what was held or running, and decides on each."""

from permissions.entry import State
from tests.tui.fake_house import entry
from tests.tui.stage import playing

HELD = entry("h", "Send a message to Ana Ruiz", "messaging.send", state=State.HELD, ended=None)
UNKNOWN = entry("u", "Change the event [Dentist]", "calendar.change_event", state=State.UNKNOWN)


async def test_nothing_is_asked_where_nothing_was_cut_off() -> None:
    async with playing() as stage:
        assert "Before you go on" not in stage.text


async def test_each_call_is_shown_with_what_is_known_of_it() -> None:
    async with playing(cut_off=[HELD, UNKNOWN]) as stage:
        await stage.settle()
        assert "Before you go on" in stage.text
        assert "Send a message to Ana Ruiz  held, so it was not sent" in stage.text
        assert "Change the event [Dentist]  not known if it was done" in stage.text
        await stage.press("escape")
        assert "Before you go on" not in stage.text
        assert stage.house.cut_off == [HELD, UNKNOWN], "deciding later changes nothing"


async def test_what_was_held_can_be_asked_for_anew_and_what_is_unknown_cannot() -> None:
    async with playing(cut_off=[UNKNOWN, HELD]) as stage:
        await stage.settle()
        assert "l look again" in stage.text
        assert "s ask to send it" not in stage.text
        await stage.press("s")
        assert stage.house.asked_again == []
        await stage.press("down")
        assert "s ask to send it" in stage.text
        assert "l look again" not in stage.text
        await stage.press("s")
        await stage.until(lambda: stage.house.asked_again == ["h"])
        assert "Before you go on" not in stage.text


async def test_a_look_says_what_it_found() -> None:
    async with playing(cut_off=[UNKNOWN], seen="It was done: it is there.") as stage:
        await stage.settle()
        await stage.press("l")
        await stage.until(lambda: "It was done: it is there." in stage.text)


async def test_what_is_let_go_is_gone_and_the_rest_stays() -> None:
    async with playing(cut_off=[HELD, UNKNOWN]) as stage:
        await stage.settle()
        await stage.press("x")
        assert stage.house.cut_off == [UNKNOWN]
        assert "Let go: Send a message to Ana Ruiz" in stage.text
        await stage.press("x")
        assert "All of this is settled." in stage.text
        await stage.press("x", "l", "s", "escape")
        assert "Before you go on" not in stage.text


async def test_it_can_be_called_up_again() -> None:
    async with playing(cut_off=[HELD]) as stage:
        await stage.settle()
        await stage.press("escape")
        await stage.say(":recovery")
        await stage.until(lambda: "Before you go on" in stage.text)
