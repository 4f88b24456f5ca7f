"""Worlds for the tests of measuring lie in memory where the machine has a place for that."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_MEMORY = Path("/dev/shm")


@pytest.fixture(scope="session", autouse=True)
def worlds_in_memory() -> Iterator[None]:
    usual = tempfile.tempdir
    if _MEMORY.is_dir():
        tempfile.tempdir = str(_MEMORY)
    yield
    tempfile.tempdir = usual
