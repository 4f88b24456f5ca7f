"""The words of the command line: help, the version, slips of the keyboard, completion and the manual."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.missing import missing
from tui.cli import main
from tui.colon import COMMANDS as TYPED
from tui.completion import SCRIPTS
from tui.grammar import COMMANDS
from tui.manual import manual

NAMES = [name for name, _, _ in COMMANDS]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASKFIRST_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def refused(*words: str) -> int:
    """The exit code of words that are wrong."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_the_version_is_told_and_nothing_is_made_for_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused("--version") == 0
    assert capsys.readouterr().out.startswith("askfirst ")
    assert not home.exists()


def test_a_slip_is_answered_with_the_command_that_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused("conect") == 2
    assert "there is no command 'conect'. Did you mean 'connect'?" in capsys.readouterr().err


def test_a_word_like_none_is_answered_with_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused("wurst") == 2
    assert "'do', 'activity', 'undo'" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-3", "x"])
def test_how_many_is_a_number_from_1_up(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused("activity", f"--number={number}") == 2
    assert f"'{number}' is not a number from 1 up" in capsys.readouterr().err


@pytest.mark.parametrize("goal", ["", "   "])
def test_an_empty_goal_is_not_put_to_the_model(goal: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["do", goal]) == 1
    assert capsys.readouterr().err.startswith("askfirst: Say what to do")


def test_help_tells_all_commands_one_of_them_or_that_there_is_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["help"]) == 0
    told = capsys.readouterr().out
    assert [name for name in NAMES if name not in told] == []
    assert refused("help", "undo") == 0
    assert "usage: askfirst undo" in capsys.readouterr().out
    assert main(["help", "wurst"]) == 2
    assert "There is no command 'wurst'" in capsys.readouterr().err


def completed(script: Path, *words: str) -> list[str]:
    """What bash would complete the last of the words to."""
    typed = " ".join(f"'{word}'" for word in ("askfirst", *words))
    asked = f'. "$0"; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _askfirst; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", asked, script], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["conn"], ["connect", "connectors"]),
        (["--de"], ["--demo"]),
        (["connect", "m"], ["messaging"]),
        (["--demo", "models", "i"], ["import"]),
        (["do", "--grant", ""], []),
        (["activity", "--ver"], ["--verify"]),
        (["completion", ""], ["bash", "zsh", "fish", "--help"]),
    ],
)
def test_bash_completes_commands_what_stands_behind_them_and_flags(
    words: list[str], found: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "askfirst"
    script.write_text(capsys.readouterr().out)
    assert completed(script, *words) == found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_finds_no_fault_in_its_script(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        missing(f"there is no {shell} here")
    script = tmp_path / "askfirst"
    script.write_text(SCRIPTS[shell]())
    done = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", SCRIPTS)
def test_every_command_and_flag_is_in_the_script_of_each_shell(shell: str) -> None:
    script = SCRIPTS[shell]()
    flags = [
        flags[-1].lstrip("-") for _, _, arguments in COMMANDS for flags, _ in arguments if "-" in flags[0]
    ]
    assert [word for word in (*NAMES, *flags) if word not in script] == []


def test_the_manual_has_every_command_flag_and_key_word_and_roff_finds_no_fault_in_it() -> None:
    page = manual()
    assert [name for name in NAMES if f".B askfirst {name}" not in page] == []
    assert [name for name in TYPED if f".B :{name}" not in page] == []
    assert r"\-\-verify" in page
    if shutil.which("groff") is None:
        missing("there is no groff here")
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "askfirst activity" in done.stdout
