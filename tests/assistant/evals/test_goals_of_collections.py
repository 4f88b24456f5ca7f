"""Collections of goals in three forms are read, measured and counted."""

import json
from pathlib import Path

import pytest

from assistant.evals.corpora.case import Case
from assistant.evals.corpora.label import Label
from assistant.evals.corpora.measure import answered, measure
from assistant.evals.corpora.reading import CorpusError, plain, read_goals, sample, words_of
from assistant.evals.corpora.score import Answered, by_group, confusion, score
from assistant.evals.meter import MeteredModel
from assistant.model.base import Garbled, NoToolFits, Otherwise, Text, Wish
from assistant.model.scripted import ScriptedModel


def utterance(text: str, scenario: str, intent: str, annotated: str = "", **more: str) -> str:
    row = {"text": text, "annotated": annotated or text, "scenario": scenario, "intent": intent, **more}
    return json.dumps(row)


def dialogue(*turns: tuple[str, str]) -> str:
    return json.dumps(
        {"id": "x", "turns": [{"user": user, "agent": "", "action": act} for user, act in turns]}
    )


def read(folder: Path, *rows: str) -> tuple[Case, ...]:
    path = folder / "goals.jsonl"
    path.write_text("\n".join([*rows, ""]), "utf-8")
    return read_goals(path)


def test_a_slurp_row_gives_the_tools_of_its_intent_and_arguments_out_of_its_spans(tmp_path: Path) -> None:
    annotated = "remind me of [event_name : the party] [date : tomorrow]"
    (case,) = read(tmp_path, utterance("remind me of the party tomorrow", "calendar", "set", annotated))
    assert case.group == "calendar/set"
    assert "calendar.create_event" in case.tools
    assert case.agreed
    assert case.labels == (Label("calendar.create_event", {"title": "party", "when": "tomorrow"}),)


def test_a_hwu64_row_is_taken_as_typed(tmp_path: Path) -> None:
    row = utterance("Mute the Sound!", "audio", "volume_mute", "mute the sound", normalised="mute the sound")
    (case,) = read(tmp_path, row)
    assert case.goal == "Mute the Sound!"
    assert case.labels == (Label("settings.set", {"setting": "mute", "value": "on"}),)


def test_a_label_that_a_careful_reading_does_not_share_is_kept_as_labelled(tmp_path: Path) -> None:
    (case,) = read(tmp_path, utterance("drop it from list", "lists", "remove"))
    assert case.tools == {"calendar.complete_task"}
    assert not case.agreed
    assert case.labels is None


def test_what_no_tool_is_for_has_no_tools(tmp_path: Path) -> None:
    (case,) = read(tmp_path, utterance("order me chinese food", "takeaway", "order"))
    assert case.tools == frozenset()
    assert case.group == "takeaway"


def test_of_a_dialogue_the_first_turn_is_taken(tmp_path: Path) -> None:
    cases = read(
        tmp_path,
        dialogue(("cancel lunch", "delete"), ("and supper", "delete")),
        dialogue(("will it snow", "weather")),
        dialogue(("yes", "other")),
    )
    assert [(case.goal, sorted(case.tools), case.group) for case in cases] == [
        ("cancel lunch", ["calendar.delete_event"], "delete"),
        ("will it snow", [], "weather"),
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("{", "this is not JSON"),
        ("[1]", "this is not a JSON object"),
        ('{"text": "x"}', "in no known form"),
        ('{"turns": []}', "in no known form"),
        ('{"turns": [{"user": "x"}]}', "in no known form"),
    ],
)
def test_a_wrong_row_is_told_with_file_and_line(tmp_path: Path, row: str, said: str) -> None:
    with pytest.raises(CorpusError, match=said) as error:
        read(tmp_path, utterance("mute", "audio", "volume_mute"), row)
    assert f"{tmp_path / 'goals.jsonl'}, line 2:" in str(error.value)


def test_a_file_without_goals_or_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no goal"):
        read(tmp_path, "")
    with pytest.raises(CorpusError, match="cannot be read"):
        read_goals(tmp_path / "away.jsonl")


def test_goals_that_stand_in_another_file_are_left_out_whatever_their_case(tmp_path: Path) -> None:
    path = tmp_path / "goals.jsonl"
    rows = [utterance("mute it", "audio", "volume_mute"), utterance("turn it up", "audio", "volume_up")]
    path.write_text("\n".join(rows), "utf-8")
    other = tmp_path / "seen.jsonl"
    seen = utterance("Mute it!!", "audio", "volume_mute", normalised="mute it")
    other.write_text(f"{seen}\n{dialogue(('Hello there', 'chat'))}", "utf-8")
    assert [case.goal for case in read_goals(path, words_of(other))] == ["turn it up"]
    assert plain("Hello, there") in words_of(other)


def test_a_sample_is_the_same_for_the_same_seed_and_holds_both_sorts() -> None:
    inside = [Case(f"goal {n}", frozenset({"x"}), "g") for n in range(30)]
    beyond = [Case(f"chat {n}", frozenset(), "g") for n in range(30)]
    drawn = sample([*inside, *beyond], 5, seed=3)
    assert drawn == sample([*inside, *beyond], 5, seed=3)
    assert drawn != sample([*inside, *beyond], 5, seed=4)
    assert [bool(case.tools) for case in drawn] == [True] * 5 + [False] * 5
    assert sample(inside, None, seed=3) == tuple(inside)


