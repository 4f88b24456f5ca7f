"""Moving, renaming and making folders: never over anything, and back again to the last byte."""

import os
from typing import Any

import pytest

from connectors.base import Effect, Needs, Outcome, Role
from connectors.files.config import Config
from connectors.files.places import Root


def to(prepared: Any) -> str:
    return next(field.value for field in prepared.preview.fields if field.label in ("To", "New folder"))


async def test_a_file_is_moved_into_a_folder_and_back(world: Any) -> None:
    world.file("Documents/lease.txt")
    world.file("Documents/Archive/old.txt")
    before = world.tree()
    prepared = await world.prepared("move", file="lease", to="archive")
    assert prepared.effects == {Effect.WRITE}
    assert prepared.preview.title == "Move Documents/lease.txt to Documents/Archive"
    assert to(prepared) == "Documents/Archive/lease.txt"
    assert [(thing.role, thing.argument, thing.value) for thing in prepared.resolved] == [
        (Role.TARGET, "file", "file:Documents/lease.txt"),
        (Role.DESTINATION, "to", "file:Documents/Archive"),
    ]
    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Moved Documents/lease.txt to Documents/Archive/lease.txt."
    assert (world.documents / "Archive/lease.txt").exists()
    undone = await world.undo(outcome)
    assert undone.text == "Documents/lease.txt is back where it was."
    assert world.tree() == before
    assert (await world.undo(undone)).ok
    assert (world.documents / "Archive/lease.txt").exists()


@pytest.mark.parametrize(
    ("said", "target"),
    [
        ("Downloads", "Downloads/lease.txt"),
        ("Archive", "Documents/Archive/lease.txt"),
        ("the archive folder", "Documents/Archive/lease.txt"),
        ("Archive/", "Documents/Archive/lease.txt"),
        ("papers/", "Documents/papers/lease.txt"),
        ("Downloads/papers/", "Downloads/papers/lease.txt"),
        ("lease 2026.txt", "Documents/home/lease 2026.txt"),
        ("lease.md", "Documents/home/lease.md"),
        ("Archive/lease 2026.txt", "Documents/Archive/lease 2026.txt"),
        ("Downloads/x.txt", "Downloads/x.txt"),
        ("file:Downloads/x", "Downloads/x"),
        ("file:Downloads", "Downloads/lease.txt"),
    ],
)
async def test_what_was_said_decides_between_a_folder_and_a_new_name(
    world: Any, said: str, target: str
) -> None:
    world.file("Documents/home/lease.txt")
    world.file("Documents/Archive/old.txt")
    prepared = await world.prepared("move", file="lease", to=said)
    assert next(field.value for field in prepared.preview.fields if field.label == "To") == target
    assert (await world.connector.perform(prepared)).ok
    assert (world.home / target).exists()


async def test_a_name_that_could_be_either_is_asked_about(world: Any) -> None:
    world.file("Documents/home/lease.txt")
    world.file("Documents/Old contracts/x.txt")
    question = await world.asked("move", file="lease", to="contracts")
    assert question.argument == "to"
    assert [(option.label, option.arguments["to"]) for option in question.options] == [
        ("rename it to contracts.txt", "file:Documents/home/contracts.txt"),
        ("put it in a new folder contracts", "file:Documents/contracts/"),
        ("put it in Documents/Old contracts", "file:Documents/Old contracts"),
    ]
    for option, target in zip(
        question.options,
        (
            "Documents/home/contracts.txt",
            "Documents/contracts/lease.txt",
            "Documents/Old contracts/lease.txt",
        ),
        strict=True,
    ):
        prepared = await world.prepared("move", file="lease", **option.arguments)
        assert next(field.value for field in prepared.preview.fields if field.label == "To") == target


async def test_two_folders_of_that_name_are_asked_about(world: Any) -> None:
    world.file("Documents/lease.txt")
    world.file("Documents/a/old/x.txt")
    world.file("Downloads/old/x.txt")
    question = await world.asked("move", file="lease", to="old")
    assert [option.arguments for option in question.options] == [
        {"to": "file:Downloads/old"},
        {"to": "file:Documents/a/old"},
    ]


