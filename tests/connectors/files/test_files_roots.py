"""Which folders may be used, out of the box and as a person has set."""

from pathlib import Path

import pytest

from connectors.config import ConfigError, load
from connectors.files.config import Config
from connectors.files.roots import roots_from, usual_roots


def test_the_usual_folders_are_those_that_exist_under_their_own_names(tmp_path: Path) -> None:
    (tmp_path / "Dokumente").mkdir()
    (tmp_path / "Desktop").mkdir()
    roots = usual_roots(tmp_path, (tmp_path / "Dokumente", tmp_path / "Downloads", tmp_path / "Desktop"))
    assert [(root.name, root.path, root.make) for root in roots] == [
        ("Dokumente", tmp_path / "Dokumente", False),
        ("Desktop", tmp_path / "Desktop", False),
    ]


def test_a_home_folder_standing_in_for_the_desktop_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "home" / "Documents").mkdir(parents=True)
    home = tmp_path / "home"
    roots = usual_roots(home, (home / "Documents", home, tmp_path))
    assert [root.name for root in roots] == ["Documents"]


def test_with_none_of_them_a_folder_is_made_for_the_purpose(tmp_path: Path) -> None:
    (root,) = usual_roots(tmp_path, (tmp_path / "Documents",))
    assert (root.name, root.path, root.make) == ("Askfirst", tmp_path / "Askfirst", True)
    assert not root.path.exists()


def test_folders_may_be_named_in_the_settings(tmp_path: Path) -> None:
    path = tmp_path / "files.toml"
    path.write_text('new_files = "Notes"\n[folders]\nNotes = "~/notes"\nDisk = "/mnt/disk"\n')
    roots = roots_from(load(path, Config), Path("/home/u"))
    assert [(root.name, str(root.path)) for root in roots] == [
        ("Notes", "/home/u/notes"),
        ("Disk", "/mnt/disk"),
    ]


def test_a_name_unfit_for_a_handle_is_told(tmp_path: Path) -> None:
    path = tmp_path / "files.toml"
    path.write_text('[folders]\n"a/b" = "/tmp"\n')
    with pytest.raises(ConfigError, match=r"files\.toml, line \d: .*“a/b” cannot be a folder's name"):
        load(path, Config)


def test_an_unknown_setting_is_told_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "files.toml"
    path.write_text("index = true\nbulk = 3\n")
    with pytest.raises(ConfigError, match=r"files\.toml, line 2"):
        load(path, Config)