LUNCH = Case(
    "lunch with sam at noon",
    frozenset({"calendar.create_event"}),
    "calendar/set",
    (Label("calendar.create_event", {"title": "lunch with sam", "when": "at noon"}),),
    agreed=True,
)
SNOW = Case("will it snow", frozenset(), "weather", (), agreed=True)


def test_figures_on_a_few_answers_counted_by_hand() -> None:
    right = {"title": "Lunch with Sam", "when": "at noon"}
    answers = [
        Answered(LUNCH, (("calendar.create_event", right),), seconds=1.0, tokens=10),
        Answered(LUNCH, (("calendar.create_event", {"title": "lunch", "when": "at noon"}),), seconds=3.0),
        Answered(LUNCH, (("calendar.add_task", {"title": "lunch with sam"}),)),
        Answered(LUNCH, (), asked=True),
        Answered(SNOW, ()),
        Answered(SNOW, (("calendar.list_events", {}),), (("files.list", {}),), asked=True),
        Answered(SNOW, (("messaging.send", {}),)),
        Answered(SNOW, (), garbled=True),
    ]
    found = score(answers)
    assert (found.inside, found.beyond, found.agreed) == (4, 4, 4)
    assert found.right == 2 / 4
    assert found.exact == 1 / 4
    # Said: 2 + 2 + 1 + 0 pairs; wanted: 4 times 2; shared: 2 + 1 + 1.
    assert found.f1 == pytest.approx(2 * 4 / (5 + 8))
    assert found.called == 2 / 4
    assert found.called_unasked == 1 / 4
    assert found.asked == 2 / 8
    assert found.unreadable == 1 / 8
    assert found.seconds == 4 / 8
    assert found.tokens == 10 / 8
    assert confusion(answers)["calendar/set", "none"] == 1
    assert confusion(answers)["weather", "unreadable"] == 1
    assert by_group(answers)["weather"].called == 2 / 4


def test_a_right_reading_among_those_asked_about_counts_as_offered_only() -> None:
    wishes = (Wish("calendar.create_event", {"title": "lunch"}),)
    found = score([answered(LUNCH, [Wish("calendar.add_task", {"title": "lunch"}), Otherwise(wishes)])])
    assert (found.right, found.offered, found.asked) == (0, 1, 1)


def test_nothing_to_count_is_no_figure() -> None:
    found = score([Answered(SNOW, ())])
    assert found.right is None
    assert found.f1 is None
    assert found.called == 0


@pytest.mark.parametrize(
    ("pieces", "tool", "asked"),
    [
        ([NoToolFits()], "none", False),
        ([Text("Which day"), Text(" do you mean?")], "none", True),
        ([Text("Done."), Wish("files.list", {})], "files.list", False),
        ([Garbled("{", "broken")], "unreadable", False),
    ],
)
def test_the_pieces_of_an_answer_are_taken_as_what_they_are(
    pieces: list[Text | Wish | NoToolFits | Garbled], tool: str, asked: bool
) -> None:
    found = answered(LUNCH, pieces)
    assert (found.tool, found.asked) == (tool, asked)


async def test_each_goal_is_asked_by_itself() -> None:
    model = ScriptedModel([[Wish("calendar.create_event", {"title": "lunch with sam"})], [NoToolFits()]])
    found = await measure(MeteredModel(model), [LUNCH, SNOW], ())
    assert [answer.right for answer in found] == [True, True]
    assert [len(transcript) for transcript in model.heard] == [1, 1]


def test_a_row_without_annotation_counts_for_its_tool_and_not_for_arguments(tmp_path: Path) -> None:
    row = {"text": "wake me at six", "scenario": "alarm", "intent": "set"}
    (case,) = read(tmp_path, json.dumps(row))
    assert case.goal == "wake me at six"
    assert case.tools == {"calendar.create_event"}
    assert case.labels is None
    assert not case.agreed


def test_a_mark_of_byte_order_and_separators_within_a_text_break_no_row(tmp_path: Path) -> None:
    row = utterance("book lunch\u2028on friday", "calendar", "set")
    raw = json.dumps(json.loads(row), ensure_ascii=False)
    path = tmp_path / "goals.jsonl"
    path.write_bytes(f"\ufeff{raw}\r\n".encode())
    (case,) = read_goals(path)
    assert "lunch" in case.goal


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('{"text": 5, "annotated": "x", "scenario": "alarm", "intent": "set"}', "in no known form"),
        ('{"text": null, "scenario": "alarm", "intent": "set"}', "in no known form"),
        ("[" * 100_000, "not JSON"),
        ("[1, 2]", "not a JSON object"),
        ('{"turns": [{"user": "book lunch"}]}', "in no known form"),
    ],
)
def test_a_row_that_cannot_be_read_is_told_with_file_and_line(tmp_path: Path, row: str, said: str) -> None:
    with pytest.raises(CorpusError) as error:
        read(tmp_path, utterance("order pizza", "takeaway", "order"), row)
    assert "goals.jsonl, line 2" in str(error.value)
    assert said in str(error.value)


def test_a_file_of_rows_that_no_measure_is_for_says_so(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="none of its 1 rows"):
        read(tmp_path, dialogue(("lift me up", "levitate")))
