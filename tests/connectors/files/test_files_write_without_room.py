"""Writing on disks that are full or read-only, and into a folder that the first note makes."""

import asyncio
import os
from typing import Any

import pytest

from connectors.base import Needs
from connectors.files.config import Config
from connectors.files.places import Root
from tests.waiting import until


async def test_a_full_disk_leaves_the_old_file_and_no_rubbish(world: Any, mounted: Any) -> None:
    world.roots.append(Root("Disk", mounted))
    world.connector = world.connect(Config(index=False))
    (mounted / "a.txt").write_text("old\n")
    outcome = await world.do("write", file="Disk/a.txt", text="x" * 100_000)
    assert outcome.needs is Needs.NO_SPACE
    assert outcome.text == "There is no room left on the disk for “Disk/a.txt”."
    assert (await world.do("write", file="Disk/new.txt", text="x" * 100_000)).needs is Needs.NO_SPACE
    assert {name: (mounted / name).read_text() for name in os.listdir(mounted)} == {"a.txt": "old\n"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write", {"file": "new.txt", "text": "hello"}),
        ("move", {"file": "a.txt", "to": "Downloads"}),
        ("make_folder", {"folder": "Taxes"}),
        ("delete", {"file": "a.txt"}),
    ],
)
async def test_what_could_not_be_taken_back_is_not_done(
    world: Any, mounted: Any, tool: str, arguments: dict[str, str]
) -> None:
    world.file("Documents/a.txt")
    (world.home / "state").symlink_to(mounted)
    prepared = await world.prepared(tool, **arguments)
    before = world.tree()
    (mounted / "full").write_bytes(b"x" * os.statvfs(mounted).f_bavail * os.statvfs(mounted).f_bsize)
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.NO_SPACE
    assert outcome.text == "It could not be taken back (No space left on device), so nothing was done."
    assert world.tree() == before


async def test_a_record_needs_no_more_room_than_was_held_for_it(world: Any, mounted: Any) -> None:
    world.file("Documents/a.txt")
    (world.home / "state").symlink_to(mounted)
    prepared = await world.prepared("move", file="a.txt", to="Downloads")
    room = os.statvfs(mounted)
    (mounted / "full").write_bytes(b"x" * (room.f_bavail - 1) * room.f_bsize)
    outcome = await world.connector.perform(prepared)
    assert (await world.undo(outcome)).ok
    assert (world.documents / "a.txt").exists()


async def test_a_disk_that_is_read_only_is_told(world: Any, mounted: Any) -> None:
    world.roots.append(Root("Disk", mounted))
    world.connector = world.connect(Config(index=False))
    (mounted / "a.txt").write_text("old\n")
    await (await asyncio.create_subprocess_exec("mount", "-o", "remount,ro", mounted)).wait()
    for tool, arguments in (
        ("write", {"file": "Disk/a.txt", "text": "x"}),
        ("write", {"file": "Disk/b.txt", "text": "x"}),
        ("move", {"file": "Disk/a.txt", "to": "b.txt"}),
        ("make_folder", {"folder": "Disk/new"}),
        ("delete", {"file": "Disk/a.txt"}),
    ):
        assert (await world.do(tool, **arguments)).needs is Needs.READ_ONLY, tool
    assert os.listdir(mounted) == ["a.txt"]


async def test_a_folder_of_our_own_is_made_by_the_first_note(tmp_path: Any, new_world: Any) -> None:
    world = new_world()
    world.roots[:] = [Root("Askfirst", world.home / "Askfirst", make=True)]
    world.connector = world.connect(Config(index=False))
    assert (await world.do("list")).text == "Askfirst is empty."
    assert world.connector.notices() == ()
    prepared = await world.prepared("write", file="note", text="x")
    assert ("New folder", "Askfirst") in {(field.label, field.value) for field in prepared.preview.fields}
    outcome = await world.connector.perform(prepared)
    assert (world.home / "Askfirst" / "note.txt").read_text() == "x\n"
    assert (await world.undo(outcome)).ok


def test_a_folder_that_the_first_note_makes_is_no_trouble_before(new_world: Any) -> None:
    world = new_world()
    world.roots[:] = [Root("Askfirst", world.home / "Askfirst", make=True)]
    world.connector = world.connect(Config())
    world.connector.start()
    until(lambda: world.connector._desk.index.complete)
    assert not any("could not be read" in notice.text for notice in world.connector.notices())
    world.connector.close()
