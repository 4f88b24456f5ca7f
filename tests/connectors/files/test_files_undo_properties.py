"""Whatever the names and texts: undo brings back every byte, and no path opens anything outside."""

import asyncio
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connectors.base import Outcome, Prepared
from connectors.files.disk.jail import Jail, reach_by_walk

# One world serves many examples: each starts from a tree that the one before has left as it was.
relaxed = settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
NAMES = st.sampled_from(
    [
        b"a.txt",
        b"b.md",
        b"K\xf6nig.txt",
        "日本.txt".encode(),
        b"a b.txt",
        b"100%.txt",
        b"[x].txt",
        b"\x1b[2J.txt",
    ]
)
FOLDERS = st.sampled_from([b"", b"sub/", b"sub/deep/", b"odd\xff/", "größe/".encode()])
CONTENT = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from([b"", b"one\r\ntwo", b"one\n", "Übel".encode("cp1252"), "Ü\n".encode("utf-16")]),
)
TREES = st.dictionaries(st.builds(lambda folder, name: folder + name, FOLDERS, NAMES), CONTENT, max_size=6)


@pytest.fixture
def world(new_world: Any) -> Any:
    return new_world()


def fill(world: Any, files: dict[bytes, bytes]) -> list[str]:
    """Make the folder Documents hold just these files; their handles."""
    clear = [b"rm", b"-rf", os.fsencode(world.documents), os.fsencode(world.trash)]
    assert os.spawnvp(os.P_WAIT, "rm", clear) == 0
    world.documents.mkdir()
    for name, content in files.items():
        world.file(b"Documents/" + name, content)
    found = sorted(files)
    return [
        world.connector._desk.places.of_path(os.fsencode(world.documents) + b"/" + name).handle
        for name in found
    ]


def back_and_forth(world: Any, tool: str, **arguments: object) -> bool:
    """Do something, take it back, and compare; whether it could be done at all."""
    before = world.tree()

    async def go() -> bool:
        looked = await world.look(tool, **arguments)
        assert world.tree() == before, "looking has changed something"
        if not isinstance(looked, Prepared):
            return False
        outcome = await world.connector.perform(looked)
        if not outcome.ok:
            return False
        assert world.tree() != before
        undone = await world.undo(outcome)
        assert undone.ok, undone
        return True

    done = asyncio.run(go())
    assert world.tree() == before
    return done


@relaxed
@given(TREES.filter(bool), st.text(min_size=1, max_size=30), st.booleans(), st.data())
def test_undoing_a_write_brings_back_every_byte(
    world: Any, files: dict[bytes, bytes], text: str, add: bool, data: st.DataObject
) -> None:
    handles = fill(world, files)
    file = data.draw(st.sampled_from([*handles, "file:Documents/new.txt", "sub/new", "brand/new/one.txt"]))
    back_and_forth(world, "write", file=file, text=text, add=add)


@relaxed
@given(TREES.filter(bool), st.data())
def test_undoing_a_move_brings_back_every_byte(
    world: Any, files: dict[bytes, bytes], data: st.DataObject
) -> None:
    handles = fill(world, files)
    file = data.draw(st.sampled_from([*handles, "Documents/sub", "Documents/sub/deep"]))
    goals = [
        "Downloads",
        "file:Documents/x y.txt",
        "new.txt",
        "brand/new/",
        "Documents/sub",
        "file:Documents/größe",
    ]
    back_and_forth(world, "move", file=file, to=data.draw(st.sampled_from(goals)))


@relaxed
@given(TREES.filter(bool), st.data())
def test_undoing_a_delete_brings_back_every_byte(
    world: Any, files: dict[bytes, bytes], data: st.DataObject
) -> None:
    handles = fill(world, files)
    file = data.draw(st.sampled_from([*handles, "Documents/sub", "file:Documents/odd%FF"]))
    done = back_and_forth(world, "delete", file=file)
    assert done or file not in handles


NAMED = [
    "Documents",
    "Downloads",
    "sub",
    "out",
    "out.txt",
    "up",
    "root",
    "proc",
    "outside",
    "secret.txt",
    "etc",
]
TRICKS = [
    ".",
    "..",
    "",
    "~",
    "file:",
    "file:Documents",
    "file://",
    "%2e%2e",
    "..%2f",
    "\\..",
    "．．",
    "\x00",
    "\udcff",
]
PARTS = st.sampled_from([*NAMED, *TRICKS, "a.txt"])
EXPRESSIONS = st.one_of(
    st.lists(PARTS, min_size=1, max_size=6).map("/".join),
    st.lists(PARTS, min_size=1, max_size=6).map(lambda parts: "/" + "/".join(parts)),
    st.text(max_size=30),
)


@pytest.fixture(params=["kernel or walk", "walk"])
def trapped(request: pytest.FixtureRequest, new_world: Any) -> Any:
    """A world full of links that lead out."""
    world = new_world(jail=Jail(reach_by_walk) if request.param == "walk" else None)
    world.file("Documents/a.txt", "inside\n")
    (world.documents / "sub").mkdir()
    for name, goal in (
        ("out", "../outside"),
        ("out.txt", "../outside/secret.txt"),
        ("up", ".."),
        ("root", "/"),
        ("proc", "/proc/self/root"),
        ("sub/outside", str(world.outside)),
        ("sub/secret.txt", "../../outside/secret.txt"),
    ):
        os.symlink(goal, world.documents / name)
    return world


@relaxed
@given(EXPRESSIONS, st.sampled_from(["read", "list", "search", "write", "move", "make_folder", "delete"]))
def test_no_path_whatever_opens_anything_outside(trapped: Any, expression: str, tool: str) -> None:
    world = trapped
    arguments = {
        "read": {"file": expression},
        "list": {"folder": expression},
        "search": {"words": "secret", "folder": expression},
        "write": {"file": expression, "text": "x"},
        "move": {"file": "Documents/a.txt", "to": expression},
        "make_folder": {"folder": expression},
        "delete": {"file": expression},
    }[tool]

    async def go() -> None:
        looked = await world.look(tool, **arguments)
        if not isinstance(looked, Prepared):
            assert "the secret outside" not in repr(looked)
            return
        outcome = await world.connector.perform(looked)
        assert isinstance(outcome, Outcome)
        assert "the secret outside" not in repr((looked, outcome))
        if outcome.undo is not None:
            assert (await world.undo(outcome)).ok

    asyncio.run(go())
    assert os.listdir(world.outside) == ["secret.txt"]
    assert (world.outside / "secret.txt").read_text() == "the secret outside"
    assert sorted(os.listdir(world.home)) == sorted(
        {"Documents", "Downloads", "outside", "state", "trash"} & set(os.listdir(world.home))
    )
