"""Searching by words: with the index, while it is being built, and without one."""

import os
import sqlite3
import time
from collections.abc import Callable
from typing import Any

import pytest

from connectors.base import Effect, Needs
from connectors.files.config import Config
from tests.waiting import until


def build(world: Any) -> None:
    world.connector.start()
    until(lambda: world.connector._desk.index.complete)


def labels(outcome: Any) -> list[str]:
    return [item.label for item in outcome.items]


async def search(world: Any, words: str, **more: str) -> list[str]:
    return labels(await world.do("search", words=words, **more))


async def found_in_time(world: Any, words: str, expected: list[str]) -> None:
    """Search until this is found: what others change is heard of a little later."""
    deadline = time.monotonic() + 20
    while (found := await search(world, words)) != expected:
        assert time.monotonic() < deadline, found


@pytest.fixture(params=["index", "walk"])
def either(request: pytest.FixtureRequest, new_world: Any) -> tuple[Any, Callable[[], None]]:
    """A world with an index or without, and what makes it ready once the files are there."""
    world = new_world(config=Config(index=request.param == "index"))
    return world, (lambda: build(world)) if request.param == "index" else (lambda: None)


async def test_a_search_shows_its_words_and_where_it_looks(world: Any) -> None:
    prepared = await world.prepared("search", words="lease", folder="Documents")
    assert prepared.effects == {Effect.READ}
    assert prepared.preview.title == "Search files for “lease”"
    assert [(field.label, field.value) for field in prepared.preview.fields] == [
        ("Words", "lease"),
        ("In", "Documents"),
    ]


async def test_files_are_found_by_name_and_text(either: Any) -> None:
    world, ready = either
    world.file("Documents/flat/Lease.txt", "x" * 2000)
    world.file("Documents/letter.txt", "about the new lease")
    world.file("Documents/other.txt", "nothing of the kind")
    ready()
    outcome = await world.do("search", words="lease")
    assert labels(outcome) == ["Lease.txt", "letter.txt"]
    assert outcome.items[0].handle == "file:Documents/flat/Lease.txt"
    assert outcome.items[0].detail == "Documents/flat/Lease.txt, 2 KB, changed Tue 24 Nov 2026"
    assert outcome.text.startswith("Found 2 files with “lease” in the name or text.")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Die Straße ist lang", "strasse"),
        ("STRASSE", "straße"),
        ("Résumé of Zoë", "resume zoe"),
        ("今日は日本語を話す", "日本語"),
        ("今日は日本語を話す", "日本"),
        ("명세서를 보냈다", "명세서"),
        ("don't panic", "don't"),
        ("written in C++ and C", "C++"),
        ("foo-bar and a:b", "foo-bar a:b"),
        ("a dentist’s appointment", "dent"),
        ("this AND that", "AND that"),
        ('a "quoted" word', '"quoted'),
        ("star * NEAR(x)", "NEAR(x)"),
    ],
)
async def test_words_are_found_however_they_are_written(either: Any, text: str, words: str) -> None:
    world, ready = either
    world.file("Documents/one.txt", text)
    world.file("Documents/two.txt", "something else")
    ready()
    assert await search(world, words) == ["one.txt"]
    assert world.connector.notices() == ()


@pytest.mark.parametrize("words", ["*", "()", "-", "“”", "⁂"])
async def test_a_search_for_no_word_at_all_is_refused(world: Any, words: str) -> None:
    assert (await world.refused("search", words=words)).needs is Needs.INVALID


@pytest.mark.parametrize(
    "words", ['"', "a OR", "NOT x", "name:x", "^x", "{x}", "x*", "' ; DROP TABLE entry --"]
)
async def test_no_words_are_an_operator_or_an_error(indexed: Any, words: str) -> None:
    indexed.file("Documents/unrelated.txt", "nothing")
    build(indexed)
    looked = await indexed.look("search", words=words)
    if hasattr(looked, "payload"):
        assert await indexed.connector.perform(looked) is not None
    assert indexed.connector.notices() == ()


async def test_all_words_are_needed_and_else_some_are_told(indexed: Any) -> None:
    indexed.file("Documents/a.txt", "lease of the flat")
    indexed.file("Documents/b.txt", "lease of the car")
    build(indexed)
    assert await search(indexed, "lease car") == ["b.txt"]
    outcome = await indexed.do("search", words="lease boat")
    assert sorted(labels(outcome)) == ["a.txt", "b.txt"]
    assert outcome.text == "Nothing has all of “lease boat”; 2 files with some of the words."


async def test_a_search_may_be_kept_to_a_folder(either: Any) -> None:
    world, ready = either
    world.file("Documents/a/lease.txt")
    world.file("Documents/ab/lease 2.txt")
    world.file("Downloads/lease 3.txt")
    ready()
    assert await search(world, "lease", folder="a") == ["lease.txt"]
    assert await search(world, "lease", folder="Downloads") == ["lease 3.txt"]
    assert sorted(await search(world, "lease", folder="Documents")) == ["lease 2.txt", "lease.txt"]
    assert (await world.refused("search", words="lease", folder="nowhere")).needs is Needs.NOT_FOUND


async def test_hidden_files_binary_files_and_links_out_are_not_searched(either: Any) -> None:
    world, ready = either
    world.file("Documents/.hidden.txt", "lease")
    world.file("Documents/.git/config.txt", "lease")
    world.file("Documents/picture.png", b"\x89PNG\0 lease")
    os.symlink("../outside", world.documents / "link")
    os.symlink("../outside/secret.txt", world.documents / "link.txt")
    ready()
    assert await search(world, "lease") == []
    assert await search(world, "secret") == []


