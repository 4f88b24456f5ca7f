"""Writing: what is shown before, what is on the disk after, and that undo brings back every byte."""

import os
import stat
from typing import Any

import pytest

from connectors.base import Effect, Needs
from connectors.files.config import Config


def fields(prepared: Any) -> dict[str, str]:
    return {field.label: field.value for field in prepared.preview.fields}


async def test_a_new_note_is_shown_whole_and_made_in_the_first_folder(world: Any) -> None:
    prepared = await world.prepared("write", file="shopping", text="milk\neggs")
    assert prepared.effects == {Effect.WRITE}
    assert prepared.preview.title == "Make a new file Documents/shopping.txt"
    assert fields(prepared) == {"New file": "Documents/shopping.txt", "Size": "10 bytes"}
    assert prepared.preview.fields[0].note == "“.txt” was added"
    assert prepared.preview.body == "milk\neggs\n"
    assert prepared.undo == "the new file is put in the trash"
    assert not (world.documents / "shopping.txt").exists()

    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Made Documents/shopping.txt, 10 bytes."
    assert (world.documents / "shopping.txt").read_text() == "milk\neggs\n"


async def test_undoing_a_new_file_puts_it_in_the_trash(world: Any) -> None:
    before = world.tree()
    outcome = await world.do("write", file="a/b/c.txt", text="x")
    assert (await world.undo(outcome)).ok
    assert world.tree() == before
    assert (world.trash / "files" / "c.txt").read_text() == "x\n"


async def test_folders_that_are_not_there_are_shown_and_made(world: Any) -> None:
    prepared = await world.prepared("write", file="trips/rome/plan.md", text="go")
    assert fields(prepared)["New folder"] == "Documents/trips, Documents/trips/rome"
    assert (await world.connector.perform(prepared)).ok
    assert (world.documents / "trips/rome/plan.md").read_text() == "go\n"


async def test_undo_keeps_folders_that_others_have_used_since(world: Any) -> None:
    outcome = await world.do("write", file="trips/plan.txt", text="go")
    world.file("Documents/trips/tickets.txt")
    assert (await world.undo(outcome)).ok
    assert os.listdir(world.documents / "trips") == ["tickets.txt"]


async def test_a_new_file_may_be_said_to_go_to_another_folder(new_world: Any) -> None:
    world = new_world(config=Config(index=False, new_files="Downloads"))
    world.file("Documents/home/flat/x.txt")
    for said, made in (
        ("note", "Downloads/note.txt"),
        ("Documents/note", "Documents/note.txt"),
        ("flat/note.md", "Documents/home/flat/note.md"),
        ("home/note", "Documents/home/note.txt"),
        ("file:Documents/home/note 2.txt", "Documents/home/note 2.txt"),
    ):
        assert fields(await world.prepared("write", file=said, text="x"))["New file"] == made


async def test_changing_a_file_shows_the_difference_and_keeps_the_mode(world: Any) -> None:
    path = world.file("Documents/todo.txt", "one\ntwo\n")
    path.chmod(0o640)
    prepared = await world.prepared("write", file="todo", text="one\nthree")
    assert prepared.preview.title == "Replace what is in Documents/todo.txt"
    assert (
        prepared.preview.diff
        == "--- todo.txt (now)\n+++ todo.txt (after)\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
    )
    assert prepared.preview.body is None
    assert path.read_text() == "one\ntwo\n"

    outcome = await world.connector.perform(prepared)
    assert path.read_text() == "one\nthree\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert outcome.text == "Changed Documents/todo.txt; it is 10 bytes now."


async def test_undoing_a_change_restores_the_bytes_and_redoing_brings_them_again(world: Any) -> None:
    world.file("Documents/todo.txt", b"\xff\xfeo\0n\0e\0\r\0\n\0")
    before = world.tree()
    outcome = await world.do("write", file="todo", text="two", add=True)
    changed = world.tree()
    undone = await world.undo(outcome)
    assert undone.ok
    assert world.tree() == before
    assert (await world.undo(undone)).ok
    assert world.tree() == changed


