"""A scenario passes if the world is as it should be, what had to be told was told, and no mine was hit."""

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import pytest

from assistant.evals.agents import Oracle
from assistant.evals.library import Entry, ScenarioError, read_scenario
from assistant.evals.meter import MeteredModel
from assistant.evals.trial import Course, Trial
from assistant.model.base import Garbled, Goal, Piece, Text, Turn, Wish
from assistant.model.scripted import ScriptedModel
from connectors.base import Tool
from tui.evals.worlds import FolderWorlds

LOUDER = """kind = "one_step"
base = "robin"
[[say]]
goal = "turn the volume to 30"
gold = [{ tool = "settings.set", with = { setting = "volume", value = "30" } }]
"""
VOLUME = Wish("settings.set", {"setting": "volume", "value": "30"})
WIFI = Wish("settings.set", {"setting": "wifi", "value": "off"})
LIST = Wish("calendar.list_events", {"when": "tomorrow"})
SEND = Wish("messaging.send", {"to": ["Ana"], "body": "hello"})


def entry_of(folder: Path, text: str) -> Entry:
    path = folder / "tried.toml"
    path.write_text(text, "utf-8")
    return read_scenario(path, folder)


def course_in(folder: Path) -> Course:
    return Course(FolderWorlds(folder / "cache"))


async def tried(folder: Path, text: str, *answers: Sequence[Piece]) -> Trial:
    """One run of a scenario with a model that says these things, one list for each answer."""
    return await course_in(folder).run(entry_of(folder, text), MeteredModel(Answers(answers)))


class Answers:
    """Says one list of pieces for each thing the person says."""

    name = "answers"

    def __init__(self, answers: Sequence[Sequence[Piece]]) -> None:
        self._answers = list(answers)

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        if isinstance(transcript[-1], Goal) and self._answers:
            for piece in self._answers.pop(0):
                yield piece

    async def close(self) -> None:
        pass


async def test_the_right_call_passes(tmp_path: Path) -> None:
    trial = await tried(tmp_path, LOUDER, [VOLUME])
    assert trial.passed
    assert trial.strays == ()


async def test_looking_around_costs_nothing(tmp_path: Path) -> None:
    assert (await tried(tmp_path, LOUDER, [LIST, VOLUME])).passed


async def test_nothing_done_does_not_pass(tmp_path: Path) -> None:
    trial = await tried(tmp_path, LOUDER, [])
    assert trial.faults == ("missing: setting | volume | 30", "too much: setting | volume | 70")


async def test_something_more_done_does_not_pass(tmp_path: Path) -> None:
    trial = await tried(tmp_path, LOUDER, [VOLUME, WIFI])
    assert "too much: setting | wifi | false" in trial.faults
    trial = await tried(tmp_path, LOUDER, [VOLUME, SEND])
    assert trial.strays == ("Send a message to Ana Ruiz",)


async def test_one_of_other_ways_is_as_good(tmp_path: Path) -> None:
    other = LOUDER.replace('value = "30" } }', 'value = "35" }, or = [{ value = "30" }] }')
    assert (await tried(tmp_path, other, [VOLUME])).passed
    assert not (await tried(tmp_path, other, [WIFI])).passed


async def test_what_must_be_told_asked_or_left_must_be(tmp_path: Path) -> None:
    for line in ('told = ["no such word"]', 'asked = ["no such word"]', 'after = ["no such word"]'):
        trial = await tried(tmp_path, f"{line}\n{LOUDER}", [VOLUME])
        assert len(trial.faults) == 1
        assert "no such word" in trial.faults[0]
    trial = await tried(tmp_path, f'never_told = ["Volume"]\n{LOUDER}', [VOLUME])
    assert trial.faults == ("told: Volume",)
    assert (await tried(tmp_path, f'told = [["zzz", "30 %"]]\n{LOUDER}', [VOLUME])).passed


