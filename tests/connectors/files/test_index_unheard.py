"""The system's watches run out, or its events are lost: the index says so, goes on, and misses nothing.

Each index runs in a process of its own, in a user namespace with limits of its own (user_namespaces(7)).
"""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

CHILD = Path(__file__).with_name("limited_watches.py")
PROJECT = Path(__file__).parents[3]
FOLDERS = 40


class Limited:
    """An index over forty folders in a process of its own."""

    def __init__(self, home: Path, limits: str) -> None:
        self.documents = home / "Documents"
        for number in range(FOLDERS):
            (self.documents / f"folder {number}").mkdir(parents=True)
        self.process = subprocess.Popen(
            ["unshare", "-Ur", "sh", "-c", f'{limits} exec "$@"', "-", sys.executable, CHILD, home],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(PROJECT)},
        )

    def tell(self, order: str) -> list[str]:
        """Whether changes are heard of, instances of inotify, and what is told a person."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip("\n").split("\t")

    def write_everywhere(self, word: str) -> None:
        for folder in list(self.documents.rglob("*")):
            if folder.is_dir():
                (folder / f"{word}.txt").write_text(word)

    def end(self) -> None:
        self.process.communicate(timeout=30)


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Callable[..., Limited]]:
    allowed = subprocess.run(
        ["unshare", "-Ur", "sh", "-c", "echo 9 > /proc/sys/user/max_inotify_watches"],
        capture_output=True,
        check=False,
    )
    if allowed.returncode:
        pytest.skip("this account may not make a user namespace")
    with ExitStack() as stack:

        def make(**limits: int) -> Limited:
            orders = "".join(f"echo {most} > /proc/sys/user/{name};" for name, most in limits.items())
            folder = TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else tmp_path)
            made = Limited(Path(stack.enter_context(folder)), orders)
            stack.callback(made.end)
            return made

        yield make


def test_with_watches_enough_every_folder_is_heard_by_one_instance(limited: Callable[..., Limited]) -> None:
    index = limited(max_inotify_watches=1000, max_inotify_instances=1)
    assert index.tell("say") == ["watched", "1", ""]
    index.write_everywhere("lease")
    assert index.tell(f"find lease {FOLDERS}") == ["watched", "1", ""]


def test_too_few_watches_are_told_and_given_back_and_nothing_is_missed(
    limited: Callable[..., Limited],
) -> None:
    index = limited(max_inotify_watches=FOLDERS // 2)
    state, instances, told = index.tell("say")
    assert (state, instances) == ("unwatched", "0")
    assert told == (
        "Changes in the folders are not heard of at once, as no more folders can be watched on this system"
        " (the limit is fs.inotify.max_user_watches); they are looked for at each question."
    )
    for word in ("lease", "landlord"):
        index.write_everywhere(word)
        assert index.tell(f"find {word} {FOLDERS}")[0] == "unwatched"


def test_no_instance_is_told_and_the_index_is_used_all_the_same(limited: Callable[..., Limited]) -> None:
    index = limited(max_inotify_instances=0)
    state, _, told = index.tell("say")
    assert state == "unwatched"
    assert "as other programs watch all that may be watched" in told
    assert "There is no index" not in told
    index.write_everywhere("lease")
    assert index.tell(f"find lease {FOLDERS}")[0] == "unwatched"


def test_watches_that_run_out_later_are_noticed_when_folders_come(limited: Callable[..., Limited]) -> None:
    index = limited(max_inotify_watches=FOLDERS + 10)
    assert index.tell("say")[0] == "watched"
    for number in range(30):
        (index.documents / "grown" / f"inner {number}").mkdir(parents=True)
    assert index.tell("wait unwatched")[0] == "unwatched"
    assert index.tell("find inner 30")[0] == "unwatched"
    (index.documents / "grown" / "inner 29" / "lease.txt").write_text("the landlord")
    assert "fs.inotify.max_user_watches" in index.tell("find landlord 1")[2]


def test_lost_events_are_made_up_for_by_looking_through_all(limited: Callable[..., Limited]) -> None:
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if most > 20_000:
        pytest.skip("this system queues more events than a test can make")
    index = limited(max_inotify_watches=1000)
    assert index.tell("say")[0] == "watched"
    # A process that stands still reads no events, and the kernel drops those past its limit.
    index.process.send_signal(signal.SIGSTOP)
    for number in range(most // 2 + 100):
        (index.documents / "folder 0" / f"{number}.txt").write_bytes(b"")
    (index.documents / "folder 1" / "last.txt").write_text("the landlord")
    index.process.send_signal(signal.SIGCONT)
    assert index.tell("find landlord 1")[0] == "watched"
