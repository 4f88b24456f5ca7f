"""Another program works on the same folders while approved deeds are done: nothing of anybody's is lost.

ASKFIRST_FAULT_RUNS sets how many seeded runs there are.
"""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from connectors.base import Outcome, Prepared

RUNS: Final = int(os.environ.get("ASKFIRST_FAULT_RUNS", "40"))
DEEDS: Final = 5
PROJECT: Final = Path(__file__).parents[3]
NAMES: Final = ("a.txt", "b.txt", "c.txt")


class Other:
    """The other program, which works while it has not answered."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("meddler.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(PROJECT)},
        )

    def begin(self, seed: int, steps: int, home: Path, *folders: Path) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\t".join(map(str, (seed, steps, home, *folders))) + "\n")
        self._process.stdin.flush()

    def finish(self) -> list[str]:
        """Wait until it is done; the texts it wrote."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().split()

    def end(self) -> None:
        self._process.communicate(timeout=30)


@pytest.fixture(scope="module")
def other() -> Iterator[Other]:
    program = Other()
    yield program
    program.end()


@dataclass
class Run:
    """One seeded run: what it is in, what was written, and how many deeds were done."""

    world: Any
    chance: random.Random
    written: set[str]
    done: int = 0

    def wish(self) -> tuple[str, dict[str, object]]:
        folder = self.chance.choice(("Documents", "Downloads"))
        name = self.chance.choice(NAMES)
        file = f"file:{folder}/{name}"
        match self.chance.choice(("write", "add", "move", "delete", "new", "inside")):
            case "write" | "add" as how:
                return "write", {"file": file, "text": self.text(), "add": how == "add"}
            case "move":
                goal = f"file:{self.chance.choice(('Documents', 'Downloads'))}/{self.chance.choice(NAMES)}"
                return "move", {"file": file, "to": goal}
            case "delete":
                what = self.chance.choice((name, "folder"))
                return "delete", {"file": f"file:{folder}/{what}"}
            case "new":
                return "write", {"file": f"file:{folder}/new-{self.text()}.txt", "text": self.text()}
            case _:
                return "write", {"file": f"file:{folder}/folder/inner.txt", "text": self.text()}

    def text(self) -> str:
        return f"ours-{self.chance.randrange(1 << 60):x}"


def texts_below(*tops: Path) -> str:
    """All that is written in any file below these folders, links not followed."""
    files = (Path(folder, name) for top in tops for folder, _, names in os.walk(top) for name in names)
    return "\n".join(path.read_text(errors="replace") for path in files if not path.is_symlink())


def snapshot(top: Path) -> dict[str, str]:
    return {str(path): path.read_text() if path.is_file() else "" for path in sorted(top.rglob("*"))}


def left_over(*tops: Path) -> list[Path]:
    return [path for top in tops for path in top.rglob(".askfirst-*")]


def empty(disk: Path) -> None:
    for each in disk.iterdir():
        shutil.rmtree(each)


def seen_at(world: Any, handle: object) -> str | None:
    """What an ordinary file says now."""
    path = world.home / str(handle).removeprefix("file:")
    try:
        return None if path.is_symlink() or path.is_dir() else path.read_text()
    except OSError:
        return None


def check_it_was_approved(run: Run, outcome: Outcome, approved: str | None) -> None:
    """What was replaced or taken away is what was shown. An open file can be added to wherever it is."""
    assert outcome.undo is not None
    records = run.world.connector._desk.records
    record = records.load(str(outcome.undo.arguments["record"]))
    if record.kind == "content":
        assert records.before(record.name).decode() == approved
    elif record.kind == "trashed" and record.text("what") == "file":
        folder = Path(os.fsdecode(bytes.fromhex(record.text("trash"))))
        trashed = folder / "files" / os.fsdecode(bytes.fromhex(record.text("name")))
        assert approved is not None
        assert trashed.read_text().startswith(approved)


async def attempt(run: Run, other: Other, seed: int) -> None:
    world = run.world
    tool, arguments = run.wish()
    approved = seen_at(world, arguments["file"])
    looked = await world.look(tool, **arguments)
    other.begin(
        seed,
        run.chance.randint(1, 12),
        world.home,
        *(folder.resolve() for folder in (world.documents, world.downloads)),
    )
    outcome: Outcome | None = None
    if isinstance(looked, Prepared):
        outcome = await world.connector.perform(looked)
    if outcome is not None and outcome.ok:
        run.done += 1
        check_it_was_approved(run, outcome, approved)
        run.written |= {str(arguments["text"])} if "text" in arguments else set()
        if outcome.undo is not None and run.chance.random() < 0.4:
            taken_back = await world.undo(outcome)
            assert taken_back.ok or taken_back.text
    run.written |= set(other.finish())


@pytest.fixture
def second_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own with room for all runs; needs the right to mount."""
    disk = tmp_path / "second"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m", "none", disk], capture_output=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("this account may not mount a disk")
    yield disk
    subprocess.run(["umount", "-l", disk], capture_output=True, check=False)


async def one_run(world: Any, other: Other, seed: int, top: Path) -> int:
    """One seeded run with Downloads below `top`; how many deeds were done."""
    run = Run(world, random.Random(seed), set())
    for folder in (world.documents, world.downloads):
        (folder.resolve().parent / f"graveyard {folder.name}").mkdir()
        for name in (*NAMES, "folder/inner.txt"):
            text = f"first-{folder.name}-{name}"
            world.file(f"{folder.name}/{name}", f"{text}\n")
            run.written.add(text)
    outside = snapshot(world.outside)
    for number in range(DEEDS):
        await attempt(run, other, seed * DEEDS + number)
    world.connector.close()
    there = texts_below(world.home, top)
    assert [text for text in sorted(run.written) if text not in there] == [], f"seed {seed}"
    assert snapshot(world.outside) == outside, f"seed {seed}"
    assert left_over(world.home, top) == [], f"seed {seed}"
    return run.done


@pytest.mark.parametrize("part", range(4))
async def test_whatever_another_program_does_nothing_is_lost(new_world: Any, other: Other, part: int) -> None:
    done = 0
    for seed in range(part, RUNS, 4):
        world = new_world()
        done += await one_run(world, other, seed, world.home)
    assert done > RUNS / 4


@pytest.mark.parametrize("part", range(4))
async def test_nor_is_it_between_two_disks(
    new_world: Any, other: Other, second_disk: Path, part: int
) -> None:
    done = 0
    for seed in range(part, RUNS, 4):
        world, top = new_world(), second_disk / str(seed)
        (top / "Downloads").mkdir(parents=True)
        world.downloads.rmdir()
        world.downloads.symlink_to(top / "Downloads")
        done += await one_run(world, other, seed, second_disk)
        empty(second_disk)
    assert done > RUNS / 4
