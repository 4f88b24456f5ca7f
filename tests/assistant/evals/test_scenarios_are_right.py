"""The built-in scenarios: who knows the answers passes all, who does nothing none that wants a deed."""

from dataclasses import replace
from pathlib import Path

import pytest

from assistant.evals.agents import Nothing, Oracle
from assistant.evals.library import Entry, read_folder
from assistant.evals.meter import MeteredModel
from assistant.evals.scenario import EMPTY_KINDS, Half, Kind
from assistant.evals.trial import Course
from tui.evals.worlds import FolderWorlds

ENTRIES = read_folder()
READS = ("list_events", "find_free_time", "list_tasks", "search", "read", "find_contact", "list", "get")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return Course(FolderWorlds(tmp_path_factory.mktemp("cache")))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
async def test_the_oracle_passes_and_a_do_nothing_agent_only_where_nothing_can_be_done(
    entry: Entry, course: Course
) -> None:
    oracle = await course.run(entry, MeteredModel(Oracle(entry.scenario)))
    assert oracle.faults == ()
    assert oracle.strays == ()
    nothing = await course.run(entry, MeteredModel(Nothing()))
    assert nothing.passed == (entry.scenario.kind in EMPTY_KINDS)


def test_there_are_enough_of_every_kind_in_both_halves() -> None:
    assert len(ENTRIES) >= 120
    for kind in Kind:
        for half in Half:
            there = [entry for entry in ENTRIES if entry.scenario.kind is kind and entry.half is half]
            assert len(there) >= 3, f"{kind} {half}"


def test_every_scenario_lies_in_the_folder_of_its_kind() -> None:
    assert [entry.name for entry in ENTRIES if entry.path.parent.name != entry.scenario.kind] == []


def test_no_two_scenarios_say_the_same() -> None:
    said = [said.goal.casefold() for entry in ENTRIES for said in entry.scenario.say[:1]]
    assert sorted({goal for goal in said if said.count(goal) > 1}) == []


def test_the_people_live_in_different_zones() -> None:
    assert len({entry.world.zone for entry in ENTRIES}) >= 6


WITH_EFFECTS = [
    entry
    for entry in ENTRIES[::4]
    if any(gold.ends == "done" and not gold.tool.endswith(READS) for gold in entry.scenario.gold)
]


@pytest.mark.parametrize("entry", WITH_EFFECTS, ids=lambda entry: entry.name)
async def test_a_scenario_whose_gold_is_lost_cannot_be_passed_by_doing_the_right_thing(
    entry: Entry, tmp_path: Path
) -> None:
    kept = [said.model_copy(update={"gold": ()}) for said in entry.scenario.say]
    damaged = entry.scenario.model_copy(update={"say": tuple(kept), "told": ("whatever",)})
    course = Course(FolderWorlds(tmp_path))
    trial = await course.run(replace(entry, scenario=damaged), MeteredModel(Oracle(entry.scenario)))
    assert any(fault.startswith(("too much: ", "missing: ")) for fault in trial.faults)
