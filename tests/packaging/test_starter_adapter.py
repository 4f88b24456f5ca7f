"""The shipped adapter, run greedily through llama.cpp, gives these answers to the letter."""

import json
from functools import cache
from pathlib import Path

import pytest
from runtime import Runtime, load

from assistant.model.starter import adapter_path, starter_path

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("starter_goals.jsonl").read_text(encoding="utf-8").splitlines()
]


@cache
def _loaded(base: Path, adapter: Path) -> Runtime:
    return load(base, adapter)


@pytest.fixture
def starter(starter_cache: Path) -> Runtime:
    adapter = adapter_path()
    assert adapter is not None, "the adapter is not in the package"
    return _loaded(starter_path(starter_cache), adapter)


def _name(case: dict[str, object]) -> str:
    return f"{case['goal']}{' (goes on)' if case['turns'] else ''}"


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_goal_is_answered_exactly(case: dict[str, object], starter: Runtime) -> None:
    turns = [(goal, answer) for goal, answer in case["turns"]]
    assert starter.answer(str(case["goal"]), turns) == case["answer"]


def test_adapter_is_small_enough_to_ship() -> None:
    adapter = adapter_path()
    assert adapter is not None
    assert adapter.stat().st_size < 16_000_000
