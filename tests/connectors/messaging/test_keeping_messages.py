"""Drafts, moves, the trash, and taking back: byte for byte, or not at all."""

import email
from email import policy
from typing import Any

import pytest

from connectors.base import Call, Effect, Needs, Prepared
from connectors.messaging.maildir.mailbox import Mailbox


def contents(world: Any) -> dict[str, bytes]:
    """Every message file of the mailbox with its bytes."""
    return {
        str(file.relative_to(world.mail)): file.read_bytes()
        for file in world.mail.rglob("*")
        if file.is_file() and file.parent.name in ("new", "cur")
    }


async def test_a_draft_is_kept_and_taken_back(friends: Any) -> None:
    friends.receive()
    before = contents(friends)
    prepared = await friends.prepared("draft", to=["Ana"], subject="Friday", body="At noon?")
    assert prepared.effects == {Effect.WRITE}
    assert contents(friends) == before

    outcome = await friends.connector.perform(prepared)

    assert outcome.text == "The draft to Ana Ruiz is in Drafts."
    (name,) = friends.files("Drafts")
    assert name.endswith(":2,DS")
    letter = email.message_from_bytes((friends.mail / ".Drafts" / name).read_bytes(), policy=policy.default)
    assert (letter["To"], letter["Subject"]) == ("Ana Ruiz <ana@post.example>", "Friday")
    assert (await friends.take_back(outcome)).text == "The draft is removed."
    assert contents(friends) == before


async def test_a_draft_needs_no_recipient_and_no_account(world: Any) -> None:
    world.build(address="")
    outcome = await world.do("draft", body="a thought")

    assert outcome.text == "The draft is in Drafts."
    letter = email.message_from_bytes((world.mail / ".Drafts" / world.files("Drafts")[0]).read_bytes())
    assert (letter["From"], letter["To"]) == (None, None)
    assert (await world.asked("draft", subject="x")).text == "What should the message say?"


async def test_a_draft_that_was_changed_is_not_removed(world: Any) -> None:
    outcome = await world.do("draft", body="a thought")
    file = world.mail / ".Drafts" / world.files("Drafts")[0]
    file.write_bytes(file.read_bytes() + b"and more")

    assert (await world.take_back(outcome)).needs is Needs.CONFLICT
    assert file.exists()


async def test_a_message_goes_to_the_trash_and_back_with_its_flags(world: Any) -> None:
    world.receive(flags="FS")
    before = contents(world)
    prepared = await world.prepared("delete", sender="Ana")

    assert prepared.effects == {Effect.DELETE}
    assert prepared.preview.title == "Put “Ana Ruiz: Friday” in the trash"
    assert prepared.undo == "it can be moved back to Inbox"
    assert [(each.label, each.value) for each in prepared.preview.fields] == [
        ("Message", "Ana Ruiz: Friday"),
        ("From", "Ana Ruiz <ana@post.example>"),
        ("Came", "Sun 29 Nov 2026 10:00 Europe/Copenhagen"),
        ("Folder", "Trash"),
    ]
    outcome = await world.connector.perform(prepared)

    assert outcome.text == "“Ana Ruiz: Friday” is now in the trash."
    assert world.files() == []
    (trashed,) = world.files("Trash")
    assert trashed.endswith(":2,FS")
    assert (await world.take_back(outcome)).text == "The message is back in Inbox."
    assert contents(world) == before


async def test_an_unread_message_comes_back_as_new(world: Any) -> None:
    world.receive()
    before = contents(world)
    outcome = await world.do("delete", sender="Ana")
    await world.take_back(outcome)

    assert contents(world) == before


@pytest.mark.parametrize(
    ("words", "folder"), [("archive", "Archive"), ("the archive folder", "Archive"), ("receipts", "Receipts")]
)
async def test_a_message_is_moved_to_the_folder_that_is_meant(world: Any, words: str, folder: str) -> None:
    world.receive(subject="other", folder="Receipts", flags="S")
    world.receive(subject="Friday")
    prepared = await world.prepared("move", message="friday", folder=words)
    outcome = await world.connector.perform(prepared)

    assert prepared.effects == {Effect.WRITE}
    assert outcome.text == f"“Ana Ruiz: Friday” is now in {folder}."
    assert world.files() == []
    assert world.files("Trash") == []


async def test_moving_to_the_trash_is_deleting(world: Any) -> None:
    world.receive()
    assert (await world.prepared("move", sender="Ana", folder="bin")).effects == {Effect.DELETE}


