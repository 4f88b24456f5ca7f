"""The index as a file: kept for the next time, shared, made anew when it is damaged, done without."""

import time
from typing import Any

import pytest

from connectors.files.config import Config
from tests.waiting import until


def build(world: Any) -> None:
    world.connector.start()
    until(lambda: world.connector._desk.index.complete)


def labels(outcome: Any) -> list[str]:
    return [item.label for item in outcome.items]


async def search(world: Any, words: str, **more: str) -> list[str]:
    return labels(await world.do("search", words=words, **more))


async def test_the_index_is_kept_for_the_next_time(indexed: Any) -> None:
    indexed.file("Documents/lease.txt", "the landlord")
    build(indexed)
    indexed.connector.close()
    indexed.file("Documents/other.txt", "the tenant")
    (indexed.documents / "lease.txt").unlink()
    indexed.connector = indexed.connect(Config())
    build(indexed)
    assert await search(indexed, "landlord") == []
    assert await search(indexed, "tenant") == ["other.txt"]


async def test_two_askfirsts_may_build_the_same_index(indexed: Any) -> None:
    for number in range(1000):
        indexed.file(f"Documents/{number // 500}/{number}.txt", "word")
    other = indexed.connect(Config())
    try:
        other.start()
        build(indexed)
        until(lambda: other._desk.index.complete)
        assert (other.notices(), indexed.connector.notices()) == ((), ())
        outcome = await indexed.do("search", words="word")
        assert outcome.text.startswith("Found 1,000 files")
        assert outcome.text.endswith("980 more.")
    finally:
        other.close()


@pytest.mark.parametrize("damage", [b"this is no database", b""])
async def test_a_damaged_index_is_made_anew(indexed: Any, damage: bytes) -> None:
    indexed.file("Documents/lease.txt", "the landlord")
    (indexed.home / "cache").mkdir()
    (indexed.home / "cache" / "files.db").write_bytes(damage)
    build(indexed)
    assert await search(indexed, "landlord") == ["lease.txt"]
    assert indexed.connector.notices() == ()


async def test_without_room_for_an_index_searching_still_works(indexed: Any) -> None:
    (indexed.home / "cache").write_text("a file where the folder should be")
    indexed.file("Documents/lease.txt", "the landlord")
    indexed.connector.start()
    until(lambda: indexed.connector.notices() != ())
    assert indexed.connector.notices()[0].text.startswith("There is no index of the files: ")
    outcome = await indexed.do("search", words="landlord")
    assert labels(outcome) == ["lease.txt"]
    assert "There is no index of the files, so they were looked through one by one." in outcome.text


async def test_the_index_is_private(indexed: Any) -> None:
    build(indexed)
    assert (indexed.home / "cache").stat().st_mode & 0o777 == 0o700
    assert (indexed.home / "cache" / "files.db").stat().st_mode & 0o777 == 0o600


async def test_starting_does_not_wait_for_the_index(indexed: Any) -> None:
    for number in range(3000):
        indexed.file(f"Documents/{number // 100}/{number}.txt", "word " * 20)
    began = time.monotonic()
    indexed.connector.start()
    assert time.monotonic() - began < 0.5
    assert not indexed.connector._desk.index.complete
    until(lambda: indexed.connector._desk.index.complete)
    assert (await indexed.do("search", words="word")).text.startswith("Found 3,000 files")
