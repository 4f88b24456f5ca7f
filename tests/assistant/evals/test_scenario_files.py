"""A scenario file that is wrong is told with its file and line, and nothing of it runs."""

from pathlib import Path

import pytest

from assistant.evals.library import ScenarioError, chosen, read_folder, read_scenario
from assistant.evals.scenario import Half, half_of

WHOLE = """kind = "one_step"
base = "robin"

[[say]]
goal = "turn the volume to 30"

[[say.gold]]
tool = "settings.set"
with = { setting = "volume", value = "30" }
"""


def written(folder: Path, text: str, name: str = "louder.toml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def complaint(folder: Path, text: str) -> str:
    path = written(folder, text)
    with pytest.raises(ScenarioError) as error:
        read_scenario(path, folder)
    assert str(path) in str(error.value)
    return str(error.value)


def test_a_whole_file_is_read_on_top_of_its_base(tmp_path: Path) -> None:
    path = written(tmp_path, WHOLE + '\n[world]\ndevice = { volume = 5 }\npeople = [{ name = "Zoe Zed" }]\n')
    entry = read_scenario(path, tmp_path)
    assert entry.name == "one_step/louder"
    assert entry.world.device == {"wifi": True, "volume": 5, "brightness": 80}
    assert [person.name for person in entry.world.people][-1] == "Zoe Zed"
    assert len(entry.world.people) == 5
    assert entry.world.name == "Robin Vale"


@pytest.mark.parametrize(
    ("wrong", "line", "said"),
    [
        (WHOLE.replace("goal =", "goals ="), 5, "goals"),
        (WHOLE.replace('"one_step"', '"two_step"'), 1, "kind"),
        (WHOLE.replace("tool =", "tol ="), 8, "tol"),
        (WHOLE.replace('"robin"', '"nobody"'), 2, "nobody"),
        (WHOLE + "[[mines]]\n", 10, "a mine names"),
        (WHOLE + '[[person.answers]]\nto = "x"\n', 10, "an answer"),
        (WHOLE + '[[faults]]\ntool = "files.write"\nkind = "explodes"\n', 12, "kind"),
        (WHOLE + '[world]\nzone = "Mars/Base"\n', 11, "time zone"),
        (WHOLE + '[[world.files]]\npath = "/etc/passwd"\n', 10, "not in one of the folders"),
        (WHOLE + '[[world.events]]\ntitle = "x"\nat = 2026-12-05\nrepeat = "EVERY=NOW"\n', 13, "RRULE"),
        (
            WHOLE + '[[world.events]]\ntitle = "x"\nat = 2026-12-05\nrepeat = "FREQ=DAILY;BYDAY=ZZ"\n',
            13,
            "RRULE",
        ),
        (WHOLE + '[[world.events]]\ntitle = "x"\nat = 2026-12-05\ncalendar = "../../x"\n', 13, "one folder"),
        (WHOLE + '[world]\nmail_folders = ["..", "Later"]\n', 11, "one folder"),
        (WHOLE + "[world\n", 10, "TOML"),
        ('kind = "one_step"\n[[say]]\ngoal = "hello"\n', 1, "nothing is wanted"),
        (WHOLE.replace('"one_step"', '"irrelevant"'), 1, "no gold"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(tmp_path: Path, wrong: str, line: int, said: str) -> None:
    text = complaint(tmp_path, wrong)
    assert f", line {line}:" in text
    assert said in text


def test_a_world_of_the_folder_stands_before_a_built_in_one(tmp_path: Path) -> None:
    written(tmp_path, 'name = "Somebody Else"\n', "worlds/robin.toml")
    assert read_scenario(written(tmp_path, WHOLE), tmp_path).world.name == "Somebody Else"


def test_a_base_that_is_a_path_is_not_followed(tmp_path: Path) -> None:
    written(tmp_path, 'name = "Mallory"\n', "secret.toml")
    assert "no world named" in complaint(tmp_path, WHOLE.replace('"robin"', '"../secret"'))


def test_a_broken_world_is_named_itself(tmp_path: Path) -> None:
    world = written(tmp_path, 'name = "x"\nage = 3\n', "worlds/old.toml")
    path = written(tmp_path, WHOLE.replace('"robin"', '"old"'))
    with pytest.raises(ScenarioError, match="line 2: 'age'") as error:
        read_scenario(path, tmp_path)
    assert str(world) in str(error.value)


def test_an_empty_folder_and_no_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="no scenario"):
        read_folder(tmp_path)
    with pytest.raises(ScenarioError, match="not a folder"):
        read_folder(tmp_path / "away")


def test_two_files_of_one_name_are_told(tmp_path: Path) -> None:
    written(tmp_path, WHOLE, "a/louder.toml")
    written(tmp_path, WHOLE, "b/louder.toml")
    with pytest.raises(ScenarioError, match="one_step/louder is also in"):
        read_folder(tmp_path)


def test_the_half_depends_on_the_name_alone() -> None:
    assert half_of("one_step/lunch_friday_noon") is half_of("one_step/lunch_friday_noon")
    halves = [half_of(f"one_step/{number}") for number in range(400)]
    assert 150 < halves.count(Half.TUNING) < 250


def test_scenarios_are_chosen_by_half_kind_and_number(tmp_path: Path) -> None:
    for number in range(8):
        written(tmp_path, WHOLE, f"s{number}.toml")
    entries = read_folder(tmp_path)
    halves = [chosen(entries, half=half) for half in Half]
    assert sorted(entry.name for half in halves for entry in half) == [entry.name for entry in entries]
    assert chosen(entries, kinds=["denied"]) == ()
    assert len(chosen(entries, limit=3)) == 3