async def test_a_folder_is_renamed_only_when_asked(world: Any) -> None:
    world.file("Documents/flat/lease.txt")
    question = await world.asked("move", file="flat", to="home")
    assert question.options[0].label == "rename it to home"
    outcome = await world.do("move", file="flat", **question.options[0].arguments)
    assert (world.documents / "home/lease.txt").exists()
    assert (await world.undo(outcome)).ok
    assert (world.documents / "flat/lease.txt").exists()


async def test_nothing_is_ever_replaced_by_a_move(world: Any) -> None:
    world.file("Documents/a.txt", "a\n")
    world.file("Documents/b.txt", "b\n")
    world.file("Downloads/a.txt", "other\n")
    before = world.tree()
    for goal in ("b.txt", "Downloads"):
        outcome = await world.refused("move", file="Documents/a.txt", to=goal)
        assert outcome.needs is Needs.CONFLICT
        assert "nothing is ever replaced" in outcome.text
    assert world.tree() == before


async def test_a_name_taken_since_the_look_is_left_alone(world: Any) -> None:
    world.file("Documents/a.txt", "a\n")
    prepared = await world.prepared("move", file="a.txt", to="b.txt")
    world.file("Documents/b.txt", "someone else\n")
    before = world.tree()
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT
    assert world.tree() == before


async def test_a_file_changed_since_the_look_is_not_moved(world: Any) -> None:
    path = world.file("Documents/a.txt", "a\n")
    prepared = await world.prepared("move", file="a.txt", to="b.txt")
    path.write_text("other\n")
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT
    assert path.exists()


async def test_a_folder_made_since_the_look_means_another_look(world: Any) -> None:
    world.file("Documents/a.txt", "a\n")
    prepared = await world.prepared("move", file="a.txt", to="papers/")
    (world.documents / "papers").mkdir()
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT
    assert (world.documents / "a.txt").exists()


async def test_undo_says_before_it_is_allowed_that_it_cannot(world: Any) -> None:
    world.file("Documents/a.txt", "a\n")
    moved = await world.do("move", file="a.txt", to="Downloads")
    (world.downloads / "a.txt").write_text("changed\n")
    made = await world.do("make_folder", folder="trips")
    world.file("Documents/trips/.hidden")
    for outcome in (moved, made):
        looked = await world.connector.prepare(outcome.undo, world.context)
        assert isinstance(looked, Outcome)
        assert looked.needs is Needs.CONFLICT


async def test_undo_refuses_when_something_is_in_the_way_or_has_changed(world: Any) -> None:
    world.file("Documents/a.txt", "a\n")
    outcome = await world.do("move", file="a.txt", to="Downloads")
    way = world.file("Documents/a.txt", "in the way\n")
    assert (await world.undo(outcome)).needs is Needs.CONFLICT
    way.unlink()
    (world.downloads / "a.txt").write_text("changed\n")
    assert (await world.undo(outcome)).needs is Needs.CONFLICT
    assert (world.downloads / "a.txt").read_text() == "changed\n"


async def test_a_folder_cannot_go_into_itself(world: Any) -> None:
    world.file("Documents/flat/inner/x.txt")
    for goal in ("Documents/flat/inner/", "file:Documents/flat/new/"):
        outcome = await world.refused("move", file="Documents/flat", to=goal)
        assert outcome.text == "“Documents/flat” cannot be moved into itself."


async def test_the_named_folders_themselves_stay(world: Any) -> None:
    assert (await world.refused("move", file="Downloads", to="x.txt")).needs is Needs.INVALID
    assert (await world.refused("delete", file="Downloads")).needs is Needs.INVALID


@pytest.mark.parametrize("goal", ["../x.txt", "/tmp/x.txt", ".x.txt", "a\x1bb.txt"])
async def test_a_bad_goal_is_refused(world: Any, goal: str) -> None:
    world.file("Documents/a.txt")
    assert (await world.refused("move", file="a.txt", to=goal)).needs is Needs.INVALID


