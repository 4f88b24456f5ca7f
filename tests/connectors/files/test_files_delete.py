"""Deleting: into the trash that the desktop shows, and back."""

import os
import shutil
from configparser import RawConfigParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest

from connectors.base import Effect, Needs
from connectors.files.config import Config
from connectors.files.disk.trash import Trash
from connectors.files.places import Place, Root


def fields(prepared: Any) -> dict[str, str]:
    return {field.label: field.value for field in prepared.preview.fields}


def info(trash: Path, name: str) -> dict[str, str]:
    read = RawConfigParser()
    read.optionxform = str
    read.read(trash / "info" / f"{name}.trashinfo")
    return dict(read["Trash Info"])


async def test_a_file_goes_to_the_trash_with_its_note_and_back(world: Any) -> None:
    world.file("Documents/lease.txt", "x" * 2000)
    before = world.tree()
    prepared = await world.prepared("delete", file="lease")
    assert prepared.effects == {Effect.DELETE}
    assert prepared.preview.title == "Put Documents/lease.txt in the trash"
    assert fields(prepared) == {"File": "Documents/lease.txt", "Size": "2 KB", "Trash": str(world.trash)}
    assert prepared.undo == "it can be restored from the trash"

    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Put Documents/lease.txt (2 KB) in the trash."
    assert not (world.documents / "lease.txt").exists()
    assert (world.trash / "files/lease.txt").exists()
    note = info(world.trash, "lease.txt")
    assert note["Path"] == str(world.documents / "lease.txt")
    assert len(note["DeletionDate"]) == len("2026-11-30T10:00:00")

    undone = await world.undo(outcome)
    assert undone.text == "Documents/lease.txt is back."
    assert world.tree() == before
    assert os.listdir(world.trash / "info") == os.listdir(world.trash / "files") == []
    assert (await world.undo(undone)).ok
    assert not (world.documents / "lease.txt").exists()


async def test_a_folder_is_counted_and_sampled_before(world: Any) -> None:
    for number in range(12):
        world.file(f"Documents/flat/{number:02}.txt", "x" * 100)
    world.file("Documents/flat/.hidden", "x" * 100)
    world.file("Documents/flat/sub/b.txt", "x" * 700)
    before = world.tree()
    prepared = await world.prepared("delete", file="Documents/flat")
    assert fields(prepared)["Holds"] == "14 files in 1 folder inside, 1 of them hidden, 2 KB"
    assert fields(prepared)["Files"].startswith(".hidden, 00.txt, 01.txt")
    assert fields(prepared)["Files"].endswith("08.txt and 4 more")
    outcome = await world.connector.perform(prepared)
    assert not (world.documents / "flat").exists()
    assert (world.trash / "directorysizes").read_text().split()[0] == "2000"
    assert (await world.undo(outcome)).ok
    assert world.tree() == before


async def test_too_many_files_are_never_deleted_in_one_go(new_world: Any) -> None:
    world = new_world(config=Config(index=False, bulk_limit=5))
    for number in range(6):
        world.file(f"Documents/flat/{number}/x.txt")
    outcome = await world.refused("delete", file="Documents/flat")
    assert outcome.needs is Needs.INVALID
    assert outcome.text == "“Documents/flat” holds more than 5 files; that many are never deleted in one go."
    (world.documents / "flat/0/x.txt").unlink()
    assert (await world.do("delete", file="Documents/flat")).ok


async def test_a_file_put_in_the_folder_since_the_look_saves_it(world: Any) -> None:
    world.file("Documents/flat/a.txt")
    prepared = await world.prepared("delete", file="Documents/flat")
    world.file("Documents/flat/.new")
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT
    assert (world.documents / "flat/a.txt").exists()


async def test_two_of_one_name_lie_side_by_side_in_the_trash(world: Any) -> None:
    world.file("Documents/a.tar.gz", "one\n")
    first = await world.do("delete", file="a.tar.gz")
    world.file("Documents/a.tar.gz", "two\n")
    second = await world.do("delete", file="a.tar.gz")
    assert sorted(os.listdir(world.trash / "files")) == ["a.tar 2.gz", "a.tar.gz"]
    assert info(world.trash, "a.tar 2.gz")["Path"] == str(world.documents / "a.tar.gz")
    assert (await world.undo(second)).ok
    assert (world.documents / "a.tar.gz").read_text() == "two\n"
    refused = await world.undo(first)
    assert refused.needs is Needs.CONFLICT
    assert (world.documents / "a.tar.gz").read_text() == "two\n"


async def test_restoring_makes_the_folder_again_that_has_gone(world: Any) -> None:
    world.file("Documents/flat/a.txt", "a\n")
    outcome = await world.do("delete", file="Documents/flat/a.txt")
    (world.documents / "flat").rmdir()
    assert (await world.undo(outcome)).ok
    assert (world.documents / "flat/a.txt").read_text() == "a\n"


