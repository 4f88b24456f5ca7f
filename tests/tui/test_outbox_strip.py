"""What waits is seen with the seconds that are left, can be taken back by a key, and its end is told."""

from connectors.base import Call, Needs, Outcome, failed
from permissions.entry import State
from permissions.holding import Released
from permissions.outbox import Held
from tests.tui.fake_house import NOW, entry
from tests.tui.stage import Stage, playing
from tui.house import Waiting
from tui.outbox import waiting_lines

HELLO = Held("h1", "Send a message to Ana Ruiz", NOW, 0.0)
LATER = Held("h2", "Send a message to [b]Ben[/b]", NOW, 9.0)
CALL = Call("c", "messaging.send", {})


async def waits(stage: Stage, *held: Held) -> None:
    stage.house.waiting = list(held)
    stage.house.say_held()
    await stage.settle()


async def test_nothing_is_shown_where_nothing_waits() -> None:
    async with playing() as stage:
        assert "held" not in stage.text
        assert "F8" not in stage.text


async def test_what_waits_is_shown_and_f8_takes_the_first_back() -> None:
    async with playing() as stage:
        await waits(stage, HELLO, LATER)
        assert "◷ held 0:30  Send a message to Ana Ruiz  F8 takes it back" in stage.text
        assert "Send a message to [b]Ben[/b]" in stage.text
        assert "F8 undo send" in stage.text
        await stage.press("f8")
        assert [held.id for held in stage.house.waiting] == ["h2"]
        assert "Taken back, not sent: Send a message to Ana Ruiz" in stage.text
        await stage.press("f8")
        assert "held" not in stage.text.replace("Taken back", "")
        assert "F8" not in stage.text


async def test_u_takes_back_while_the_line_has_the_focus_and_is_a_letter_elsewhere() -> None:
    async with playing() as stage:
        await waits(stage, HELLO)
        await stage.type("u")
        assert stage.house.waiting == [HELLO]
        stage.app.outbox.focus()
        await stage.settle()
        await stage.type("u")
        assert stage.house.waiting == []


async def test_undo_first_takes_back_what_has_not_gone_out() -> None:
    async with playing(rows=[entry("e1", "Change", "calendar.change_event", undo=CALL)]) as stage:
        await waits(stage, HELLO)
        await stage.say(":undo")
        await stage.settle()
        assert (stage.house.waiting, stage.house.undone) == ([], [])


async def test_its_end_is_told_when_it_comes() -> None:
    async with playing() as stage:
        await waits(stage, HELLO)
        stage.house.waiting = []
        stage.house.say_held(Released(HELLO, CALL, Outcome(ok=True, text="Sent to Ana Ruiz.")))
        stage.house.say_held(Released(LATER, CALL, failed(Needs.OFFLINE, "Wi-Fi is off.")))
        await stage.settle()
        assert "✓   Sent to Ana Ruiz." in stage.text
        assert "✗   Send a message to [b]Ben[/b]: Wi-Fi is off." in stage.text
        assert "held" not in stage.text


async def test_ending_while_something_waits_needs_a_second_word() -> None:
    async with playing() as stage:
        await waits(stage, HELLO)
        await stage.press("ctrl+q")
        assert stage.app.is_running
        assert "A message still waits." in stage.text
        await stage.press("ctrl+q")
        assert not stage.app.is_running


async def test_what_is_held_can_be_taken_back_from_the_activity_too() -> None:
    rows = [entry("h1", "Send a message to Ana Ruiz", "messaging.send", state=State.HELD, ended=None)]
    async with playing(rows=rows) as stage:
        await waits(stage, HELLO)
        await stage.press("f2")
        assert "held  u undoes it" in stage.text
        await stage.press("u")
        assert stage.house.waiting == []
        assert "Taken back, not sent: Send a message to Ana Ruiz" in stage.text


def test_many_that_wait_are_counted() -> None:
    lines = waiting_lines([Waiting(str(n), f"Message {n}", 60.4 + n) for n in range(5)], 48)
    assert [str(line).strip() for line in lines] == [
        "◷ held 1:01  Message 0  F8 takes it back",
        "◷ held 1:02  Message 1",
        "… 5 in all",
    ]