async def test_an_odd_name_can_be_moved_renamed_and_brought_back(world: Any) -> None:
    world.file(b"Documents/K\xf6nig.txt", "king\n")
    before = world.tree()
    moved = await world.do("move", file=r"K\xf6nig.txt", to="Downloads")
    assert os.listdir(os.fsencode(world.downloads)) == [b"K\xf6nig.txt"]
    renamed = await world.do("move", file="file:Downloads/K%F6nig.txt", to="King.txt")
    assert os.listdir(world.downloads) == ["King.txt"]
    for outcome in (renamed, moved):
        assert (await world.undo(outcome)).ok
    assert world.tree() == before


async def test_a_link_is_moved_itself(world: Any) -> None:
    os.symlink("../outside/secret.txt", world.documents / "link.txt")
    assert (await world.do("move", file="link.txt", to="Downloads")).ok
    assert os.readlink(world.downloads / "link.txt") == "../outside/secret.txt"
    assert (world.outside / "secret.txt").exists()


async def test_a_file_goes_to_another_disk_and_back(world: Any, mounted: Any) -> None:
    world.roots.append(Root("Disk", mounted))
    world.connector = world.connect(Config(index=False))
    path = world.file("Documents/a.txt", "a\n")
    path.chmod(0o640)
    changed = path.stat().st_mtime
    before = world.tree()
    outcome = await world.do("move", file="a.txt", to="Disk")
    assert outcome.ok
    assert os.listdir(world.documents) == []
    assert os.listdir(mounted) == ["a.txt"]
    assert (mounted / "a.txt").stat().st_mtime == changed
    assert (await world.undo(outcome)).ok
    assert world.tree() == before
    assert os.listdir(mounted) == []


async def test_a_file_too_large_for_the_other_disk_stays(world: Any, mounted: Any) -> None:
    world.roots.append(Root("Disk", mounted))
    world.connector = world.connect(Config(index=False))
    world.file("Documents/a.txt", "a" * 100_000)
    before = world.tree()
    assert (await world.do("move", file="a.txt", to="Disk")).needs is Needs.NO_SPACE
    assert world.tree() == before
    assert os.listdir(mounted) == []


async def test_a_folder_is_not_taken_to_another_disk(world: Any, mounted: Any) -> None:
    world.roots.append(Root("Disk", mounted))
    world.connector = world.connect(Config(index=False))
    world.file("Documents/flat/a.txt")
    assert (await world.do("move", file="Documents/flat", to="Disk")).needs is Needs.UNSUPPORTED
    assert (world.documents / "flat/a.txt").exists()


async def test_a_folder_is_made_and_removed_again(world: Any) -> None:
    before = world.tree()
    prepared = await world.prepared("make_folder", folder="trips/rome")
    assert [(field.label, field.value) for field in prepared.preview.fields] == [
        ("New folder", "Documents/trips/rome"),
        ("Made on the way", "Documents/trips"),
    ]
    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Made the folder Documents/trips/rome."
    assert (world.documents / "trips/rome").is_dir()
    undone = await world.undo(outcome)
    assert undone.ok
    assert world.tree() == before
    assert undone.undo.tool == "files.make_folder"
    assert (await world.undo(undone)).ok
    assert (world.documents / "trips/rome").is_dir()


@pytest.mark.parametrize("name", ["note.txt", ".hidden"])
async def test_a_folder_with_something_in_it_is_not_removed(world: Any, name: str) -> None:
    outcome = await world.do("make_folder", folder="trips")
    world.file(f"Documents/trips/{name}")
    assert (await world.undo(outcome)).needs is Needs.CONFLICT
    assert (world.documents / "trips" / name).exists()


async def test_a_folder_that_is_there_already_is_told(world: Any) -> None:
    world.file("Documents/trips/x.txt")
    world.file("Documents/note.txt")
    assert (await world.refused("make_folder", folder="trips")).needs is Needs.CONFLICT
    assert (await world.refused("make_folder", folder="Downloads")).needs is Needs.CONFLICT
    assert (await world.refused("make_folder", folder="note.txt")).needs is Needs.INVALID
    assert (await world.refused("make_folder", folder="note.txt/inner")).needs is Needs.INVALID
    assert (await world.refused("make_folder", folder=".hidden")).needs is Needs.INVALID
