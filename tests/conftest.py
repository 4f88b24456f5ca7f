"""What tests of every floor share."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import settings

from assistant.model.base import ModelUnusable
from assistant.model.starter.fetch import fetch_starter
from tests.missing import missing
from tui.places import usual

settings.register_profile("askfirst", deadline=None)
settings.load_profile("askfirst")


@pytest.fixture(scope="session")
def starter_cache() -> Path:
    """The real cache folder with the starter's base in it, fetched if it is missing.

    Without a network the tests that need it are skipped, but not in CI.
    """
    cache = usual().cache
    try:
        asyncio.run(fetch_starter(cache))
    except ModelUnusable as error:
        missing(f"the starter model is not here: {error}")
    return cache