async def test_many_hits_are_counted_and_twenty_listed(either: Any) -> None:
    world, ready = either
    for number in range(45):
        world.file(f"Documents/lease {number}.txt")
    ready()
    outcome = await world.do("search", words="lease")
    assert len(outcome.items) == 20
    assert "Found 45 files with “lease” in the name or text. Here are 20; 25 more." in outcome.text


async def test_folders_are_found_by_name(either: Any) -> None:
    world, ready = either
    world.file("Documents/Tax 2025/a.txt", "x")
    ready()
    outcome = await world.do("search", words="tax")
    assert outcome.items[0].detail.startswith("Documents/Tax 2025, folder, ")
    assert outcome.text.startswith("Found 1 file or folder with “tax”")


async def test_a_name_that_is_not_utf8_is_found_by_its_probable_letters(either: Any) -> None:
    world, ready = either
    world.file(b"Documents/K\xf6nig.txt")
    ready()
    assert await search(world, "könig") == [r"K\xf6nig.txt"]


async def test_while_the_index_is_built_the_files_are_looked_through_and_it_is_said(indexed: Any) -> None:
    indexed.file("Documents/lease.txt")
    # Another program holds the index, so that it cannot get on.
    (indexed.home / "cache").mkdir()
    with sqlite3.connect(indexed.home / "cache" / "files.db") as other:
        other.execute("BEGIN EXCLUSIVE")
        outcome = await indexed.do("search", words="lease")
        assert labels(outcome) == ["lease.txt"]
        assert "The index of the files is still being built" in outcome.text
        assert (await indexed.do("read", file="lease")).content == "some text\n"
    other.close()


async def test_what_was_done_here_is_found_at_once(indexed: Any) -> None:
    indexed.file("Documents/old/x.txt")
    build(indexed)
    made = await indexed.do("write", file="lease", text="the landlord")
    assert await search(indexed, "landlord") == ["lease.txt"]
    await indexed.do("write", file="lease", text="the tenant")
    assert await search(indexed, "landlord") == []
    assert await search(indexed, "tenant") == ["lease.txt"]
    await indexed.do("move", file="lease.txt", to="old")
    assert (await indexed.do("search", words="tenant")).items[0].handle == "file:Documents/old/lease.txt"
    deleted = await indexed.do("delete", file="Documents/old")
    assert await search(indexed, "tenant") == []
    await indexed.undo(deleted)
    assert await search(indexed, "tenant") == ["lease.txt"]
    assert made.ok


async def test_what_others_do_is_heard_of(indexed: Any) -> None:
    indexed.file("Documents/start.txt")
    build(indexed)
    path = indexed.file("Documents/new/deep/lease.txt", "the landlord")
    await found_in_time(indexed, "landlord", ["lease.txt"])
    for words in ("first", "second"):
        # As editors save: a new file is renamed over the old one.
        aside = indexed.file("Documents/new/deep/.lease.txt.swp", f"{words} version")
        aside.replace(path)
        await found_in_time(indexed, words, ["lease.txt"])
    os.rename(indexed.documents / "new", indexed.downloads / "moved")
    await found_in_time(indexed, "second", ["lease.txt"])
    assert (await indexed.do("search", words="second")).items[
        0
    ].handle == "file:Downloads/moved/deep/lease.txt"
    path = indexed.downloads / "moved/deep/lease.txt"
    path.unlink()
    await found_in_time(indexed, "second", [])


async def test_a_file_gone_without_notice_is_not_listed(indexed: Any) -> None:
    path = indexed.file("Documents/lease.txt")
    indexed.file("Documents/lease 2.txt")
    build(indexed)
    indexed.connector._desk.index._watch.stop()
    path.unlink()
    outcome = await indexed.do("search", words="lease")
    assert labels(outcome) == ["lease 2.txt"]
    assert outcome.text.startswith("Found 1 file")


async def test_without_being_told_the_folders_are_gone_through_again(indexed: Any) -> None:
    indexed.file("Documents/lease.txt")
    build(indexed)
    index = indexed.connector._desk.index
    index._watch.stop()
    assert "not heard of at once" in indexed.connector.notices()[0].text
    index._looked = float("-inf")
    indexed.file("Documents/landlord.txt")
    await found_in_time(indexed, "landlord", ["landlord.txt"])
    assert index.watched


async def test_a_folder_that_goes_and_comes_back_is_followed_again(indexed: Any) -> None:
    indexed.file("Downloads/lease.txt")
    build(indexed)
    away = indexed.home / "away"
    indexed.downloads.rename(away)
    outcome = await indexed.do("search", words="lease")
    assert labels(outcome) == []
    assert "is not there" in outcome.text
    assert len(indexed.connector.notices()) == 1
    away.rename(indexed.downloads)
    assert await search(indexed, "lease") == ["lease.txt"]


async def test_a_folder_put_in_the_place_of_another_is_looked_through(indexed: Any) -> None:
    indexed.file("Downloads/lease.txt")
    build(indexed)
    indexed.downloads.rename(indexed.home / "away")
    indexed.file("Downloads/landlord.txt")
    index = indexed.connector._desk.index
    assert not index.watched
    assert (await indexed.do("read", file="landlord")).ok
    index._looked = float("-inf")
    await found_in_time(indexed, "landlord", ["landlord.txt"])
    assert index.watched
