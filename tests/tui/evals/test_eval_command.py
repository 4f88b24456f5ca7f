"""`askfirst eval` measures the models it is told to and reports as tables or JSON."""

import json
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import pytest

from assistant.evals.agents import KEYWORDS, NOTHING, ORACLE
from assistant.evals.contestants import Contestant
from assistant.evals.meter import MeteredModel
from assistant.model.base import Piece, Turn, Wish
from connectors.base import Tool
from tui.cli import main

pytestmark = pytest.mark.timeout(120)

SCENARIOS = {
    "louder": 'kind = "one_step"\n[[say]]\ngoal = "set the volume to 30"\n'
    'gold = [{ tool = "settings.set", with = { setting = "volume", value = "30" } }]\n',
    "snow": 'kind = "irrelevant"\n[[say]]\ngoal = "will it snow"\n',
}
GOALS = [
    {"text": "mute it", "annotated": "mute it", "scenario": "audio", "intent": "volume_mute"},
    {"text": "will it snow", "annotated": "will it snow", "scenario": "weather", "intent": "query"},
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASKFIRST_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("ASKFIRST_CACHE", raising=False)
    for name, text in SCENARIOS.items():
        (tmp_path / "scenarios").mkdir(exist_ok=True)
        (tmp_path / "scenarios" / f"{name}.toml").write_text(text)
    (tmp_path / "goals.jsonl").write_text("\n".join(map(json.dumps, GOALS)))
    return tmp_path


def run(*arguments: str | Path) -> int:
    return main(["eval", *map(str, arguments)])


def test_scenarios_of_a_folder_come_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    anchors = [word for name in (ORACLE, NOTHING, KEYWORDS) for word in ("--model", name)]
    assert run("--scenarios", folder / "scenarios", *anchors, "--runs", "2", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    shares = {name: found["summary"][-1]["pass1"] for name, found in report["scenarios"].items()}
    assert shares == {ORACLE: 1, NOTHING: 0.5, KEYWORDS: 1}
    overall = report["scenarios"][NOTHING]["summary"][-1]
    assert (overall["scenarios"], overall["runs"], overall["pass_all"], overall["strays"]) == (2, 2, 0.5, 0)
    assert {row["name"]: row["passed"] for row in report["scenarios"][NOTHING]["runs"]} == {
        "irrelevant/snow": True,
        "one_step/louder": False,
    }


def test_the_table_says_what_went_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("--scenarios", folder / "scenarios", "--model", NOTHING, "--runs", "1", "--faults")
    out = capsys.readouterr().out
    assert "pass^1" in out
    assert "✗ one_step/louder\n    missing: setting | volume | 30" in out


def test_goals_of_a_file_are_measured(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--goals", folder / "goals.jsonl", "--model", KEYWORDS, "--faults", "--json") == 0
    found = json.loads(capsys.readouterr().out)["goals"][str(folder / "goals.jsonl")][KEYWORDS]
    assert (found["score"]["inside"], found["score"]["beyond"]) == (1, 1)
    assert (found["score"]["right"], found["score"]["f1"], found["score"]["called"]) == (1, 1, 0)
    assert ["audio/volume_mute", "settings.set", 1] in found["confusion"]
    assert found["faults"] == []


def test_goals_seen_elsewhere_are_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("--goals", folder / "goals.jsonl", "--without", folder / "goals.jsonl", "--model", KEYWORDS, "--json")
    found = json.loads(capsys.readouterr().out)["goals"][str(folder / "goals.jsonl")][KEYWORDS]
    assert found["score"]["inside"] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--scenarios", "{}/away", "--model", NOTHING], "not a folder of scenarios"),
        (["--goals", "{}/away.jsonl", "--model", KEYWORDS], "cannot be read (No such file or directory)."),
        (["--scenarios", "{}/scenarios", "--model", "gpt-9"], "no model named gpt-9"),
        (["--goals", "{}/goals.jsonl", "--model", ORACLE], "The oracle"),
    ],
)
def test_what_cannot_be_measured_is_told_in_a_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert run(*(argument.format(folder) for argument in arguments)) == 1
    assert said in capsys.readouterr().err


def test_a_broken_scenario_is_told_and_nothing_is_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "scenarios" / "worse.toml").write_text('kind = "one_step"\nsays = 1\n')
    assert run("--scenarios", folder / "scenarios", "--model", NOTHING) == 1
    shown = capsys.readouterr()
    assert "worse.toml, line 2: 'says' is not a setting here" in shown.err
    assert shown.out == ""


def test_the_starter_passes_a_plain_scenario(
    folder: Path, starter_cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASKFIRST_CACHE", str(starter_cache))
    assert run("--scenarios", folder / "scenarios", "--model", "starter", "--runs", "1", "--json") == 0
    report = json.loads(capsys.readouterr().out)["scenarios"]["starter"]
    assert [row["passed"] for row in report["runs"]] == [True, True]
    assert report["summary"][-1]["tokens"] > 10


class Interrupted:
    """A model at whose second goal the person ends everything."""

    name = "interrupted"

    def __init__(self) -> None:
        self._asked = 0

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        self._asked += 1
        if self._asked == 2:
            raise KeyboardInterrupt
        yield Wish("settings.set", {"setting": "mute", "value": "on"})

    async def close(self) -> None:
        pass


def test_what_was_measured_before_the_end_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Contestant("interrupted", MeteredModel(Interrupted()))
    monkeypatch.setattr("tui.evals.command.contestant", lambda *_: model)
    assert run("--goals", folder / "goals.jsonl", "--model", "interrupted", "--json") == 1
    shown = capsys.readouterr()
    (found,) = json.loads(shown.out)["goals"].values()
    assert (found["interrupted"]["score"]["inside"], found["interrupted"]["score"]["beyond"]) == (1, 0)
    assert "Stopped" in shown.err
