"""Fixtures for the permission tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.permissions.fakes import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.journal.close()
