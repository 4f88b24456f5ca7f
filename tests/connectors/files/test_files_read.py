"""Reading and listing: what is shown, and how what cannot be shown is told."""

import os
from typing import Any

import pytest

from connectors.base import Effect, Needs
from connectors.files.config import Config


async def test_a_file_is_read_with_where_and_how_old_it_is(world: Any) -> None:
    world.file("Documents/lease.txt", "x" * 2000)
    prepared = await world.prepared("read", file="lease")
    assert prepared.effects == {Effect.READ}
    assert prepared.preview.title == "Read Documents/lease.txt"
    assert [(thing.argument, thing.value, thing.label) for thing in prepared.resolved] == [
        ("file", "file:Documents/lease.txt", "lease.txt")
    ]
    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Documents/lease.txt, 2 KB, changed Tue 24 Nov 2026."
    assert outcome.content == "x" * 2000


async def test_an_older_encoding_is_read_and_named(world: Any) -> None:
    world.file("Documents/price.txt", "price: €5".encode("cp1252"))
    outcome = await world.do("read", file="price")
    assert outcome.content == "price: €5"
    assert outcome.text.endswith("Read as Windows-1252.")


async def test_foreign_text_is_cleaned(world: Any) -> None:
    world.file("Documents/a.txt", "a\x1b[2Jb\u202ec\r\nnext")
    assert (await world.do("read", file="a.txt")).content == "a⟨U+001B⟩[2Jb⟨U+202E⟩c\nnext"


async def test_an_empty_file_is_said_to_be_empty(world: Any) -> None:
    world.file("Documents/a.txt", "")
    outcome = await world.do("read", file="a.txt")
    assert outcome.content == ""
    assert "It is empty." in outcome.text


async def test_a_long_text_is_cut_visibly(new_world: Any) -> None:
    world = new_world(config=Config(index=False, show_limit=200))
    world.file("Documents/a.txt", "start" + "x" * 1000 + "end")
    outcome = await world.do("read", file="a.txt")
    assert outcome.content.startswith("start")
    assert outcome.content.endswith("end")
    assert "…[808 more]…" in outcome.content
    assert outcome.text.endswith("The middle is left out.")


async def test_a_huge_file_is_read_in_part_and_said_so(new_world: Any) -> None:
    world = new_world(config=Config(index=False, size_limit=1001))
    world.file("Documents/a.txt", "€" * 1000)
    outcome = await world.do("read", file="a.txt")
    assert outcome.content == "€" * 333
    assert "Only the first 1 KB were read." in outcome.text


async def test_a_picture_is_named_with_type_and_size(world: Any) -> None:
    world.file("Documents/a.png", b"\x89PNG\r\n\x1a\n" + bytes(34_000))
    outcome = await world.do("read", file="a.png")
    assert not outcome.ok
    assert outcome.needs is Needs.UNSUPPORTED
    assert outcome.text == "“a.png” is a PNG image of 34 KB, not text."


async def test_a_pipe_is_refused_at_once(world: Any) -> None:
    os.mkfifo(world.documents / "pipe")
    assert (await world.refused("read", file="pipe")).text == "“Documents/pipe” is not an ordinary file."


async def test_a_hard_link_is_warned_of(world: Any) -> None:
    os.link(world.outside / "secret.txt", world.documents / "a.txt")
    prepared = await world.prepared("read", file="a.txt")
    assert prepared.preview.warnings == ("a.txt has another name elsewhere on the disk (a hard link).",)


async def test_a_file_swapped_for_another_after_the_look_is_not_read(world: Any) -> None:
    world.file("Documents/a.txt")
    prepared = await world.prepared("read", file="a.txt")
    (world.documents / "a.txt").unlink()
    os.symlink("../outside/secret.txt", world.documents / "a.txt")
    outcome = await world.connector.perform(prepared)
    assert not outcome.ok
    assert outcome.content is None


async def test_a_file_that_is_another_one_now_is_looked_at_again_first(world: Any) -> None:
    world.file("Documents/a.txt")
    prepared = await world.prepared("read", file="a.txt")
    world.file("Documents/b.txt", "other\n").replace(world.documents / "a.txt")
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.CONFLICT
    assert outcome.content is None


async def test_a_folder_is_listed_with_folders_first(world: Any) -> None:
    world.file("Documents/b.txt", "x" * 2000)
    world.file("Documents/A.txt")
    world.file("Documents/sub/c.txt")
    world.file("Documents/.hidden")
    outcome = await world.do("list", folder="documents")
    assert outcome.text == "Documents holds 1 folder and 2 files."
    assert [item.label for item in outcome.items] == ["sub", "A.txt", "b.txt"]
    assert outcome.items[2].handle == "file:Documents/b.txt"
    assert outcome.items[2].detail == "Documents/b.txt, 2 KB, changed Tue 24 Nov 2026"


async def test_without_a_name_the_folders_themselves_are_listed(world: Any) -> None:
    outcome = await world.do("list")
    assert [item.handle for item in outcome.items] == ["file:Documents", "file:Downloads"]


async def test_a_large_folder_says_how_many_more_there_are(world: Any) -> None:
    for number in range(60):
        world.file(f"Documents/{number}.txt")
    outcome = await world.do("list", folder="Documents")
    assert len(outcome.items) == 50
    assert outcome.text == "Documents holds 60 files. Here are 50; 10 more."


async def test_an_empty_folder_is_said_to_be_empty(world: Any) -> None:
    assert (await world.do("list", folder="Downloads")).text == "Downloads is empty."


async def test_an_odd_name_is_listed_and_read_by_its_handle(world: Any) -> None:
    world.file(b"Documents/K\xf6nig.txt", "king\n")
    listed = await world.do("list", folder="Documents")
    assert [item.label for item in listed.items] == [r"K\xf6nig.txt"]
    assert (await world.do("read", file=listed.items[0].handle)).content == "king\n"


async def test_a_folder_that_has_gone_is_unavailable_and_a_notice(world: Any) -> None:
    world.downloads.rmdir()
    assert [notice.text for notice in world.connector.notices()] == [
        f"The folder Downloads ({world.downloads}) is not there; was it moved or unmounted?"
    ]
    prepared = await world.prepared("search", words="lease")
    assert f"({world.downloads}) is not there" in (await world.connector.perform(prepared)).text
    assert (await world.refused("read", file="Downloads/a.txt")).needs is Needs.UNAVAILABLE


async def test_a_protected_file_is_told(world: Any) -> None:
    if os.geteuid() == 0:
        pytest.skip("nothing is protected from root")
    world.file("Documents/a.txt").chmod(0)
    assert (await world.refused("read", file="a.txt")).needs is Needs.READ_ONLY