async def test_an_emptied_trash_is_told(world: Any) -> None:
    world.file("Documents/a.txt")
    outcome = await world.do("delete", file="a.txt")
    shutil.rmtree(world.trash / "files")
    assert (await world.undo(outcome)).needs is Needs.NOT_FOUND


async def test_a_link_goes_and_what_it_leads_to_stays(world: Any) -> None:
    os.symlink("../outside", world.documents / "link")
    os.symlink("/nowhere", world.documents / "broken")
    for name in ("link", "broken"):
        outcome = await world.do("delete", file=f"Documents/{name}")
        assert outcome.ok
        assert not (world.documents / name).is_symlink()
        assert (await world.undo(outcome)).ok
        assert (world.documents / name).is_symlink()
    assert (world.outside / "secret.txt").exists()


async def test_an_odd_name_is_noted_by_its_bytes(world: Any) -> None:
    world.file(b"Documents/K\xf6nig % .txt", "king\n")
    before = world.tree()
    outcome = await world.do("delete", file=r"K\xf6nig % .txt")
    notes = list((world.trash / "info").iterdir())
    path = notes[0].read_text().splitlines()[1].removeprefix("Path=")
    assert unquote_to_bytes(path) == os.fsencode(world.documents) + b"/K\xf6nig % .txt"
    assert (await world.undo(outcome)).ok
    assert world.tree() == before


async def test_a_name_as_long_as_can_be_fits_in_the_trash(world: Any) -> None:
    world.file("Documents/" + "x" * 250 + ".txt")
    outcome = await world.do("delete", file="x" * 250 + ".txt")
    assert outcome.ok
    assert (await world.undo(outcome)).ok


async def test_on_another_disk_the_trash_of_that_disk_is_used(world: Any, mounted: Path) -> None:
    world.roots.append(Root("Disk", mounted))
    world.connector = world.connect(Config(index=False))
    (mounted / "sub").mkdir()
    (mounted / "sub" / "a.txt").write_text("a\n")
    prepared = await world.prepared("delete", file="Disk/sub/a.txt")
    own = mounted / f".Trash-{os.getuid()}"
    assert fields(prepared)["Trash"] == str(own)
    outcome = await world.connector.perform(prepared)
    assert info(own, "a.txt")["Path"] == "sub/a.txt"
    assert oct(own.stat().st_mode & 0o777) == "0o700"
    assert (await world.undo(outcome)).ok
    assert (mounted / "sub" / "a.txt").read_text() == "a\n"


async def test_a_shared_trash_on_a_disk_is_used_only_when_it_is_sticky(world: Any, mounted: Any) -> None:
    trash = Trash(world.trash)
    device = mounted.stat().st_dev
    place = Place(Root("Disk", mounted), b"a.txt")
    own, shared = f".Trash-{os.getuid()}".encode(), mounted / ".Trash"
    assert trash.folder_for(place, device) == os.fsencode(mounted) + b"/" + own
    shared.mkdir()
    assert trash.folder_for(place, device).endswith(own)
    shared.chmod(0o1777)
    assert trash.folder_for(place, device) == os.fsencode(shared) + f"/{os.getuid()}".encode()
    shared.rmdir()
    shared.symlink_to("/tmp")
    assert trash.folder_for(place, device).endswith(own)


async def test_a_trash_that_is_a_link_is_not_used_on_another_disk(world: Any, mounted: Any) -> None:
    world.roots.append(Root("Disk", mounted))
    world.connector = world.connect(Config(index=False))
    (mounted / "a.txt").write_text("a\n")
    (mounted / f".Trash-{os.getuid()}").symlink_to(world.outside)
    assert (await world.do("delete", file="Disk/a.txt")).needs is Needs.READ_ONLY
    assert (mounted / "a.txt").exists()
    assert os.listdir(world.outside) == ["secret.txt"]


async def test_a_home_trash_kept_elsewhere_by_a_link_is_used(world: Any) -> None:
    world.file("Documents/a.txt")
    (world.home / "elsewhere").mkdir()
    world.trash.symlink_to(world.home / "elsewhere")
    world.connector = world.connect(Config(index=False))
    outcome = await world.do("delete", file="a.txt")
    assert os.listdir(world.home / "elsewhere" / "files") == ["a.txt"]
    assert (await world.undo(outcome)).ok


@pytest.mark.parametrize("stop", [5])
async def test_a_row_of_deletes_that_is_stopped_has_done_no_more(world: Any, stop: int) -> None:
    for number in range(50):
        world.file(f"Documents/{number:02}.txt")
    prepared = [await world.prepared("delete", file=f"{number:02}.txt") for number in range(50)]
    for one in prepared[:stop]:
        assert (await world.connector.perform(one)).ok
    assert len(os.listdir(world.documents)) == 50 - stop
    assert sorted(os.listdir(world.trash / "files")) == [f"{number:02}.txt" for number in range(stop)]