async def test_where_to_move_is_asked_where_it_is_not_clear(world: Any) -> None:
    world.receive()
    world.receive(subject="other", folder="Receipts", flags="S")

    question = await world.asked("move", message="friday")
    assert (question.argument, [option.label for option in question.options]) == ("folder", ["Receipts"])
    assert (await world.asked("move", message="friday", folder="bills")).argument == "folder"
    assert (await world.refused("move", message="friday", folder="inbox")).needs is Needs.INVALID
    assert (await world.refused("move", message="friday", folder="drafts")).needs is Needs.INVALID


async def test_which_message_to_delete_is_asked_where_several_match(world: Any) -> None:
    for number in range(11):
        world.receive(subject=f"offer {number}", days=number)
    question = await world.asked("delete", message="offer")

    assert len(question.options) == 8
    assert (
        question.text
        == "Which message? 11 messages match. The newest 8 are shown; say more about it to find another."
    )
    assert (await world.asked("delete")).argument == "message"


async def test_what_is_in_the_trash_is_never_deleted_for_good(world: Any) -> None:
    handle = world.receive(folder="Trash", flags="S")
    assert (await world.refused("delete", message=handle)).needs is Needs.INVALID
    assert len(world.files("Trash")) == 1


@pytest.mark.parametrize("change", ["flag", "text", "gone"])
async def test_a_message_that_changes_in_between_is_not_moved(world: Any, change: str) -> None:
    world.receive(flags="S")
    prepared = await world.prepared("delete", sender="Ana")
    file = world.mail / world.files()[0]
    if change == "flag":
        file.rename(file.with_name(file.name.replace(":2,S", ":2,FS")))
    elif change == "text":
        file.write_bytes(b"Subject: another\n\n")
    else:
        file.unlink()

    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT
    assert world.files("Trash") == []


async def test_a_message_read_in_between_is_still_the_same(world: Any) -> None:
    world.receive()
    prepared = await world.prepared("delete", sender="Ana")
    file = world.mail / world.files()[0]
    file.rename(world.mail / "cur" / f"{file.name}:2,S")

    assert (await world.connector.perform(prepared)).ok


async def test_what_left_the_trash_cannot_be_taken_back(world: Any) -> None:
    world.receive()
    outcome = await world.do("delete", sender="Ana")
    (world.mail / ".Trash" / world.files("Trash")[0]).unlink()

    assert (await world.take_back(outcome)).needs is Needs.CONFLICT


async def test_taking_back_is_shown_like_any_other_deed(world: Any) -> None:
    world.receive()
    outcome = await world.do("delete", sender="Ana")
    assert outcome.undo is not None
    assert (outcome.undo.id, outcome.undo.tool) == ("undo-call-1", "messaging.undo")
    before = contents(world)

    prepared = await world.look("undo", **outcome.undo.arguments)

    assert isinstance(prepared, Prepared)
    assert prepared.preview.title == "Move “Ana Ruiz: Friday” back to Inbox"
    assert contents(world) == before


@pytest.mark.parametrize("record", ["", "../../x", "0" * 32, "nonsense"])
async def test_a_record_that_is_not_there_undoes_nothing(world: Any, record: str) -> None:
    assert (await world.refused("undo", record=record)).needs is Needs.NOT_FOUND


async def test_undo_survives_a_restart(world: Any) -> None:
    world.receive()
    before = contents(world)
    outcome = await world.do("delete", sender="Ana")
    world.build()

    assert (await world.take_back(outcome)).ok
    assert contents(world) == before


async def test_a_full_disk_is_said_and_changes_nothing(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    world.receive()
    prepared = [await world.prepared("delete", sender="Ana"), await world.prepared("draft", body="x")]
    before = contents(world)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    for each in prepared:
        outcome = await world.connector.perform(each)
        assert (outcome.ok, outcome.needs) == (False, Needs.NO_SPACE)
    assert contents(world) == before


async def test_a_mailbox_that_may_not_be_written_to_is_read_only(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.receive()
    prepared = await world.prepared("read", sender="Ana")

    def refused(self: Mailbox, *_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Mailbox, "mark", refused)
    monkeypatch.setattr(Mailbox, "deliver", refused)
    outcome = await world.connector.perform(prepared)

    assert outcome.ok
    assert outcome.text == "Read the message from Ana Ruiz. It could not be marked as read."
    assert (await world.do("draft", body="x")).needs is Needs.READ_ONLY


async def test_a_tool_of_another_service_is_not_done_here(world: Any) -> None:
    outcome = await world.refused("fly")
    assert outcome.needs is Needs.UNSUPPORTED


async def test_arguments_that_do_not_fit_are_refused(world: Any) -> None:
    assert (await world.refused("search", colour="blue")).needs is Needs.INVALID
    call = Call("c", "messaging.search", {"unread": "perhaps"})
    assert (await world.look(call.tool.split(".")[1], **call.arguments)).needs is Needs.INVALID