async def test_adding_is_named_as_such_and_keeps_line_ends(world: Any) -> None:
    path = world.file("Documents/todo.txt", b"one\r\ntwo")
    prepared = await world.prepared("write", file="todo", text="three", add=True)
    assert prepared.preview.title == "Add to Documents/todo.txt"
    assert "+three\n" in prepared.preview.diff
    outcome = await world.connector.perform(prepared)
    assert path.read_bytes() == b"one\r\ntwo\r\nthree\r\n"
    assert outcome.text == "Added to Documents/todo.txt; it is 17 bytes now."


async def test_adding_asks_when_only_some_words_fit(world: Any) -> None:
    world.file("Documents/Shopping at the market.txt")
    question = await world.asked("write", file="shopping", text="milk", add=True)
    assert [option.arguments["file"] for option in question.options] == [
        "file:Documents/Shopping at the market.txt",
        "file:Documents/shopping.txt",
    ]
    assert question.options[1].label == "a new file, Documents/shopping.txt"


async def test_writing_with_only_some_words_makes_a_new_file(world: Any) -> None:
    world.file("Documents/meeting notes.txt")
    assert fields(await world.prepared("write", file="notes", text="x"))["New file"] == "Documents/notes.txt"


async def test_two_files_of_that_name_are_asked_about_with_a_new_one_beside_them(world: Any) -> None:
    world.file("Documents/a/list.txt")
    world.file("Documents/b/list.txt")
    question = await world.asked("write", file="list", text="x")
    assert [option.label for option in question.options] == [
        "Documents/a/list.txt",
        "Documents/b/list.txt",
        "a new file, Documents/list.txt",
    ]


async def test_a_picture_of_that_name_is_no_place_for_text(world: Any) -> None:
    world.file("Documents/list.png", b"\x89PNG\r\n\x1a\n\0")
    assert fields(await world.prepared("write", file="list", text="x"))["New file"] == "Documents/list.txt"
    assert (await world.refused("write", file="list.png", text="x")).needs is Needs.UNSUPPORTED


async def test_text_that_the_encoding_lacks_changes_nothing(world: Any) -> None:
    world.file("Documents/a.txt", "Übel".encode("cp1252"))
    outcome = await world.refused("write", file="a", text="日本", add=True)
    assert outcome.needs is Needs.INVALID
    assert "Windows-1252" in outcome.text


async def test_writing_what_is_there_already_is_said_so(world: Any) -> None:
    world.file("Documents/a.txt", "same\n")
    assert "says exactly that already" in (await world.refused("write", file="a", text="same")).text


@pytest.mark.parametrize(
    ("file", "needs"),
    [
        ("../../.bashrc", Needs.INVALID),
        ("/etc/cron.d/x", Needs.INVALID),
        (".bashrc", Needs.INVALID),
        ("notes/.hidden/x.txt", Needs.INVALID),
        ("a\x1b[2J.txt", Needs.INVALID),
        ("a\u202etxt.exe", Needs.INVALID),
        ("x" * 260 + ".txt", Needs.INVALID),
        ("file:Documents/%00.txt", Needs.INVALID),
    ],
)
async def test_a_bad_place_for_a_file_is_refused_before_anything_is_made(
    world: Any, file: str, needs: Needs
) -> None:
    before = world.tree()
    assert (await world.refused("write", file=file, text="x")).needs is needs
    assert world.tree() == before


async def test_a_hidden_file_may_be_written_where_that_was_allowed(new_world: Any) -> None:
    world = new_world(config=Config(index=False, hidden=True))
    assert (await world.do("write", file="Documents/.profile.txt", text="x")).ok
    assert (world.documents / ".profile.txt").exists()


async def test_a_folder_is_no_file(world: Any) -> None:
    world.file("Documents/flat/x.txt")
    assert (await world.asked("write", file="Documents", text="x")).argument == "file"
    assert (await world.asked("write", file="flat/", text="x")).argument == "file"
    assert (await world.asked("write", file="file:Documents/flat", text="x")).argument == "file"
    assert fields(await world.prepared("write", file="flat", text="x"))["New file"] == "Documents/flat.txt"


