"""A gate over one small service, and folders in memory, for the invariants."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.permissions.fakes import Bench

_MEMORY = Path("/dev/shm")


@pytest.fixture(scope="module")
def new_folder() -> Iterator[Callable[[], Path]]:
    """Makes one new folder after another, in memory where the machine has one."""
    held = str(_MEMORY) if os.access(_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="askfirst-", dir=held) as folder:
        yield lambda: Path(tempfile.mkdtemp(dir=folder))


@pytest.fixture
def bench(new_folder: Callable[[], Path]) -> Iterator[Bench]:
    made = Bench(new_folder())
    yield made
    made.journal.close()
