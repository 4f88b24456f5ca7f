"""Each letter of the prompt means the same on a plain terminal."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from connectors.calendar import tools as calendar
from permissions.words import Ban, Decision, Key, Offer, Reply, Request, Ruling, Scope, Verdict
from tests.tui.fake_house import NOW, change_event, offer, send_message
from tui.line import LineFront
from tui.prompt.values import editable

NEVER = Ban(
    "calendar.change_event", (), Scope.ALWAYS, NOW, "never anything that changes one event, ever again"
)
NARROW = offer(Scope.ALWAYS, "changes of the event Dentist, always")
WIDE = replace(offer(Scope.ALWAYS, "changes of the calendar Home, always"), covered=("Move the dentist",))
CHANGE = next(
    tool
    for value in vars(calendar).values()
    if isinstance(value, tuple)
    for tool in value
    if getattr(tool, "name", "") == "calendar.change_event"
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


async def answer(request: Request, *lines: str) -> tuple[Decision, str]:
    decisions, screen = await answers((request,), *lines)
    return decisions[0], screen


async def answers(requests: Sequence[Request], *lines: str) -> tuple[Sequence[Decision], str]:
    typist = Typist(*lines)
    return await LineFront(typist).ask(requests), typist.screen


async def test_r_takes_a_reason_on_the_same_line_or_the_next() -> None:
    assert (await answer(change_event(), "r not today"))[0] == Decision(Reply.NO, reason="not today")
    assert (await answer(change_event(), "r", "not today"))[0] == Decision(Reply.NO, reason="not today")


async def test_an_empty_reason_answers_nothing() -> None:
    decision, _ = await answer(change_event(), "r", "", "n")
    assert decision == Decision(Reply.NO)


async def test_capital_n_lists_what_may_be_ruled_out() -> None:
    decision, screen = await answer(change_event(bans=(NEVER,)), "N", "1")
    assert NEVER.words in screen
    assert decision == Decision(Reply.NO, ban=NEVER)


async def test_leaving_that_list_answers_nothing() -> None:
    decision, _ = await answer(change_event(bans=(NEVER,)), "N", "", "y")
    assert decision == Decision(Reply.YES, key=Key.SMALL)


@pytest.mark.parametrize(("letter", "number"), [("g", 0), ("s", 1)])
async def test_a_single_permission_is_taken_with_its_letter(letter: str, number: int) -> None:
    request = change_event()
    decision, screen = await answer(request, letter)
    assert request.offers[number].words in screen
    assert decision == Decision(Reply.YES, grant=request.offers[number].grant, key=Key.SMALL)


async def test_a_lists_every_width_with_what_it_would_have_covered_and_the_yes_comes_after() -> None:
    decision, screen = await answer(change_event(offers=(NARROW, WIDE)), "a", "2", "y")
    assert screen.index(NARROW.words) < screen.index(WIDE.words)
    assert "would have covered 1: Move the dentist" in screen
    assert f"With this yes: {WIDE.words}" in screen
    assert decision == Decision(Reply.YES, grant=WIDE.grant, key=Key.SMALL)


async def test_picking_a_permission_is_no_yes() -> None:
    decision, _ = await answer(change_event(offers=(NARROW, WIDE)), "a", "1", "q")
    assert decision == Decision(Reply.STOP)


async def test_a_permission_for_what_goes_out_still_needs_the_capital() -> None:
    goal = offer(Scope.GOAL, "messages to ana@acme.com", "messaging.send")
    decision, _ = await answer(send_message("Hi", offers=(goal,)), "g", "y", "Y")
    assert decision == Decision(Reply.YES, grant=goal.grant, key=Key.CAPITAL)


async def test_what_is_not_on_offer_is_said() -> None:
    decision, screen = await answer(change_event(offers=()), "t", "n")
    assert "no permission for a time is on offer here" in screen
    assert decision == Decision(Reply.NO)


async def test_w_says_why_and_v_the_exact_values() -> None:
    _, screen = await answer(change_event(), "w", "v", "n")
    assert "calendar.change_event: ask" in screen
    assert 'target "event:home/dentist.ics"' in screen
    assert '"href": "dentist.ics"' in screen


async def test_a_field_that_the_call_does_not_have_can_be_added() -> None:
    names = list(editable(change_event().call.arguments, CHANGE))
    fields = ["Clinic" if name == "place" else "" for name in names]
    decision, screen = await answer(change_event(tool=CHANGE), "e", *fields)
    assert "place [the new place]" in screen
    assert decision == Decision(Reply.EDIT, edited={"place": "Clinic"})


async def test_an_edit_that_does_not_fit_is_said_and_nothing_is_changed() -> None:
    fields = ["", "", "", "", "", "", "", "some"]
    decision, screen = await answer(change_event(tool=CHANGE), "e", *fields, "n")
    assert "series" in screen.split("> ")[-2]
    assert decision == Decision(Reply.NO)


async def test_a_dash_takes_a_value_away() -> None:
    decision, _ = await answer(change_event(), "e", "", "-")
    assert decision == Decision(Reply.EDIT, edited={"when": None})


async def test_several_are_asked_one_by_one_where_that_is_wanted_and_a_stop_stops_all() -> None:
    decisions, screen = await answers((change_event(), send_message("Hi")), "o", "y", "Y")
    assert [decision.reply for decision in decisions] == [Reply.YES, Reply.YES]
    assert "2 of 2 that can be answered now" in screen
    stopped, _ = await answers((change_event(), send_message("Hi")), "o", "y", "q")
    assert [decision.reply for decision in stopped] == [Reply.STOP, Reply.STOP]


async def test_flags_carried_texts_and_resemblances_are_said_in_words() -> None:
    request = send_message(
        "Hi",
        carried=("“Your security code”",),
        resembles=(("mark.black@gmail.com", "gmaii.com"),),
        ruling=Ruling(Verdict.ASK, "x", "sending is always asked", key=Key.CAPITAL),
    )
    _, screen = await answer(request, "n")
    assert "carries words from a text that you did not name: “Your security code”" in screen
    assert "▲ mark.black@gmail.com: looks like gmaii.com, which you know, but is not it" in screen
    assert "▲ mark.black@gmail.com: NEW: never written to before" in screen


async def test_the_word_of_an_offer_is_what_it_says() -> None:
    offers: tuple[Offer, ...] = (NARROW,)
    _, screen = await answer(change_event(offers=offers), "a", "", "n")
    assert "would have covered: nothing done so far" in screen
