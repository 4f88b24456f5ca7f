"""What fuzzing began with and what it found is read without an error, every time."""

import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[2] / "packaging" / "fuzz"
sys.path.insert(0, str(FUZZ))

from targets import TARGETS  # noqa: E402

CASES = [(name, path) for name in TARGETS for path in sorted((FUZZ / "corpus" / name).iterdir())]


@pytest.mark.parametrize(("name", "path"), CASES, ids=lambda each: getattr(each, "name", each))
def test_any_bytes_are_read_or_told_to_be_wrong(name: str, path: Path) -> None:
    TARGETS[name](path.read_bytes())


def test_each_reader_has_something_to_read() -> None:
    assert {name for name, _ in CASES} == set(TARGETS)
