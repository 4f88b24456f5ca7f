"""The command line, as a person or a script runs it."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(120)


@dataclass
class Shell:
    """Runs commands in a home of its own, with no terminal."""

    home: Path
    cache: Path

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "ASKFIRST_HOME": str(self.home), "ASKFIRST_CACHE": str(self.cache)}
        return subprocess.run(
            [sys.executable, "-m", "tui.cli", *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    def configure(self, name: str, text: str) -> None:
        path = self.home / "config" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "home", tmp_path / "cache")


def test_a_goal_with_nobody_there_is_refused_with_the_list_of_what_would_be_asked(
    tmp_path: Path, starter_cache: Path
) -> None:
    done = Shell(tmp_path, starter_cache).run("do", "schedule lunch with Sam on Friday at noon")
    assert done.returncode == 3
    assert "It would have asked:" in done.stderr
    assert "calendar.create_event (adds an event): Add “lunch with Sam” to the calendar" in done.stderr
    assert not list((tmp_path / "data").rglob("*.ics"))


def test_nothing_is_said_to_be_done_for_what_no_tool_can_do(tmp_path: Path, starter_cache: Path) -> None:
    done = Shell(tmp_path, starter_cache).run("do", "what is the capital of France")
    assert done.returncode == 0
    assert "None of my tools can do that" in done.stdout


def test_an_unknown_key_is_named_with_its_file_and_line_and_the_other_services_go_on(shell: Shell) -> None:
    shell.configure("connectors/calendar.toml", '# mine\n\ncolour = "red"\n')
    checked = shell.run("check")
    assert checked.returncode == 1
    assert "calendar.toml, line 3: 'colour' is not a setting here" in checked.stderr
    listed = json.loads(shell.run("connectors", "--json").stdout)
    states = {row["name"]: row["state"] for row in listed}
    assert states["calendar"] == "off"
    assert states["files"] == "ready"
    assert (shell.home / "config/connectors/calendar.toml").read_text().startswith("# mine")


def test_main_settings_that_are_wrong_stop_with_one_sentence(shell: Shell) -> None:
    shell.configure("config.toml", 'timezone = "Mars/Olympus"\n')
    done = shell.run("activity")
    assert done.returncode == 1
    assert "config.toml, line 1: 'timezone'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_no_model_is_refused_with_a_sentence(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "model.gguf"
    page.write_text("<html>not found</html>")
    done = shell.run("models", "import", str(page))
    assert done.returncode == 1
    assert "model.gguf" in done.stderr
    assert "Traceback" not in done.stderr
    assert shell.run("models", "use", "nonsense").returncode == 1


def test_a_model_that_was_not_brought_is_a_sentence_too(shell: Shell) -> None:
    shell.configure("config.toml", 'model = "botpsy-q8"\n')
    done = shell.run("do", "list tomorrow")
    assert done.returncode == 1
    assert "BotPsy 0.8B (Q8_0) is not here yet. Get it: askfirst models get botpsy-q8" in done.stderr


@pytest.mark.parametrize("words", [("activity",), ("connectors",), ("models",), ("doctor",)])
def test_every_list_comes_as_json(shell: Shell, words: tuple[str, ...]) -> None:
    assert isinstance(json.loads(shell.run(*words, "--json").stdout), list)


def test_the_demo_leaves_nothing_of_its_world_behind(shell: Shell) -> None:
    done = shell.run("--demo", "connectors")
    assert done.returncode == 0
    assert not (shell.home / "data").exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file in the way")
    done = Shell(tmp_path / "home", tmp_path / "cache").run("activity")
    assert done.returncode == 1
    assert "cannot be made" in done.stderr


def test_a_journal_that_is_damaged_is_kept_aside_and_told(shell: Shell) -> None:
    (shell.home / "state").mkdir(parents=True)
    (shell.home / "state/journal.db").write_bytes(b"this is no journal" * 500)
    done = shell.run("activity")
    assert "Traceback" not in done.stderr
    files = [path for path in (shell.home / "state").iterdir() if path.is_file()]
    assert any(path.read_bytes().startswith(b"this is no journal") for path in files)
    assert "journal" in done.stderr


def test_a_deed_is_undone_by_the_short_id_that_activity_shows(tmp_path: Path, starter_cache: Path) -> None:
    shell = Shell(tmp_path, starter_cache)
    shell.run("do", "schedule lunch with Sam on Friday at noon")
    listed = shell.run("activity").stdout
    assert "denied" in listed
    done = shell.run("undo", listed.split()[0])
    assert "There is nothing that can be undone." in done.stdout