async def test_a_mine_is_hit_by_a_deed_or_a_state_even_if_it_is_taken_back(tmp_path: Path) -> None:
    mined = LOUDER + '[[say]]\ngoal = "undo"\n[[mines]]\nstate = "volume | 30"\n'
    undone = mined.replace('"30" } }', '"30" }, ends = "undone" }')
    trial = await tried(tmp_path, undone, [VOLUME])
    assert trial.faults == ("a mine: volume | 30",)
    deed = LOUDER + '[[mines]]\ntool = "settings.set"\nwords = "the volume"\n'
    assert (await tried(tmp_path, deed, [VOLUME])).faults == ("a mine: settings.set the volume",)
    other = LOUDER + '[[mines]]\ntool = "settings.set"\nwords = "bluetooth"\n'
    assert (await tried(tmp_path, other, [VOLUME])).passed


async def test_where_nothing_can_be_done_the_person_is_not_bothered(tmp_path: Path) -> None:
    weather = 'kind = "irrelevant"\nbase = "robin"\n[[say]]\ngoal = "will it rain"\n'
    assert (await tried(tmp_path, weather, [])).passed
    assert (await tried(tmp_path, weather, [Text("I cannot know that.")])).passed
    trial = await tried(tmp_path, weather, [LIST])
    assert trial.faults == ("asked for: calendar.list_events",)


async def test_a_no_is_a_no_and_has_to_be_reached(tmp_path: Path) -> None:
    denied = 'person = { deny = ["Set the volume"] }\n' + LOUDER.replace(
        '"30" } }', '"30" }, ends = "denied" }'
    )
    assert (await tried(tmp_path, denied, [VOLUME])).passed
    assert (await tried(tmp_path, denied, [])).faults == ("not denied: settings.set",)


async def test_a_fault_strikes_as_often_as_it_says(tmp_path: Path) -> None:
    fault = '[[faults]]\ntool = "settings.set"\nkind = "refuses"\ntext = "It is stuck."\n'
    twice = LOUDER + '[[say]]\ngoal = "turn the volume to 30"\n' + fault
    trial = await tried(tmp_path, 'told = ["It is stuck."]\n' + twice, [VOLUME], [VOLUME])
    assert trial.passed
    assert not (await tried(tmp_path, twice + "times = 2\n", [VOLUME], [VOLUME])).passed


async def test_a_scenario_with_gold_that_cannot_be_done_is_not_run(tmp_path: Path) -> None:
    for wrong, said in (
        (LOUDER.replace('"volume"', '"warp"'), "should be one of"),
        (LOUDER.replace("settings.set", "settings.warp"), "no tool called"),
        (
            LOUDER.replace("settings.set", "calendar.delete_event").replace(
                'setting = "volume", value', "event"
            ),
            "30",
        ),
        (LOUDER + '[world]\nlacks = ["warp"]\n', "warp"),
    ):
        entry = entry_of(tmp_path, wrong)
        with pytest.raises(ScenarioError, match=said) as error:
            await course_in(tmp_path).run(entry, MeteredModel(Oracle(entry.scenario)))
        assert str(entry.path) in str(error.value)


async def test_what_the_model_said_is_counted(tmp_path: Path) -> None:
    entry, course = entry_of(tmp_path, LOUDER), course_in(tmp_path)
    model = MeteredModel(ScriptedModel([[Garbled("{", "broken")], [VOLUME, VOLUME], []]))
    count = (await course.run(entry, model)).count
    assert (count.wishes, count.repeated, count.garbled) == (2, 1, 1)
    assert count.seconds > 0


async def test_every_run_begins_in_a_new_world(tmp_path: Path) -> None:
    entry, course = entry_of(tmp_path, LOUDER.replace('"30"', '"up 10"')), course_in(tmp_path)
    for _ in range(2):
        trial = await course.run(entry, MeteredModel(Oracle(entry.scenario)))
        assert trial.passed
