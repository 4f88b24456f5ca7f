"""Several requests on a plain terminal: one question for all, every one in full, under the same floors."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from permissions.words import Decision, Key, Reply, Request, Scope
from tests.tui.fake_house import change_event, offer, send_message
from tui import plain
from tui.line import LineFront

EVENT, LETTER = change_event(), send_message("See you on Friday.\nBring bread.")
SMALL, CAPITAL, NO, STOP = (
    Decision(Reply.YES, key=Key.SMALL),
    Decision(Reply.YES, key=Key.CAPITAL),
    Decision(Reply.NO),
    Decision(Reply.STOP),
)


class Typist:
    """Types the given lines, then hangs up; keeps what was written."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.screen = ""

    def write(self, text: str) -> None:
        self.screen += f"{text}\n"

    def read(self, prompt: str) -> str | None:
        self.screen += f"{prompt}\n"
        return self._lines.pop(0) if self._lines else None


async def answers(*lines: str, of: Sequence[Request] = (EVENT, LETTER)) -> tuple[list[Decision], str]:
    typist = Typist(*lines)
    return list(await LineFront(typist).ask(of)), typist.screen


async def test_one_capital_says_yes_to_all_when_one_of_them_goes_out() -> None:
    decisions, screen = await answers("Y")
    assert decisions == [CAPITAL, CAPITAL]
    assert "Y yes to all 2, 1 message out   n no to all" in screen


async def test_every_row_has_all_that_its_own_question_would_show() -> None:
    _, screen = await answers("n")
    shown = screen.split("\n")
    for number, request in enumerate((EVENT, LETTER), start=1):
        at = shown.index(f"[✓ yes] {number}")
        own = list(plain.drawn(request))
        assert shown[at + 1 : at + 1 + len(own)] == own


async def test_a_small_letter_is_not_enough_where_something_goes_out() -> None:
    decisions, screen = await answers("y", "Y")
    assert decisions == [CAPITAL, CAPITAL]
    assert "something here goes out or stays: a capital Y" in screen


async def test_what_is_not_ticked_is_a_no_and_the_letter_is_that_of_the_rest() -> None:
    decisions, screen = await answers("2", "Y", "y")
    assert decisions == [SMALL, NO]
    assert "[✗ no ] 2 Send a message to Ana Ruiz" in screen
    assert "y yes to 1 of 2   n no to all" in screen
    assert "all that is ticked can be taken back: a small y" in screen


async def test_a_tick_can_be_put_back_and_several_be_taken_out_on_one_line() -> None:
    assert (await answers("1", "1", "Y"))[0] == [CAPITAL, CAPITAL]
    three = (EVENT, LETTER, replace(change_event(), id="q3"))
    assert (await answers("1, 3", "Y", of=three))[0] == [NO, CAPITAL, NO]


async def test_with_nothing_ticked_no_yes_can_be_given() -> None:
    decisions, screen = await answers("1 2", "y", "Y")
    assert decisions == [STOP, STOP]
    assert screen.count("nothing is ticked: n says no to all") == 2


@pytest.mark.parametrize("line", ["", " ", "yes", "YES", "Y Y", "0", "3", "1 3", "²", "x", "g", "a", "s"])
async def test_no_other_line_answers_anything(line: str) -> None:
    decisions, _ = await answers(line)
    assert decisions == [STOP, STOP]
    assert (await answers(line, "Y"))[0] == [CAPITAL, CAPITAL], "and it ticks nothing"


async def test_no_and_no_with_a_reason_are_for_all() -> None:
    assert (await answers("n"))[0] == [NO, NO]
    assert (await answers("n not now"))[0] == [Decision(Reply.NO, reason="not now")] * 2
    assert (await answers("r too early"))[0] == [Decision(Reply.NO, reason="too early")] * 2
    assert (await answers("r"))[0] == [STOP, STOP]


async def test_q_and_the_end_of_input_stop_all() -> None:
    assert (await answers("q"))[0] == [STOP, STOP]
    assert (await answers())[0] == [STOP, STOP]


async def test_o_asks_about_each_by_itself() -> None:
    decisions, screen = await answers("o", "y", "n no bread")
    assert decisions == [SMALL, Decision(Reply.NO, reason="no bread")]
    assert "1 of 2 that can be answered now:" in screen


async def test_no_permission_is_on_offer_for_several() -> None:
    wide = offer(Scope.ALWAYS, "anything at all, always")
    granting = replace(EVENT, offers=(wide, offer(Scope.GOAL, "more of it, for this goal")))
    decisions, screen = await answers("g", "a", "Y", of=(granting, LETTER))
    assert all(decision.grant is None for decision in decisions)
    assert "anything at all" not in screen
    assert "more of it" not in screen


async def test_what_wants_a_word_is_never_answered_with_others() -> None:
    ruling = replace(LETTER.ruling, key=Key.TYPED, word="post.example")
    decisions, screen = await answers("Y", "y", "q", of=(EVENT, replace(LETTER, ruling=ruling)))
    assert "requests together" not in screen
    assert decisions == [STOP, STOP]


async def test_w_v_and_d_show_of_each_why_what_exactly_and_all_again() -> None:
    _, screen = await answers("w", "v", "d", "n")
    assert screen.count("  Rule   ") == 2
    assert screen.count("calendar.change_event {") == 1
    assert screen.count("  ┃ Bring bread.") == 2


def test_a_plain_terminal_loads_no_textual() -> None:
    code = "import sys, tui.line; sys.exit('textual' in sys.modules)"
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
