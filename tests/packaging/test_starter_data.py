"""Training rows: measuring sentences stay out, and every label is a copy of what was typed."""

import os
import random
from argparse import Namespace
from pathlib import Path

import data
import pytest
from goals.hwu64 import fold_of, mapped, read
from goals.noise import copied, slipped_value, typed
from goals.phrase import Call, Example
from goals.real import EITHER_WAY
from goals.varied import varied
from goals.wrapped import wrapped

ROOT = Path(__file__).parents[2]
GOALS = Path(os.environ.get("ASKFIRST_GOALS", ROOT.parent / "shared" / "data" / "goals"))
needs_goals = pytest.mark.skipif(
    not GOALS.is_dir(), reason=f"the goals' data is not at {GOALS} (ASKFIRST_GOALS)"
)


@pytest.fixture(scope="module")
def rows() -> list[tuple[list[data.Turn], Example]]:
    return data.rows(
        Namespace(goals=GOALS, seed=1, generated=1300, real=600, varied=250, hinted=150, none=750, ways=3)
    )


@needs_goals
def test_no_measuring_sentence_is_trained_on(rows: list[tuple[list[data.Turn], Example]]) -> None:
    banned = data.kept_apart(GOALS)
    assert len(banned) > 5000
    said = {
        data.plain(goal) for turns, example in rows for goal in (example.goal, *(goal for goal, _ in turns))
    }
    assert not said & banned


@needs_goals
def test_a_third_or_so_of_the_rows_fits_no_tool(rows: list[tuple[list[data.Turn], Example]]) -> None:
    share = sum(not example.calls for _, example in rows) / len(rows)
    assert 0.25 < share < 0.45


@needs_goals
def test_a_row_of_which_the_tool_alone_is_known_says_no_more_than_the_tool(
    rows: list[tuple[list[data.Turn], Example]],
) -> None:
    alone = [example for _, example in rows if example.tool_only]
    assert len(alone) == 150
    assert all(len(example.calls) == 1 and not example.calls[0].arguments for example in alone)


@needs_goals
def test_the_held_out_tenth_is_never_trained_on_however_it_is_varied() -> None:
    real = data.real_goals(GOALS / "hwu64-train.jsonl", set(), 1)
    said = {data.plain(made.goal) for made in (*real.inside, *real.hinted, *real.beyond)}
    held = {
        data.plain(r["normalised"])
        for r in read(GOALS / "hwu64-train.jsonl")
        if fold_of(r["normalised"]) == 0
    }
    assert len(held) > 800
    assert not said & held


def test_a_slip_within_a_copied_word_is_copied_with_it() -> None:
    rng = random.Random(5)
    made = [slipped_value(data.single(rng), rng) for _ in range(300)]
    assert [example for example in made if not copied(example)] == []


def test_a_real_sentence_gets_other_words_in_its_slots_and_keeps_the_rest() -> None:
    row = {
        "text": "",
        "annotated": "put [event_name : lunch] with [person : kim] down for [date : friday]",
        "scenario": "calendar",
        "intent": "set",
    }
    goals = [varied(row, random.Random(seed))["text"] for seed in range(30)]
    assert all(goal.startswith("put ") and " down for " in goal for goal in goals)
    assert len(set(goals)) > 25


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("do i have plans on friday", " if i have plans on friday"),
        ("Am I busy tomorrow?", " if i am busy tomorrow?"),
        ("What is on my list", " what is on my list"),
    ],
)
def test_a_question_becomes_a_request_to_be_told(asked: str, told: str) -> None:
    goals = {wrapped(Example(asked, ()), random.Random(seed)).goal for seed in range(20)}
    assert len(goals) > 5
    assert all(goal.endswith(told) for goal in goals)


def test_what_is_no_question_is_not_put_inside_one() -> None:
    made = Example("delete the meeting", (Call("calendar.delete_event", {"event": "meeting"}),))
    assert wrapped(made, random.Random(1)) == made


@pytest.mark.parametrize(
    ("text", "either"),
    [
        ("what is happening tomorrow", True),
        ("What's going on this weekend?", True),
        ("what events are happening today", True),
        ("what is happening in town tomorrow", False),
        ("what's going on in the world today", False),
        ("what is on tv tonight", False),
    ],
)
def test_a_question_that_may_be_about_ones_own_day_is_no_example_of_what_no_tool_does(
    text: str, either: bool
) -> None:
    assert bool(EITHER_WAY.fullmatch(text)) is either


def test_a_repetition_keeps_its_word() -> None:
    rng = random.Random(6)
    made = [data.single(rng) for _ in range(4000)]
    told = [one for one in made if one.goal.startswith(("every ", "each ")) and "remind me" in one.goal]
    assert told
    assert all(str(one.calls[0].arguments["when"]).startswith(("every ", "each ")) for one in told)


@needs_goals
def test_every_offered_tool_is_trained(rows: list[tuple[list[data.Turn], Example]]) -> None:
    trained = {call.tool for _, example in rows for call in example.calls}
    assert trained == set(data.ORDER)


def test_generated_labels_are_copies_of_the_goal() -> None:
    rng = random.Random(3)
    made = [typed(data.single(rng), rng) for _ in range(600)]
    assert [example for example in made if not copied(example)] == []


def test_generated_arguments_pass_the_tools_own_models() -> None:
    tools = {t.name: t for t in (*data.CALENDAR, *data.MESSAGING, *data.FILES, *data.SETTINGS)}
    rng = random.Random(4)
    for _ in range(600):
        for call in typed(data.several(rng), rng).calls:
            tools[call.tool].arguments.model_validate(dict(call.arguments))


def test_an_answer_lists_arguments_in_the_order_of_the_schema() -> None:
    call = Call("calendar.create_event", {"place": "Café", "when": "friday", "title": "lunch"})
    assert (
        data.answer((call,)) == 'calendar.create_event {"title": "lunch", "when": "friday", "place": "Café"}'
    )


@pytest.mark.parametrize(
    ("text", "annotated", "scenario", "intent", "wanted"),
    [
        (
            "Set an alarm for 7am tomorrow",
            "set an alarm for [time : 7am] [date : tomorrow]",
            "alarm",
            "set",
            'calendar.create_event {"title": "alarm", "when": "7am tomorrow"}',
        ),
        (
            "Send email to Gary",
            "send email to [person : gary]",
            "email",
            "sendemail",
            'messaging.send {"to": ["Gary"]}',
        ),
        ("what is the weather", "what is the weather", "weather", "query", "none"),
        (
            "Raise the volume to 55%",
            "raise the volume [change_amount : to 55%]",
            "audio",
            "volume_up",
            'settings.set {"setting": "volume", "value": "55%"}',
        ),
    ],
)
def test_utterances_of_hwu64_are_mapped(
    text: str, annotated: str, scenario: str, intent: str, wanted: str
) -> None:
    made = mapped({"text": text, "annotated": annotated, "scenario": scenario, "intent": intent})
    assert made is not None
    assert data.answer(made.calls) == wanted
