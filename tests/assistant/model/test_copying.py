"""What a small model miscopied is put right from the person's own words, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from assistant.model.shapes import tool_shapes
from assistant.model.starter.repair import copied, repair
from tests.assistant.model.tools import TOOLS

SHAPES = {shape.name: shape for shape in tool_shapes(TOOLS)}


@pytest.mark.parametrize(
    ("text", "goal", "right"),
    [
        ("lunch with Samm", "schedule lunch with Sam on Friday", "lunch with Sam"),
        ("lnch with Sam", "schedule lunch with Sam on Friday", "lunch with Sam"),
        ("anna.ruiz@exmple.com", "mail anna.ruiz@example.com that I am late", "anna.ruiz@example.com"),
        ("tomorow at 15:30", "dentist tomorrow at 15:30, please", "tomorrow at 15:30"),
        ("at 15:20 tomorrow", "dentist at 15:30 tomorrow", "at 15:30 tomorrow"),
        ("Projekt review", "move the “Project review” to Monday", "Project review"),
        ("dentistappointment", "cancel the dentist appointment", "dentist appointment"),
        ("Zürich trip notes", "open Zurich trip notes", "Zurich trip notes"),
    ],
)
def test_a_clear_miscopy_becomes_the_persons_words(text: str, goal: str, right: str) -> None:
    assert copied(text, [goal]) == right


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Lunch With Sam", "schedule lunch with sam on Friday"),  # as whole words, in any case
        ("running late", "tell Bob I'm running late."),
        ("Anna", "tell Ana and Hanna I am late"),  # as near to one as to the other
        ("wifi", "turn the volume down"),
        ("on", "turn it off"),
        ("meeting", "set up a call with Bo"),
        ("", "anything"),
        ("…", "anything"),
    ],
)
def test_what_is_right_or_unclear_is_left_alone(text: str, goal: str) -> None:
    assert copied(text, [goal]) == text


def test_words_of_an_earlier_goal_count_too() -> None:
    assert copied("Project review", ["move it to 5", "when is the project review"]) == "Project review"
    assert copied("Projct review", ["move it to 5", "when is the project review"]) == "project review"


def test_a_run_never_joins_two_goals() -> None:
    assert copied("review movee", ["when is the review", "move it"]) == "review movee"


def test_only_free_texts_are_looked_at() -> None:
    goal = "set wif on and write buy milkk to list.txt"
    setting = repair({"setting": "wifi", "value": "on"}, SHAPES["settings.set"], [goal])
    assert setting == {"setting": "wifi", "value": "on"}
    note = repair({"file": "lst.txt", "text": "buy milkk", "add": True}, SHAPES["files.write"], [goal])
    assert note == {"file": "list.txt", "text": "buy milkk", "add": True}


def test_each_of_several_texts_is_looked_at() -> None:
    goal = "send Jonathan and Bo the agenda"
    mended = repair({"to": ["Jonathon", "Bo"], "body": "agenda"}, SHAPES["messaging.send"], [goal])
    assert mended == {"to": ["Jonathan", "Bo"], "body": "agenda"}


@given(st.text(max_size=60), st.lists(st.text(max_size=120), max_size=3))
def test_the_result_is_the_text_or_words_of_a_goal(text: str, goals: list[str]) -> None:
    result = copied(text, goals)
    assert result == text or any(result in goal for goal in goals)


def test_what_nobody_said_is_left_out_so_that_it_is_asked_for() -> None:
    send = SHAPES["messaging.send"]
    said = {"to": ["Ana", "Frozen"], "subject": "Weekly report", "body": "Frozen"}
    assert repair(said, send, ["move the dentist to Friday and tell Ana"]) == {"to": ["Ana"]}


def test_on_and_off_may_be_meant_by_other_words() -> None:
    wanted = {"setting": "mute", "value": "on"}
    assert repair(wanted, SHAPES["settings.set"], ["mute the speakers"]) == wanted


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("boss", "what is my boss's number"),
        ("mr taxi", "what is mr taxi’s phone number"),
        ("alarm", "are any alarms set"),
        ("Chris", "read Chris' mail"),
    ],
)
def test_a_word_without_its_ending_is_a_copy(text: str, goal: str) -> None:
    assert copied(text, [goal]) == text


def test_the_one_of_many_that_were_said_is_no_invention() -> None:
    wanted = {"search": "alarm"}
    assert repair(wanted, SHAPES["calendar.list_events"], ["What alarms do I have set?"]) == wanted


@pytest.mark.parametrize(
    ("text", "goal", "right"),
    [
        ("Tues noon", "move the exam to Tues at noon and text Jan", "Tues at noon"),
        ("tomorrow night at two", "set an alarm for tomorrow night meeting at two", "tomorrow night at two"),
        (
            "sunday from ten to elven",
            "sunday mom's visit with bruno from ten to elven",
            "sunday from ten to elven",
        ),
        ("meeting with Bo", "schedule a meeting on 5 May with Bo", "meeting with Bo"),
    ],
)
def test_prepositions_between_pieces_that_were_said_are_put_back_and_other_words_not(
    text: str, goal: str, right: str
) -> None:
    assert copied(text, [goal], in_pieces=True) == right


@pytest.mark.parametrize(
    "goal", ["turn down the volume twenty percent", "reduce the sound by twenty percent"]
)
def test_a_step_down_never_becomes_the_volume_itself(goal: str) -> None:
    wanted = {"setting": "volume", "value": "down twenty percent"}
    assert repair(wanted, SHAPES["settings.set"], [goal]) == wanted


@pytest.mark.parametrize(
    ("tool", "said", "right"),
    [
        ("calendar.create_event", {"title": "the gym class"}, {"title": "gym class"}),
        ("calendar.create_event", {"title": "The Long Way"}, {"title": "The Long Way"}),
        ("messaging.send", {"to": ["MY FRIEND", "My Linh"]}, {"to": ["FRIEND", "My Linh"]}),
        ("messaging.send", {"body": "the cat is fine"}, {"body": "the cat is fine"}),
    ],
)
def test_names_lose_their_article_and_people_whose_they_are(
    tool: str, said: dict[str, JsonValue], right: dict[str, JsonValue]
) -> None:
    goal = " ".join(str(value) for value in said.values()) + " MY FRIEND My Linh"
    assert repair(said, SHAPES[tool], [goal]) == right


@pytest.mark.parametrize(
    ("goal", "value"),
    [("speak a bit quieter", "a bit quieter"), ("louder please", "louder"), ("turn it down", "down")],
)
def test_a_comparison_is_kept_as_it_was_said(goal: str, value: str) -> None:
    wanted: dict[str, JsonValue] = {"setting": "volume", "value": "up" if "louder" in goal else "down"}
    assert repair(dict(wanted), SHAPES["settings.set"], [goal]) == {**wanted, "value": value}


def test_a_goal_that_compares_twice_is_left_as_the_model_says() -> None:
    wanted: dict[str, JsonValue] = {"setting": "volume", "value": "down"}
    assert repair(dict(wanted), SHAPES["settings.set"], ["not louder, quieter"]) == wanted
