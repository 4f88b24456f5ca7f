"""A yes needs the whole request to have been in view, on a terminal large enough to show it."""

import pytest
from textual.content import Content
from textual.widgets import Static

from connectors.base import Preview
from permissions.words import Decision, Key, Reply
from tests.tui.fake_house import change_event, send_message
from tests.tui.stage import Asking, asking, playing
from tui.prompt import lines
from tui.prompt.window import Window

LONG = "\n".join(f"Line number {number}." for number in range(1, 61))
YES = Decision(Reply.YES, key=Key.CAPITAL)


async def test_yes_is_locked_until_the_text_was_read_to_its_end() -> None:
    async with asking(send_message(LONG)) as (stage, script):
        await stage.asked()
        assert "read to the end to say yes" in stage.text
        await stage.press("Y")
        assert script.answers == []
        assert "read to the end first" in stage.text
        for _ in range(40):
            if "Line number 60." in stage.text:
                break
            await stage.press("pagedown")
        await stage.press("Y")
        assert script.answer == YES


async def test_it_says_how_many_lines_are_still_below() -> None:
    async with asking(send_message(LONG)) as (stage, _):
        await stage.asked()
        shown = sum("Line number" in line for line in stage.lines)
        assert f"+{60 - shown} lines ↓" in stage.text
        await stage.press("j", "down", "k")
        assert f"+{60 - shown - 1} lines ↓" in stage.text


async def test_what_was_read_to_the_end_stays_read_when_scrolled_back() -> None:
    async with asking(send_message(LONG)) as (stage, script):
        await stage.asked()
        await stage.press(*["pagedown"] * 12, *["pageup"] * 12)
        assert "Line number 1." in stage.text
        await stage.press("Y")
        assert script.answer == YES


async def test_the_destinations_stay_in_view_while_the_text_is_read() -> None:
    async with asking(send_message(LONG)) as (stage, _):
        await stage.asked()
        await stage.press(*["pagedown"] * 12)
        assert "Line number 60." in stage.text
        assert "Ana Ruiz <ana@acme.com>" in stage.text
        assert "mark.black@gmail.com" in stage.text


async def test_many_fields_scroll_like_a_text_when_they_do_not_fit() -> None:
    fields = tuple(lines.Field(f"Item {number}", f"value {number}") for number in range(40))
    request = change_event()
    preview = Preview("Change 40 things", "changes 40 things", fields)
    object.__setattr__(request.prepared, "preview", preview)
    async with asking(request) as (stage, script):
        await stage.asked()
        await stage.press("y")
        assert script.answers == []
        for _ in range(40):
            if "value 39" in stage.text:
                break
            await stage.press("pagedown")
        await stage.press("pagedown", "y")
        assert script.answer == Decision(Reply.YES, key=Key.SMALL)


@pytest.mark.parametrize("size", [(40, 10), (59, 24), (80, 15)])
async def test_on_a_terminal_too_small_to_show_it_only_no_can_be_said(size: tuple[int, int]) -> None:
    async with asking(change_event(), size=size) as (stage, script):
        await stage.asked()
        assert f"Too small ({size[0]}×{size[1]}, needs 60×16)" in stage.text
        await stage.press("y", "Y", "g", "s", "e", "v", "w", "z", "enter")
        assert script.answers == []
        await stage.press("n")
        assert script.answer == Decision(Reply.NO)


async def test_enlarging_the_terminal_shows_the_request_and_lets_it_be_answered() -> None:
    async with asking(change_event(), size=(40, 10)) as (stage, script):
        await stage.asked()
        await stage.pilot.resize_terminal(80, 24)
        await stage.until(lambda: "Dentist" in stage.text)
        await stage.look()
        await stage.press("y")
        assert script.answer == Decision(Reply.YES, key=Key.SMALL)


async def test_a_request_that_has_just_come_into_view_by_enlarging_takes_no_key_yet() -> None:
    async with asking(change_event(), size=(40, 10)) as (stage, script):
        await stage.asked()
        await stage.pilot.resize_terminal(80, 24)
        await stage.until(lambda: "Dentist" in stage.text)
        await stage.press("y")
        assert script.answers == []


