"""Only what goes on from exactly the model's last answer is taken to go on from it."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.model.base import Cut, Garbled, Goal, Piece, Proposal, Reply, Result, Text, Thought, Turn, Wish
from assistant.model.dialects.thread import Said, Step, continued, said
from connectors.base import Call, Outcome

BEFORE: tuple[Turn, ...] = (Goal("mail Ana and Bo"),)
VALUES = st.sampled_from(["Ana", "Bo", "?", "on", ["Ana", "Bo"], ["Ana", "?"], True, None])
wishes = st.builds(
    Wish,
    st.sampled_from(["messaging.send", "files.read", "settings.get"]),
    st.dictionaries(st.sampled_from(["to", "body"]), VALUES, max_size=2),
)
answers = st.builds(
    Said, st.sampled_from(["", "I will."]), st.lists(wishes, min_size=1, max_size=4).map(tuple)
)


def opens(wish: Wish) -> bool:
    return any("?" in (value if isinstance(value, list) else [value]) for value in wish.arguments.values())


def carried_out(answer: Said, waiting: bool) -> tuple[Turn, ...]:
    """The turns that come of an answer whose calls were all taken up, but for those that wait."""
    turns: list[Turn] = [Reply(answer.text)] if answer.text else []
    for number, wish in enumerate(answer.wishes):
        if not (waiting and opens(wish)):
            given_ = {k: tuple(v) if isinstance(v, list) else v for k, v in wish.arguments.items()}
            call = Call(f"c{number}", wish.tool, {k: v for k, v in given_.items() if v is not None})
            turns += [Proposal(call, tainted=True), Result(call.id, Outcome(number % 2 == 0, "denied"))]
    return tuple(turns)


@given(answers, st.booleans())
def test_an_answer_all_of_whose_calls_have_results_is_gone_on_from(answer: Said, waiting: bool) -> None:
    after = carried_out(answer, waiting)
    results = [turn for turn in after if isinstance(turn, Result)]
    steps = continued(BEFORE, answer, (*BEFORE, *after))
    if not results:
        assert steps is None
        return
    assert steps is not None
    assert [step.wish for step in steps] == list(answer.wishes), "one for each call, in call order"
    assert [step.result for step in steps if step.result] == results
    assert all(step.result or opens(step.wish) for step in steps)


@given(answers, st.randoms(use_true_random=False))
def test_with_anything_else_it_is_not(answer: Said, chance: random.Random) -> None:
    after = list(carried_out(answer, waiting=False))
    changed = list(after)
    at = chance.randrange(len(changed))
    turn = changed[at]
    match chance.randrange(4):
        case 0:
            del changed[at]
        case 1:
            changed.insert(at, chance.choice([Goal("no"), Reply("Hm."), Result("", Outcome(False, "What?"))]))
        case 2 if isinstance(turn, Proposal):
            changed[at] = replace(
                turn, call=replace(turn.call, arguments={**turn.call.arguments, "to": "Eve"})
            )
        case 2 if isinstance(turn, Result):
            changed[at] = Result("another", turn.outcome)
        case 2:
            changed[at] = Reply("Something else.")
        case _:
            changed.append(Goal("and Cy"))
    assert continued(BEFORE, answer, (*BEFORE, *changed)) is None


@given(answers)
def test_nor_in_another_conversation_or_order(answer: Said) -> None:
    after = carried_out(answer, waiting=False)
    assert continued(BEFORE, answer, (Goal("mail Cy"), *after)) is None
    assert continued(BEFORE, answer, after) is None
    assert continued(BEFORE, answer, BEFORE) is None
    pairs = [after[at : at + 2] for at in range(bool(answer.text), len(after), 2)]
    told = [
        (pair[0].call.tool, str(pair[0].call.arguments)) for pair in pairs if isinstance(pair[0], Proposal)
    ]
    if told != told[::-1]:
        start = after[: bool(answer.text)]
        reverse = [turn for pair in pairs[::-1] for turn in pair]
        assert continued(BEFORE, answer, (*BEFORE, *start, *reverse)) is None


def test_a_call_that_waits_is_told_to() -> None:
    find = Wish("messaging.find_contact", {"name": "Ana"})
    send = Wish("messaging.send", {"to": "?", "body": "late"})
    after = carried_out(Said("", (find, send)), waiting=True)
    steps = continued(BEFORE, Said("", (find, send)), (*BEFORE, *after))
    assert steps == (Step(find, after[1]), Step(send, None))


@pytest.mark.parametrize(
    ("pieces", "whole"),
    [
        ([Wish("a", {})], False),
        ([Wish("a", {}), Garbled("", "What?")], True),
        ([Wish("a", {}), Cut("It was cut.")], False),
        ([Text("Which Ana?", asked=True), Wish("a", {})], True),
    ],
)
def test_what_was_cut_garbled_or_asked_is_not_gone_on_from(pieces: list[Piece], whole: bool) -> None:
    assert said(pieces, whole=whole) is None


def test_an_answer_is_its_text_and_its_calls() -> None:
    pieces = [Thought("hm"), Text("I "), Text("will."), Wish("a", {}), Wish("b", {"x": 1})]
    assert said(pieces, whole=True) == Said("I will.", (Wish("a", {}), Wish("b", {"x": 1})))
