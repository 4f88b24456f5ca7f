"""Choosing the folders that may be used, by questions; what is written is read by the service."""

from pathlib import Path

import pytest

from connectors.asking import GivenUp
from connectors.config import ConfigError, load
from connectors.files.config import Config
from connectors.files.connecting import connect_files
from connectors.files.roots import roots_from
from connectors.mode import Mode
from tests.connectors.people_asked import Person


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    for name in ("Documents", "Downloads", "notes", "a [b] c"):
        (home / name).mkdir(parents=True)
    for each in ("documents", "downloads"):
        monkeypatch.setattr(f"platformdirs.user_{each}_path", lambda each=each: home / each.capitalize())
    for each in ("desktop", "pictures", "music", "videos"):
        # A desktop environment may name the home folder itself in place of a folder that is not there.
        monkeypatch.setattr(f"platformdirs.user_{each}_path", lambda: home)
    return home


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "connectors" / "files.toml"


def test_usual_and_other_folders_are_written_so_that_they_work(home: Path, path: Path) -> None:
    person = Person("1", "~/notes", "")
    person.answers.append("")
    lines = connect_files(person, path, home)
    assert person.answers == []
    config = load(path, Config)
    assert {root.name: root.path for root in roots_from(config, home)} == {
        "Documents": home / "Documents",
        "notes": home / "notes",
    }
    assert config.mode is Mode.FULL
    assert lines == 'mode = "full"\n\n[folders]\n"Documents" = "~/Documents"\n"notes" = "~/notes"\n'


def test_the_home_folder_is_never_offered_and_never_taken(home: Path, path: Path) -> None:
    person = Person("", str(home), "/", "~", "", "")
    with pytest.raises(GivenUp):
        connect_files(person, path, home)
    offered = [said for said in person.said if said.startswith("~/")]
    assert offered == ["~/Documents", "~/Downloads"]
    assert sum("holds everything that is yours" in said for said in person.said) == 3
    assert not path.exists()


def test_a_folder_that_is_not_there_is_asked_for_again(home: Path, path: Path) -> None:
    person = Person("", "~/nots", "~/notes", "", "no")
    connect_files(person, path, home)
    assert any("There is no folder" in said for said in person.said)
    assert load(path, Config).mode is Mode.READ_ONLY


def test_what_stands_in_the_file_stays_and_folders_are_added(home: Path, path: Path) -> None:
    path.parent.mkdir()
    path.write_text("# mine\nbulk_limit = 7  # few\nmode = 'off'\n\n[folders]  # my own\nnotes = '~/notes'\n")
    person = Person("1", "~/a [b] c", "", "yes")
    connect_files(person, path, home)
    assert path.read_text() == (
        '# mine\nbulk_limit = 7  # few\nmode = "full"  # off, read-only or full\n\n[folders]  # my own\n'
        '"Documents" = "~/Documents"\n"a b c" = "~/a [b] c"\nnotes = \'~/notes\'\n'
    )
    assert list(load(path, Config).folders) == ["Documents", "a b c", "notes"]


def test_two_folders_of_one_name_get_names_of_their_own(home: Path, path: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    connect_files(Person("", "~/notes", str(tmp_path / "notes"), "", ""), path, home)
    assert load(path, Config).folders == {"notes": Path("~/notes"), "notes 2": tmp_path / "notes"}


def test_folders_named_in_a_way_that_lines_cannot_be_added_to_are_left_alone(home: Path, path: Path) -> None:
    path.parent.mkdir()
    path.write_text("folders = { notes = '~/notes' }\n")
    with pytest.raises(ConfigError):
        connect_files(Person("1", "", ""), path, home)
    assert path.read_text() == "folders = { notes = '~/notes' }\n"


@pytest.mark.parametrize("answers", [(None,), ("1", None), ("1", "", None)])
def test_giving_up_writes_nothing(home: Path, path: Path, answers: tuple[str | None, ...]) -> None:
    with pytest.raises(GivenUp):
        connect_files(Person(*answers), path, home)
    assert not path.exists()


def test_only_shown_nothing_is_written(home: Path, path: Path) -> None:
    assert "[folders]" in connect_files(Person("1", "", ""), path, home, only_show=True)
    assert not path.exists()
