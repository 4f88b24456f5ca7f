"""The watch over folders of settings takes one instance of inotify, and keeps none that it cannot use."""

import sys
from pathlib import Path

import pytest

from connectors.folder_watch import FolderWatch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="instances are seen in /proc")


def instances() -> int:
    links = (str(path.readlink()) for path in Path("/proc/self/fd").iterdir() if path.is_symlink())
    return sum("inotify" in link for link in links)


@pytest.fixture
def before() -> int:
    return instances()


def test_many_folders_take_one_instance_and_give_it_back(tmp_path: Path, before: int) -> None:
    watch = FolderWatch({tmp_path / str(number): lambda: None for number in range(20)})
    watch.start()
    assert instances() == before + 1
    watch.close()
    assert instances() == before


def test_a_folder_that_cannot_be_watched_costs_no_instance(tmp_path: Path, before: int) -> None:
    (tmp_path / "file").write_text("no folder")
    watch = FolderWatch({tmp_path / "good": lambda: None, tmp_path / "file" / "below": lambda: None})
    watch.start()
    assert instances() == before
    watch.close()
