"""The jail, held to the same promises with openat2 and with the walk that stands in for it."""

import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.base import Needs
from connectors.files.disk.jail import (
    Jail,
    Reach,
    make_folders,
    missing_folders,
    reach_by_kernel,
    reach_by_walk,
)
from connectors.files.disk.syscalls import has_openat2
from connectors.files.errors import Refused
from connectors.files.places import Place, Root

KERNEL = pytest.param(
    reach_by_kernel,
    id="kernel",
    marks=pytest.mark.skipif(not has_openat2(), reason="this kernel has no openat2"),
)


@pytest.fixture(params=[KERNEL, pytest.param(reach_by_walk, id="walk")])
def reach(request: pytest.FixtureRequest) -> Reach:
    return request.param


@pytest.fixture
def root(tmp_path: Path) -> Root:
    inside = tmp_path / "inside"
    (inside / "folder").mkdir(parents=True)
    (inside / "folder" / "file.txt").write_text("inside")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file.txt").write_text("outside")
    return Root("inside", inside)


@pytest.fixture
def jail(reach: Reach) -> Jail:
    return Jail(reach)


def text(jail: Jail, place: Place) -> str:
    with jail.file(place) as descriptor:
        return os.read(descriptor, 100).decode()


def refused(jail: Jail, place: Place) -> Refused:
    with pytest.raises(Refused) as caught, jail.opened(place, os.O_RDONLY):
        pass
    return caught.value


def test_a_file_inside_is_opened(jail: Jail, root: Root) -> None:
    assert text(jail, Place(root, b"folder/file.txt")) == "inside"
    with jail.folder(Place(root)) as descriptor:
        assert os.listdir(descriptor) == ["folder"]


@pytest.mark.parametrize(
    "path", [b"../outside/file.txt", b"folder/../../outside/file.txt", b"/etc/passwd", b"..", b"folder/../.."]
)
def test_no_path_leads_out(jail: Jail, root: Root, path: bytes) -> None:
    assert refused(jail, Place(root, path)).needs is Needs.INVALID


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("../outside/file.txt", b"link"),
        ("../outside", b"link/file.txt"),
        ("../outside", b"link"),
        ("/etc", b"link/passwd"),
        ("/proc/self/root", b"link/etc/passwd"),
        ("/proc/self/cwd", b"link"),
        ("folder/../../outside/file.txt", b"link"),
    ],
)
def test_no_link_leads_out(jail: Jail, root: Root, target: str, path: bytes) -> None:
    (root.path / "link").symlink_to(target)
    assert refused(jail, Place(root, path)).needs is Needs.INVALID


def test_a_link_inside_is_followed_by_the_kernel_only(root: Root, reach: Reach) -> None:
    (root.path / "link").symlink_to("folder")
    place = Place(root, b"link/file.txt")
    if reach is reach_by_kernel:
        assert text(Jail(reach), place) == "inside"
    else:
        assert "is a link" in refused(Jail(reach), place).text


def test_a_link_in_a_circle_is_refused(jail: Jail, root: Root) -> None:
    (root.path / "circle").symlink_to("circle")
    assert refused(jail, Place(root, b"circle")).needs is Needs.INVALID


def test_what_is_not_there_is_told(jail: Jail, root: Root) -> None:
    assert refused(jail, Place(root, b"nothing.txt")).needs is Needs.NOT_FOUND
    assert refused(jail, Place(root, b"folder/file.txt/more")).needs is Needs.NOT_FOUND
    assert refused(jail, Place(root, b"x" * 300)).needs is Needs.INVALID


def test_a_pipe_is_refused_without_waiting_for_a_writer(jail: Jail, root: Root) -> None:
    os.mkfifo(root.path / "pipe")
    with pytest.raises(Refused, match="not an ordinary file"), jail.file(Place(root, b"pipe")):
        pass


def test_a_socket_and_a_folder_are_no_files(jail: Jail, root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root.path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
    for name in (b"socket", b"folder"):
        with pytest.raises(Refused), jail.file(Place(root, name)):
            pass


def test_names_that_are_not_utf8_are_opened(jail: Jail, root: Root) -> None:
    with open(os.path.join(os.fsencode(root.path), b"K\xf6nig.txt"), "w") as file:
        file.write("king")
    assert text(jail, Place(root, b"K\xf6nig.txt")) == "king"


@pytest.fixture
def swapping(root: Root) -> Iterator[threading.Event]:
    """Another program that keeps swapping the folder for a link that leads out."""
    stop = threading.Event()
    folder, aside, link = root.path / "folder", root.path / "aside", root.path / "link"
    link.symlink_to("../outside")

    def swap() -> None:
        while not stop.is_set():
            os.rename(folder, aside)
            os.rename(link, folder)
            os.rename(folder, link)
            os.rename(aside, folder)

    thread = threading.Thread(target=swap)
    thread.start()
    yield stop
    stop.set()
    thread.join()


def test_a_race_of_links_is_never_lost(jail: Jail, root: Root, swapping: threading.Event) -> None:
    place = Place(root, b"folder/file.txt")
    seen: dict[str, int] = {}
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not (seen.get("inside", 0) > 200 and seen.get("refused", 0) > 20):
        try:
            answer = text(jail, place)
        except Refused:
            answer = "refused"
        seen[answer] = seen.get(answer, 0) + 1
    assert "outside" not in seen
    assert seen["inside"] > 200


def test_a_folder_that_has_gone_is_unavailable(jail: Jail, root: Root) -> None:
    root.path.rename(root.path.with_name("elsewhere"))
    told = refused(jail, Place(root, b"folder/file.txt"))
    assert told.needs is Needs.UNAVAILABLE
    assert str(root.path) in told.text


def test_an_unmounted_disk_is_not_an_empty_folder(jail: Jail, root: Root, mounted: Path) -> None:
    disk = Root("disk", mounted)
    (mounted / "file.txt").write_text("on the disk")
    assert text(jail, Place(disk, b"file.txt")) == "on the disk"
    subprocess.run(["umount", mounted], check=True)
    assert refused(jail, Place(disk)).needs is Needs.UNAVAILABLE


def test_missing_folders_are_made_inside(jail: Jail, root: Root) -> None:
    place = Place(root, b"folder/new/newer")
    assert missing_folders(jail, place) == (Place(root, b"folder/new"), place)
    assert make_folders(jail, place) == (Place(root, b"folder/new"), place)
    assert (root.path / "folder/new/newer").is_dir()
    assert missing_folders(jail, place) == ()


def test_no_folder_is_made_through_a_file_or_a_link_that_leads_out(
    jail: Jail, root: Root, tmp_path: Path
) -> None:
    (root.path / "link").symlink_to("../outside")
    (root.path / "nowhere").symlink_to("../outside/not-there")
    for path in (b"folder/file.txt/new", b"link/new", b"nowhere/new", b"nowhere"):
        with pytest.raises(Refused):
            make_folders(jail, Place(root, path))
    assert os.listdir(tmp_path / "outside") == ["file.txt"]


def test_a_folder_of_our_own_is_made_when_first_needed(jail: Jail, tmp_path: Path) -> None:
    own = Root("Askfirst", tmp_path / "Askfirst", make=True)
    assert refused(jail, Place(own)).needs is Needs.NOT_FOUND
    assert missing_folders(jail, Place(own, b"notes")) == (Place(own), Place(own, b"notes"))
    assert make_folders(jail, Place(own, b"notes")) == (Place(own, b"notes"),)
    assert (tmp_path / "Askfirst" / "notes").is_dir()
