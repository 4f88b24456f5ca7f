"""What happens when another program changes a file between the last look and the deed."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Needs
from connectors.files import moving
from connectors.files.disk import write
from connectors.files.disk.syscalls import _rename_new_by_hand, exchange, rename_new
from connectors.files.disk.versions import identity, sha256
from connectors.files.errors import Changed, Refused
from connectors.files.places import Place, Root


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


@pytest.fixture(params=["exchange", "no exchange"])
def swapping(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that can swap two names in one step, or cannot."""
    if request.param == "no exchange":
        monkeypatch.setattr(write, "exchange", lambda *_: False)


@pytest.mark.usefixtures("swapping")
def test_a_file_is_replaced_with_its_mode_and_nothing_is_left_over(tmp_path: Path, folder: int) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o604)
    write.replace(folder, b"a.txt", b"new", seen=sha256(b"old"))
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.usefixtures("swapping")
def test_another_file_than_was_seen_is_not_replaced(tmp_path: Path, folder: int) -> None:
    (tmp_path / "a.txt").write_text("other")
    with pytest.raises(Changed):
        write.replace(folder, b"a.txt", b"new", seen=sha256(b"old"))
    assert (tmp_path / "a.txt").read_text() == "other"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("can", [True, False], ids=["exchange", "no exchange"])
def test_a_change_in_the_last_moment_is_kept(
    tmp_path: Path, folder: int, monkeypatch: pytest.MonkeyPatch, can: bool
) -> None:
    (tmp_path / "a.txt").write_text("old")
    calls = 0

    def late(*names: Any) -> bool:
        nonlocal calls
        calls += 1
        if calls == 1:
            (tmp_path / "b.txt").write_text("late")
            (tmp_path / "b.txt").rename(tmp_path / "a.txt")
        return can and exchange(*names)

    monkeypatch.setattr(write, "exchange", late)
    with pytest.raises(Changed):
        write.replace(folder, b"a.txt", b"new", seen=sha256(b"old"))
    assert (tmp_path / "a.txt").read_text() == "late"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_new_file_never_takes_a_name_that_is_taken(tmp_path: Path, folder: int) -> None:
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(FileExistsError):
        write.create(folder, b"a.txt", b"new")
    assert (tmp_path / "a.txt").read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("rename", [rename_new, _rename_new_by_hand], ids=["kernel", "by hand"])
def test_renaming_never_replaces(tmp_path: Path, folder: int, rename: Any) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    (tmp_path / "full").mkdir()
    (tmp_path / "empty").mkdir()
    for source, target in ((b"a", b"b"), (b"full", b"empty"), (b"a", b"empty"), (b"full", b"b")):
        with pytest.raises(FileExistsError):
            rename(folder, source, folder, target)
    assert ((tmp_path / "a").read_text(), (tmp_path / "b").read_text()) == ("a", "b")
    rename(folder, b"a", folder, b"c")
    rename(folder, b"full", folder, b"moved")
    os.symlink("nowhere", tmp_path / "link")
    rename(folder, b"link", folder, b"link 2")
    assert sorted(os.listdir(tmp_path)) == ["b", "c", "empty", "link 2", "moved"]


def test_only_the_file_that_was_seen_is_moved(world: Any) -> None:
    path = world.file("Documents/a.txt")
    source, target = Place(world.roots[0], b"a.txt"), Place(world.roots[1], b"a.txt")
    seen = identity(path.stat())
    path.write_text("other text")
    with pytest.raises(Refused) as caught:
        moving.move(world.connector._desk, source, target, seen)
    assert caught.value.needs is Needs.CONFLICT
    assert path.exists()


def test_only_the_file_that_was_seen_goes_to_another_disk(world: Any, mounted: Path) -> None:
    path = world.file("Documents/a.txt")
    seen = identity(path.stat())
    path.write_text("other text")
    with pytest.raises(Refused) as caught:
        moving.move(
            world.connector._desk,
            Place(world.roots[0], b"a.txt"),
            Place(Root("Disk", mounted), b"a.txt"),
            seen,
        )
    assert caught.value.needs is Needs.CONFLICT
    assert path.exists()
    assert os.listdir(mounted) == []


def test_a_file_that_took_the_name_in_the_last_moment_is_moved_back(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = world.file("Documents/a.txt")
    seen = identity(path.stat())
    late = world.file("Documents/late.txt", "late\n")
    calls = 0

    def after_a_change(*names: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            late.replace(path)
        rename_new(*names)

    monkeypatch.setattr(moving, "rename_new", after_a_change)
    source, target = Place(world.roots[0], b"a.txt"), Place(world.roots[1], b"a.txt")
    with pytest.raises(Refused):
        moving.move(world.connector._desk, source, target, seen)
    assert path.read_text() == "late\n"
    assert os.listdir(world.downloads) == []


def test_a_file_that_has_the_name_only_while_it_is_copied_is_not_taken_for_it(
    world: Any, mounted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, late = world.file("Documents/a.txt", "mine\n"), world.file("Documents/late.txt", "late\n")
    seen = identity(path.stat())
    copy = moving._copy

    def swapped(*arguments: Any) -> str:
        with world.connector._desk.jail.folder(Place(world.roots[0])) as folder:
            assert exchange(folder, b"a.txt", b"late.txt")
            try:
                return copy(*arguments)
            finally:
                assert exchange(folder, b"a.txt", b"late.txt")

    monkeypatch.setattr(moving, "_copy", swapped)
    source, target = Place(world.roots[0], b"a.txt"), Place(Root("Disk", mounted), b"a.txt")
    with pytest.raises(Refused):
        moving.move(world.connector._desk, source, target, seen)
    assert (path.read_text(), late.read_text(), os.listdir(mounted)) == ("mine\n", "late\n", [])


def test_a_file_that_took_the_name_after_the_copy_is_not_removed_for_it(
    world: Any, mounted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, late = world.file("Documents/a.txt", "mine\n"), world.file("Documents/late.txt", "late\n")
    seen = identity(path.stat())

    def after_a_change(folder: int, name: bytes, *rest: Any) -> None:
        if name == b"a.txt" and late.exists():
            late.replace(path)
        rename_new(folder, name, *rest)

    def apart(*_: Any) -> None:
        raise OSError(errno.EXDEV, "another disk")

    # The first rename finds another disk; the next ones come after the copy.
    renames = iter([apart])
    monkeypatch.setattr(moving, "rename_new", lambda *names: next(renames, after_a_change)(*names))
    source, target = Place(world.roots[0], b"a.txt"), Place(Root("Disk", mounted), b"a.txt")
    with pytest.raises(Refused):
        moving.move(world.connector._desk, source, target, seen)
    assert path.read_text() == "late\n"
    assert os.listdir(mounted) == []
