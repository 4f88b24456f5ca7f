"""Disks that are full, away, read-only or apart, and a program killed in the middle: nothing is lost."""

import asyncio
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from connectors.base import Needs, Outcome, Prepared
from connectors.files.config import Config
from connectors.files.places import Root

KILLS: Final = int(os.environ.get("ASKFIRST_FAULT_RUNS", "12"))
BIG: Final = 3_000_000
_APART: Final = "/dev/shm"


@pytest.fixture
def disk(world: Any, mounted: Path) -> Path:
    """The small disk of its own as a third folder that may be used."""
    world.roots.append(Root("Disk", mounted))
    world.connector = world.connect(Config(index=False))
    return mounted


def fill(disk: Path) -> None:
    with (disk / "full").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            return


def remount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", disk], check=True)


async def test_on_a_full_disk_nothing_goes_to_a_trash_that_has_no_room(world: Any, disk: Path) -> None:
    (disk / "a.txt").write_text("mine\n")
    fill(disk)
    outcome = await world.do("delete", file="Disk/a.txt")
    if outcome.ok:
        assert (await world.undo(outcome)).ok
    else:
        assert outcome.needs is Needs.NO_SPACE
    assert (disk / "a.txt").read_text() == "mine\n"


async def test_a_move_from_a_full_disk_works_and_back_to_it_is_refused_without_loss(
    world: Any, disk: Path
) -> None:
    (disk / "a.txt").write_text("mine\n" * 1000)
    outcome = await world.do("move", file="Disk/a.txt", to="Documents")
    assert outcome.ok
    fill(disk)
    back = await world.undo(outcome)
    assert (back.ok, back.needs) == (False, Needs.NO_SPACE)
    assert "no room left" in back.text
    assert (world.documents / "a.txt").read_text() == "mine\n" * 1000
    assert os.listdir(disk) == ["full"]
    (disk / "full").unlink()
    assert (await world.undo(outcome)).ok
    assert (disk / "a.txt").read_text() == "mine\n" * 1000


async def test_a_move_away_from_a_disk_that_became_read_only_leaves_one_and_not_two(
    world: Any, disk: Path
) -> None:
    (disk / "a.txt").write_text("mine\n")
    prepared = await world.prepared("move", file="Disk/a.txt", to="Documents")
    remount(disk, "ro")
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.READ_ONLY
    assert (disk / "a.txt").read_text() == "mine\n"
    assert os.listdir(world.documents) == []


async def test_a_trash_on_a_disk_that_became_read_only_gives_back_later(world: Any, disk: Path) -> None:
    (disk / "a.txt").write_text("mine\n")
    deleted = await world.do("delete", file="Disk/a.txt")
    assert deleted.ok
    remount(disk, "ro")
    assert (await world.undo(deleted)).needs is Needs.READ_ONLY
    remount(disk, "rw")
    assert (await world.undo(deleted)).ok
    assert (disk / "a.txt").read_text() == "mine\n"


@pytest.mark.parametrize("tool", ["write", "move", "delete"])
async def test_a_disk_unmounted_between_the_look_and_the_deed_is_told(
    world: Any, disk: Path, tool: str
) -> None:
    (disk / "a.txt").write_text("mine\n")
    arguments = {"write": {"text": "x"}, "move": {"to": "Documents"}, "delete": {}}[tool]
    prepared = await world.prepared(tool, file="Disk/a.txt", **arguments)
    unmount(disk)
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.UNAVAILABLE
    assert "is not there; was it moved or unmounted?" in outcome.text
    assert (os.listdir(disk), os.listdir(world.documents)) == ([], [])


