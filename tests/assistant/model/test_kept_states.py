"""States on disk: whole and of the same maker, or there are none; bounded, and for their owner only."""

import os
import resource
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from assistant.model.child.states import Beginnings, header

TOKENS = [5, 6, 7]
STATE = np.arange(200, dtype=np.uint8)


def written(folder: Path, tokens: list[int], state: np.ndarray = STATE, maker: str = "toy") -> Beginnings:
    """A folder after a state was written to it."""
    beginnings = Beginnings(folder, maker, most=3, most_bytes=4000)
    beginnings.keep(tokens, state)
    beginnings.write()
    for thread in threading.enumerate():
        if thread.name == "states":
            thread.join()
    return beginnings


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_what_is_kept_is_found_in_another_run(tmp_path: Path) -> None:
    assert written(tmp_path, TOKENS).known(TOKENS)
    found = Beginnings(tmp_path, "toy").find(TOKENS)
    assert found is not None
    assert found.tobytes() == STATE.tobytes()


def test_it_is_for_its_owner_only(tmp_path: Path) -> None:
    written(tmp_path / "states", TOKENS)
    assert stat.S_IMODE((tmp_path / "states").stat().st_mode) == 0o700
    assert stat.S_IMODE(only_file(tmp_path / "states").stat().st_mode) == 0o600


def test_other_tokens_and_other_makers_have_no_state(tmp_path: Path) -> None:
    beginnings = written(tmp_path, TOKENS)
    assert beginnings.find([5, 6]) is None
    assert Beginnings(tmp_path, "another model").find(TOKENS) is None
    assert beginnings.find(TOKENS) is not None


def _changed(path: Path, change: Callable[[bytearray], object]) -> None:
    data = bytearray(path.read_bytes())
    change(data)
    path.write_bytes(data)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.clear(),
        lambda data: data.__delitem__(slice(30, None)),
        lambda data: data.__delitem__(slice(-1, None)),
        lambda data: data.append(0),
        lambda data: data.__setitem__(-1, data[-1] ^ 1),
        lambda data: data.__setitem__(0, 0),
        lambda data: data.__setitem__(slice(0, None), header("eve", TOKENS, STATE) + STATE.tobytes()),
        lambda data: data.__setitem__(slice(0, None), b"askfirst state 1\n[]\n"),
        lambda data: data.__setitem__(slice(0, None), b"askfirst state 1\n{\xff"),
    ],
    ids=["empty", "torn head", "torn end", "longer", "one bit", "magic", "foreign", "no header", "not text"],
)
def test_a_file_that_is_not_whole_is_no_state_and_is_removed(
    tmp_path: Path, change: Callable[[bytearray], object]
) -> None:
    beginnings = written(tmp_path, TOKENS)
    _changed(only_file(tmp_path), change)
    assert beginnings.find(TOKENS) is None
    assert list(tmp_path.iterdir()) == []


def test_a_file_torn_at_any_place_is_no_state(tmp_path: Path) -> None:
    beginnings = written(tmp_path, TOKENS)
    path = only_file(tmp_path)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert beginnings.find(TOKENS) is None


def test_those_not_used_for_longest_make_room_in_number(tmp_path: Path) -> None:
    for number in range(3):
        written(tmp_path, [number])
        _age(tmp_path, 100)
    beginnings = Beginnings(tmp_path, "toy")
    assert beginnings.find([0]) is not None
    written(tmp_path, [3])
    assert [beginnings.known([number]) for number in range(4)] == [True, False, True, True]


def test_those_not_used_for_longest_make_room_in_bytes(tmp_path: Path) -> None:
    for number in range(2):
        written(tmp_path, [number], np.zeros(1800, np.uint8))
        _age(tmp_path, 100)
    beginnings = written(tmp_path, [2], np.zeros(1000, np.uint8))
    assert [beginnings.known([number]) for number in range(3)] == [False, True, True]


def test_one_larger_than_all_room_is_not_kept(tmp_path: Path) -> None:
    written(tmp_path, TOKENS, np.zeros(5000, np.uint8))
    assert list(tmp_path.iterdir()) == []


def test_what_a_process_left_unfinished_is_removed_later(tmp_path: Path) -> None:
    for name, age in (("old.part", 7200), ("new.part", 0)):
        (tmp_path / name).write_bytes(b"half")
        _age(tmp_path, age, name)
    (tmp_path / "letter.txt").write_text("not ours")
    written(tmp_path, TOKENS)
    assert {path.suffix for path in tmp_path.iterdir()} == {".state", ".part", ".txt"}
    assert not (tmp_path / "old.part").exists()


def test_a_disk_that_fails_is_silence(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("in the way")
    beginnings = written(blocked / "states", TOKENS)
    assert not beginnings.known(TOKENS)
    assert beginnings.find(TOKENS) is None
    beginnings.discard(TOKENS)
    assert blocked.read_text() == "in the way"


def test_a_disk_that_is_full_leaves_nothing_behind(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        written(tmp_path, TOKENS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_place_of_a_file_is_no_state(tmp_path: Path) -> None:
    beginnings = written(tmp_path, TOKENS)
    path = only_file(tmp_path)
    path.unlink()
    path.mkdir()
    assert beginnings.find(TOKENS) is None
    written(tmp_path, TOKENS)
    assert beginnings.find(TOKENS) is None


def test_a_pipe_in_the_place_of_a_file_does_not_hang(tmp_path: Path) -> None:
    beginnings = written(tmp_path, TOKENS)
    path = only_file(tmp_path)
    path.unlink()
    os.mkfifo(path)
    assert beginnings.find(TOKENS) is None


def _age(folder: Path, seconds: float, pattern: str = "*") -> None:
    for path in folder.glob(pattern):
        status = path.stat()
        os.utime(path, (status.st_atime - seconds, status.st_mtime - seconds))
