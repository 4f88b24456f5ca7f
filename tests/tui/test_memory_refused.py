"""A model that needs more memory than there is: refused in words, before it is loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.assistant.model.toy import build_qwen

pytestmark = pytest.mark.timeout(120)

HUGE = 1_000_000_000


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home whose settings name a toy with a context that no machine has memory for."""
    model = build_qwen(tmp_path / "toy.gguf", context=HUGE)
    config = tmp_path / "config"
    config.mkdir()
    (config / "config.toml").write_text(f'model = "{model}"\n[models.toy]\ncontext = {HUGE}\n')
    return tmp_path


def run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tui.cli", *words],
        env={**os.environ, "ASKFIRST_HOME": str(home), "ASKFIRST_CACHE": str(home / "cache")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.mark.parametrize("words", [("do", "schedule lunch on Friday"), ("bench",)])
def test_it_is_not_loaded_and_the_choices_are_named(home: Path, words: tuple[str, ...]) -> None:
    done = run(home, *words)
    assert done.returncode == 1
    assert "Toy Qwen needs 2176.1 GB of memory with a context of 1,000,000,000 tokens" in done.stderr
    assert "under [models.toy] in config.toml" in done.stderr
    assert "askfirst models use starter" in done.stderr
    assert "Q4_K_M" not in done.stderr


def test_the_doctor_tells_it_before_anything_is_asked(home: Path) -> None:
    told = run(home, "doctor").stdout
    assert "✗ model         Toy Qwen needs 2176.1 GB of memory" in told