@pytest.mark.parametrize("tool", ["write", "move", "delete", "make_folder"])
async def test_a_folder_deleted_between_the_look_and_the_deed_is_not_made_again(
    world: Any, tool: str
) -> None:
    world.file("Downloads/a.txt")
    arguments = {"write": {"text": "x"}, "move": {"to": "b.txt"}, "delete": {}, "make_folder": {}}[tool]
    name = {"folder": "Downloads/new"} if tool == "make_folder" else {"file": "Downloads/a.txt"}
    prepared = await world.prepared(tool, **name, **arguments)
    shutil.rmtree(world.downloads)
    outcome = await world.connector.perform(prepared)
    assert (outcome.ok, outcome.needs) == (False, Needs.UNAVAILABLE)
    assert not world.downloads.exists()


@pytest.fixture
def apart(world: Any) -> Iterator[Path]:
    """A folder with much room on another disk than the world's."""
    if not os.access(_APART, os.W_OK) or os.stat(_APART).st_dev == world.home.stat().st_dev:
        pytest.skip("there is no second disk here")
    folder = Path(_APART) / f"askfirst-{os.getpid()}"
    folder.mkdir()
    world.roots.append(Root("Disk", folder))
    world.connector = world.connect(Config(index=False))
    yield folder
    shutil.rmtree(folder)


def killed(world: Any, prepared: Prepared, seconds: float) -> None:
    """Do it in a process that is killed after so long."""
    child = os.fork()
    if child == 0:
        try:
            asyncio.Runner().run(world.connector.perform(prepared))
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


async def found_after(world: Any, prepared: Prepared, seconds: float) -> Outcome | None:
    """What a new Askfirst makes of a deed during which the last one was killed."""
    killed(world, prepared, seconds)
    world.connector = world.connect(Config(index=False))
    assert prepared.mark is not None
    return await world.connector.probe(prepared.call.tool, prepared.mark)


def unmount(disk: Path) -> None:
    subprocess.run(["umount", "-l", disk], check=True)


def whole(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


@pytest.mark.parametrize("back", [False, True], ids=["there", "back"])
async def test_killed_while_moving_to_another_disk_the_file_is_whole_in_one_place_at_least(
    world: Any, apart: Path, back: bool
) -> None:
    content = random.Random(7).randbytes(BIG)
    ends = (world.documents, "Documents"), (apart, "Disk")
    (source, start), (goal, end) = reversed(ends) if back else ends
    chance = random.Random(11)
    began = time.monotonic()
    (source / "warm.bin").write_bytes(content)
    assert (await world.do("move", file=f"{start}/warm.bin", to=end)).ok
    takes = time.monotonic() - began
    (goal / "warm.bin").unlink()
    for _ in range(KILLS):
        (source / "a.bin").write_bytes(content)
        prepared = await world.prepared("move", file=f"{start}/a.bin", to=end)
        found = await found_after(world, prepared, chance.uniform(0, takes))
        here, there = whole(source / "a.bin", content), whole(goal / "a.bin", content)
        assert here or there
        # What goes by the name of the file is never a part of it.
        assert here or not (source / "a.bin").exists()
        assert there or not (goal / "a.bin").exists()
        assert found is None if here and there else found is not None and found.ok is there
        for path in (*source.iterdir(), *goal.iterdir()):
            path.unlink()


@pytest.mark.parametrize("tool", ["write", "delete"])
async def test_killed_while_changing_a_file_the_old_or_the_new_is_whole(world: Any, tool: str) -> None:
    old, new = "old line\n" * 50_000, "new line\n" * 50_000
    chance = random.Random(13)
    for _ in range(KILLS):
        path = world.file("Documents/a.txt", old)
        prepared = await world.prepared(tool, file="a.txt", **({"text": new} if tool == "write" else {}))
        await found_after(world, prepared, chance.uniform(0, 0.03))
        trashed = list((world.trash / "files").glob("*"))
        if tool == "delete":
            assert [each.read_text() for each in (path, *trashed) if each.exists()] == [old]
            for each in trashed:
                each.unlink()
        else:
            assert path.read_text() in (old, new)
            kept = [each.read_text() for each in (world.home / "state" / "undo").glob("*.before")]
            assert path.read_text() == old or old in kept
