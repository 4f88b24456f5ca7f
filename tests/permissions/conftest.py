"""Fixtures for the permission tests."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.permissions.fakes import Bench

_MEMORY = Path("/dev/shm")

# How long one example takes says nothing on a busy machine; pytest-timeout watches over the whole.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


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
