"""Fixtures for the permission tests."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.permissions.fakes import Bench

_MEMORY = Path("/dev/shm")


@pytest.fixture(scope="session")
def memory() -> Iterator[Path]:
    """A folder in memory where the machine has one: these tests make thousands of transactions."""
    held = str(_MEMORY) if os.access(_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="askfirst-", dir=held) as folder:
        yield Path(folder)


@pytest.fixture
def folder(memory: Path) -> Path:
    """A new folder in memory."""
    return Path(tempfile.mkdtemp(dir=memory))


@pytest.fixture
def bench(folder: Path) -> Iterator[Bench]:
    made = Bench(folder)
    yield made
    made.journal.close()