async def test_nothing_is_written_through_a_link(world: Any) -> None:
    os.symlink("../outside/secret.txt", world.documents / "out.txt")
    os.symlink("../outside", world.documents / "folder")
    world.file("Documents/a.txt")
    os.symlink("a.txt", world.documents / "in.txt")
    assert (await world.refused("write", file="Documents/out.txt", text="x")).needs is Needs.INVALID
    assert (await world.refused("write", file="Documents/in.txt", text="x")).needs is Needs.INVALID
    assert not (await world.refused("write", file="Documents/folder/new.txt", text="x")).ok
    assert os.listdir(world.outside) == ["secret.txt"]


async def test_a_file_changed_since_the_look_is_left_alone(world: Any) -> None:
    path = world.file("Documents/a.txt", "one\n")
    prepared = await world.prepared("write", file="a", text="two")
    path.write_text("someone else\n")
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.CONFLICT
    assert path.read_text() == "someone else\n"


async def test_a_file_that_appeared_since_the_look_is_left_alone(world: Any) -> None:
    prepared = await world.prepared("write", file="a", text="two")
    path = world.file("Documents/a.txt", "someone else\n")
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.CONFLICT
    assert path.read_text() == "someone else\n"


async def test_undo_leaves_a_new_file_alone_that_has_been_edited_since(world: Any) -> None:
    outcome = await world.do("write", file="a", text="one")
    (world.documents / "a.txt").write_text("edited\n")
    assert (await world.undo(outcome)).needs is Needs.CONFLICT
    assert (world.documents / "a.txt").read_text() == "edited\n"


async def test_undo_leaves_a_file_alone_that_has_changed_since(world: Any) -> None:
    path = world.file("Documents/a.txt", "one\n")
    outcome = await world.do("write", file="a", text="two")
    path.write_text("three\n")
    undone = await world.undo(outcome)
    assert undone.needs is Needs.CONFLICT
    assert path.read_text() == "three\n"


async def test_a_change_is_taken_back_only_once(world: Any) -> None:
    world.file("Documents/a.txt", "one\n")
    outcome = await world.do("write", file="a", text="two")
    assert (await world.undo(outcome)).ok
    assert (await world.undo(outcome)).needs is Needs.NOT_FOUND


@pytest.mark.parametrize("record", ["../../forged", "content-zz", "", "content-0123456789abcdef/../x"])
async def test_an_undo_record_is_only_ever_one_of_ours(world: Any, record: str) -> None:
    world.file("forged.json", '{"kind": "folder", "facts": {"made": ["file:Documents/empty"]}}')
    (world.documents / "empty").mkdir()
    (world.home / "state" / "undo").mkdir(parents=True)
    assert (await world.refused("undo", record=record)).needs is Needs.INVALID
    assert (world.documents / "empty").is_dir()


async def test_a_damaged_undo_record_is_told(world: Any) -> None:
    world.file("Documents/a.txt", "one\n")
    outcome = await world.do("write", file="a", text="two")
    for content in ("{", '{"kind": "content", "facts": {}}', '{"kind": "what", "facts": {}}', "[]"):
        (world.home / "state" / "undo" / f"{outcome.undo.arguments['record']}.json").write_text(content)
        assert (await world.undo(outcome)).needs is Needs.INVALID
    assert (world.documents / "a.txt").read_text() == "two\n"


async def test_changes_older_than_is_kept_are_let_go(world: Any) -> None:
    world.file("Documents/a.txt", "one\n")
    old = await world.do("write", file="a", text="two")
    for path in (world.home / "state" / "undo").iterdir():
        os.utime(path, (0, 0))
    await world.do("write", file="b", text="x")
    assert (await world.undo(old)).needs is Needs.NOT_FOUND


async def test_a_hard_link_is_warned_of_and_its_other_name_keeps_the_old_text(world: Any) -> None:
    path = world.file("Documents/a.txt", "one\n")
    os.link(path, world.outside / "b.txt")
    prepared = await world.prepared("write", file="a", text="two")
    assert "hard link" in prepared.preview.warnings[0]
    await world.connector.perform(prepared)
    assert (world.outside / "b.txt").read_text() == "one\n"


async def test_a_file_marked_read_only_is_not_replaced(world: Any) -> None:
    path = world.file("Documents/a.txt", "one\n")
    path.chmod(0o444)
    outcome = await world.do("write", file="a", text="two")
    assert outcome.needs is Needs.READ_ONLY
    assert path.read_text() == "one\n"