async def test_shrinking_the_terminal_takes_the_yes_away() -> None:
    async with asking(change_event()) as (stage, script):
        await stage.asked()
        await stage.pilot.resize_terminal(50, 20)
        await stage.look()
        await stage.press("y")
        assert script.answers == []


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
@pytest.mark.parametrize("request_", [change_event(), send_message(LONG)], ids=["change", "send"])
async def test_frame_keys_and_footer_are_all_on_the_screen(request_, size) -> None:
    async with asking(request_, size=size) as (stage, _):
        await stage.asked()
        corner = "╚" if "SENDS OUT" in stage.text else "└"
        assert any(line.startswith(corner) for line in stage.lines)
        assert "n no" in stage.text
        assert "Esc stop" in stage.lines[-1]


async def test_a_strip_above_the_request_takes_nothing_of_it_off_the_screen() -> None:
    async with playing(Asking(send_message(LONG)), (60, 16)) as stage:
        strip = Static("held", markup=False)
        strip.styles.height = 2
        await stage.app.conversation.mount(strip, before=stage.app.conversation.dock)
        await stage.say()
        await stage.asked()
        assert any(line.startswith("╚") for line in stage.lines)
        assert "Esc stop" in stage.lines[-1]


async def test_a_request_that_cannot_be_drawn_is_denied(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> lines.Drawn:
        raise ValueError("no such style")

    monkeypatch.setattr(lines, "draw", broken)
    async with asking(change_event()) as (stage, script):
        await stage.until(lambda: script.answers)
        assert script.answer == Decision(Reply.NO, reason="it could not be shown (ValueError)")
        await stage.until(lambda: stage.app.conversation.dock.composer.has_focus)


async def test_a_request_that_cannot_be_placed_is_denied(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no room")

    async with asking(change_event(), change_event()) as (stage, script):
        await stage.asked()
        monkeypatch.setattr(stage.app.conversation.dock, "mount", broken)
        await stage.press("n")
        await stage.until(lambda: len(script.answers) == 2)
        assert script.answers[1] == Decision(Reply.NO, reason="it could not be asked (RuntimeError)")


async def test_the_title_says_what_it_is_and_its_place_in_the_plan() -> None:
    async with asking(change_event()) as (stage, _):
        await stage.asked()
        top = next(line for line in stage.lines if line.startswith("┌"))
        assert top.startswith("┌─ CALENDAR · changes one event · can be undone ─")
        assert top.endswith("─ 2 of 3 ─┐")


async def test_what_is_sent_has_a_frame_of_its_own_shape() -> None:
    async with asking(send_message("Hi")) as (stage, _):
        await stage.asked()
        top = next(line for line in stage.lines if line.startswith("╔"))
        assert top.startswith("╔═ SENDS OUT · MESSAGING · sends a message · cannot be undone ═")
        assert stage.app.query(Static)


async def test_making_the_terminal_wider_while_reading_passes_over_nothing() -> None:
    words = [f"word{number:03}" for number in range(400)]
    async with asking(send_message(" ".join(words)), size=(60, 24)) as (stage, script):
        await stage.asked()
        seen = set(stage.text.split())
        await stage.press(*["j"] * 40)
        await stage.pilot.resize_terminal(160, 24)
        await stage.look()
        await stage.press("Y")
        assert script.answers == []
        seen |= set(stage.text.split())
        for _ in range(40):
            await stage.press("j")
            seen |= set(stage.text.split())
        await stage.press("Y")
        assert script.answer == YES
        assert set(words) <= seen


@pytest.mark.parametrize(
    ("one", "other"), [((60, 24), (160, 24)), ((160, 40), (60, 16)), ((80, 16), (80, 50))]
)
def test_no_line_is_passed_over_however_the_room_changes(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    window = Window()
    seen: set[str] = set()

    def at(width: int, height: int, steps: int) -> None:
        wrapped = Content(" ".join(words)).wrap(width)
        window.fit(wrapped, min(height, len(wrapped)), width)
        for _ in range(steps):
            window.scroll(1000)
            seen.update(word for line in window.shown for word in line.plain.split())

    words = [f"word{number:03}" for number in range(400)]
    at(*one, 2)
    at(*other, 0)
    at(*one, 0)
    at(*other, 500)
    assert window.read
    assert set(words) <= seen
