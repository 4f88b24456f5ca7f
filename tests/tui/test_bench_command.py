"""`askfirst bench` over a toy model, as a person or a script runs it."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.model.capacity.measure import Asked, Measured, Speed
from tests.assistant.model.toy import build_qwen
from tests.assistant.model.words import many_words
from tests.interrupts import heed_interrupts
from tui.bench import report

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A toy whose vocabulary makes prompts as long as those of real models."""
    path = tmp_path_factory.mktemp("toy") / "toy.gguf"
    return build_qwen(path, words=many_words(), quantised=True)


def started(home: Path, *words: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "ASKFIRST_HOME": str(home), "ASKFIRST_CACHE": str(home / "cache")}
    return subprocess.Popen(
        [sys.executable, "-m", "tui.cli", "bench", *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_interrupts,
    )


def test_a_file_is_measured_and_all_figures_are_there(tmp_path: Path, toy: Path) -> None:
    process = started(tmp_path, str(toy), "--json")
    said, complaints = process.communicate(timeout=150)
    assert process.returncode == 0, complaints
    told = json.loads(said)
    assert told["title"] == "Toy Qwen"
    assert told["size"] == toy.stat().st_size
    assert told["load"] > 0
    assert [speed["threads"] for speed in told["speeds"]] == list(
        dict.fromkeys(s["threads"] for s in told["speeds"])
    )
    assert all(speed["reading"] > 0 < speed["answering"] for speed in told["speeds"])
    assert told["cold"]["read"] == told["cold"]["prompt"] > 2000
    assert 0 < told["warm"][0]["read"] < 200
    assert told["memory"] < told["needed"] * 1.2
    assert any(line.startswith("Threads: ") for line in told["advice"])
    assert not list((tmp_path / "data").rglob("*.ics"))


def test_ctrl_c_stops_it_in_one_sentence_and_leaves_no_process(tmp_path: Path, toy: Path) -> None:
    process = started(tmp_path, str(toy))
    while not (children := children_of(process.pid)):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    said, complaints = process.communicate(timeout=30)
    assert process.returncode == 1
    assert complaints == "askfirst: Stopped; nothing was measured to its end.\n"
    assert said == ""
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def test_a_model_that_is_not_here_is_told(tmp_path: Path) -> None:
    process = started(tmp_path, "no-such-model")
    _, complaints = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "There is no model named no-such-model here." in complaints


def children_of(pid: int) -> list[int]:
    command = ["pgrep", "-P", str(pid), "-f", "assistant.model.child"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


MEASURED = Measured(
    title="BotPsy 0.8B (Q8_0)",
    key="botpsy-q8",
    size=810_000_000,
    file_type=7,
    cores=2,
    context=8192,
    trained_context=262_144,
    load=1.24,
    speeds=(Speed(1, 69.4, 18.2), Speed(2, 41.0, 3.1)),
    cold=Asked(45.1, 47.5, 3061, 3061),
    warm=(Asked(1.0, 3.24, 58, 3068), Asked(12.0, None, 1274, 3050)),
    thinking=True,
    otherwise=Asked(None, None, 20, 3061),
    memory=1_090_000_000,
    needed=1_310_000_000,
    available=22_500_000_000,
)


def test_the_report_is_plain_lines_within_80_columns() -> None:
    lines = list(report(MEASURED))
    assert lines == [
        "BotPsy 0.8B (Q8_0), 810 MB; 2 cores, 22.5 GB free",
        "",
        "  loading           1.2 s",
        "  reading           69 tokens a second with 1 thread",
        "  answering         18 tokens a second",
        "  with 2 threads    reading 41, answering 3",
        "  first goal        47.5 s to the first call; 3,061 of 3,061 tokens read",
        "  another goal      3.2 s to the first call; 58 of 3,068 tokens read",
        "  another goal      no call; 12.0 s to the first word; 1,274 of 3,050 tokens",
        "                    read",
        "  without thinking  no answer in the time given; 20 of 3,061 tokens read",
        "  memory            1.1 GB, up to 1.3 GB with all of 8,192 tokens in use",
        "",
        "Threads: 1 is right for this machine.",
    ]
    assert max(map(len, lines)) <= 80


def test_long_advice_is_wrapped() -> None:
    lines = list(report(replace(MEASURED, available=1_400_000_000, busy=3.0)))
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("  ") and not line.startswith("   ") for line in lines[-4:])


def test_where_it_is_not_known_what_is_free_nothing_is_said_of_it() -> None:
    lines = list(report(replace(MEASURED, available=None, memory=None)))
    assert lines[0] == "BotPsy 0.8B (Q8_0), 810 MB; 2 cores"
    assert "  memory            up to 1.3 GB with all of 8,192 tokens in use" in lines
