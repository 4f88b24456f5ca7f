"""Measuring real models: a toy that never asks for a call, and the starter."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from assistant.model.base import ModelUnusable
from assistant.model.capacity.machine import cores
from assistant.model.capacity.measure import Measuring
from assistant.model.spec import DialectName, ModelSpec
from assistant.model.starter import starter_spec
from tests.assistant.model.tools import OFFERED
from tests.assistant.model.toy import build_qwen
from tests.assistant.model.words import many_words

pytestmark = pytest.mark.timeout(180)


def now() -> datetime:
    return datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Europe/Copenhagen"))


def nobody(stage: str, fraction: float | None) -> None:
    """Hears of the progress."""


async def test_a_goal_that_takes_too_long_is_given_up_and_the_rest_is_measured(tmp_path: Path) -> None:
    path = build_qwen(tmp_path / "toy.gguf", words=many_words(), quantised=True)
    spec = ModelSpec("toy", "Toy", path, DialectName.QWEN, context=8192)
    told: list[str] = []
    measuring = Measuring(
        spec, OFFERED, now, lambda stage, _: told.append(stage), threads=1, most_seconds=0.02
    )
    measured = await measuring.run()
    assert measured.cold.first is None
    assert measured.cold.called is None
    assert len(measured.warm) == 2
    assert measured.otherwise is not None
    assert measured.usual.threads == 1
    assert all(speed.reading > 0 < speed.answering for speed in measured.speeds)
    assert {speed.threads for speed in measured.speeds} == {
        1,
        cores(),
        max(cores() - 1, 1),
        max(cores() // 2, 1),
    }
    assert "reading and answering with 1 thread" in told


async def test_the_starter_asks_for_calls_and_does_not_think(starter_cache: Path) -> None:
    measured = await Measuring(starter_spec(starter_cache), OFFERED, now, nobody).run()
    assert measured.otherwise is None
    assert measured.cold.called is not None
    assert 0 < measured.cold.read <= measured.cold.prompt < 100
    assert all(asked.called is not None and asked.called < 60 for asked in measured.warm)
    assert measured.memory is not None
    assert measured.memory < measured.needed * 1.1
    assert measured.available is not None


async def test_a_file_that_is_no_model_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(b"GGUF and no more")
    with pytest.raises(ModelUnusable, match=r"bad\.gguf is not whole"):
        await Measuring(ModelSpec("bad", "Bad", path, DialectName.QWEN), OFFERED, now, nobody).run()
