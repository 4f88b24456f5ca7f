"""Reading: which message is meant, what is shown of it, and what it marks."""

from typing import Any

import pytest

from connectors.base import Effect, Needs, Role


async def test_a_message_is_read_and_marked_and_can_be_marked_back(world: Any) -> None:
    handle = world.receive(body="See you at the lake.\n\nAna")
    before = world.files()
    prepared = await world.prepared("read", sender="Ana")

    assert prepared.effects == {Effect.READ, Effect.MARK}
    assert prepared.preview.title == "Read “Ana Ruiz: Friday”"
    assert ("Marks it", "unread", "read") in [
        (field.label, field.before, field.value) for field in prepared.preview.fields
    ]
    assert prepared.undo
    assert world.files() == before

    outcome = await world.connector.perform(prepared)

    assert outcome.ok
    assert outcome.text == "Read the message from Ana Ruiz."
    assert outcome.content == (
        "From: Ana Ruiz <ana@post.example>\nTo: Robin Vale <robin@home.example>\nSubject: Friday\n"
        "Date: Sun 29 Nov 2026 10:00 Europe/Copenhagen\n\nSee you at the lake.\n\nAna"
    )
    assert world.files() == [f"cur/{handle.split('/')[1]}:2,S"]
    assert (await world.take_back(outcome)).ok
    assert world.files() == before
    assert (await world.take_back(outcome)).needs is Needs.NOT_FOUND


async def test_a_message_read_before_is_only_read(world: Any) -> None:
    world.receive(flags="FS")
    prepared = await world.prepared("read", message="friday")

    assert prepared.effects == {Effect.READ}
    assert prepared.undo is None
    assert (await world.connector.perform(prepared)).undo is None


async def test_of_several_from_one_sender_the_newest_is_read(world: Any) -> None:
    world.receive(subject="old", days=5)
    newest = world.receive(subject="new", days=1)
    prepared = await world.prepared("read", sender="Ana")

    assert prepared.resolved[0].value == newest
    assert prepared.resolved[0].role is Role.TARGET
    assert prepared.preview.fields[0].note == "the newest of 2"


async def test_of_several_from_different_senders_it_is_asked(world: Any) -> None:
    first = world.receive("Ana Ruiz <ana@post.example>", "Invoice", days=1)
    second = world.receive("Carla Nowak <carla@studio.example>", "Invoice", days=2)
    question = await world.asked("read", message="the invoice")

    assert question.text == "Which message? 2 messages match."
    assert [option.label for option in question.options] == ["Ana Ruiz: Invoice", "Carla Nowak: Invoice"]
    assert [option.arguments for option in question.options] == [{"message": first}, {"message": second}]
    assert "ana@post.example" in question.options[0].detail
    assert (await world.prepared("read", **question.options[1].arguments)).resolved[0].value == second


async def test_the_last_message_is_the_newest_received(world: Any) -> None:
    world.receive("Ana Ruiz <ana@post.example>", "old", days=3)
    newest = world.receive("Carla Nowak <carla@studio.example>", "new", days=2)
    world.receive("Robin <robin@home.example>", "mine", days=1, folder="Sent", flags="S")

    for arguments in ({"message": "my last message"}, {"message": "the latest email"}, {}):
        assert (await world.prepared("read", **arguments)).resolved[0].value == newest


async def test_a_whole_subject_wins_over_words(world: Any) -> None:
    exact = world.receive("Ana Ruiz <ana@post.example>", "The last message", days=9)
    world.receive("Carla Nowak <carla@studio.example>", "The last message but one", days=1)

    assert (await world.prepared("read", message="the last message")).resolved[0].value == exact


async def test_nothing_that_fits_is_said(world: Any) -> None:
    world.receive()
    outcome = await world.refused("read", message="invoice", sender="Carla")

    assert outcome.needs is Needs.NOT_FOUND
    assert outcome.text == "No message from “Carla” about “invoice” was found."
    for verb in ("read", "delete", "reply"):
        question = await world.asked(verb, message="the invoice", sender="Ana")
        assert question.text == "No message from “Ana” about “the invoice” was found. Which one is meant?"
        assert [option.label for option in question.options] == ["Ana Ruiz: Friday"]
    assert (await world.refused("read", message="message:INBOX/1.gone")).needs is Needs.NOT_FOUND


async def test_a_message_that_goes_or_changes_in_between_is_not_read(world: Any) -> None:
    world.receive()
    prepared = await world.prepared("read", sender="Ana")
    file = world.mail / world.files()[0]
    file.write_bytes(b"Subject: another\n\nbody")
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT

    file.unlink()
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT


async def test_a_message_read_elsewhere_in_between_is_still_read(world: Any) -> None:
    world.receive()
    prepared = await world.prepared("read", sender="Ana")
    file = world.mail / world.files()[0]
    file.rename(world.mail / "cur" / f"{file.name}:2,S")

    outcome = await world.connector.perform(prepared)

    assert outcome.ok
    assert outcome.undo is None


async def test_what_is_hidden_in_a_text_is_made_visible(world: Any) -> None:
    world.receive_bytes(b"From: a@b.example\nSubject: x\n\n\x1b[2Jhello\0 \xe2\x80\xaeabc\n")
    outcome = await world.do("read", message="x")

    assert outcome.content is not None
    assert outcome.content.endswith("⟨U+001B⟩[2Jhello⟨U+0000⟩ ⟨U+202E⟩abc")


async def test_what_is_wrong_with_a_message_and_attached_to_it_is_told(world: Any) -> None:
    world.receive_bytes(
        b"From: ana@post.example\nFrom: eve@x.example\nSubject: x\n"
        b"Content-Type: multipart/mixed; boundary=z\n\n--z\n\nhi\n"
        b'--z\nContent-Type: application/pdf; name="../../bill\x1b.pdf"\n\nabc\n--z--'
    )
    outcome = await world.do("read", message="x")

    assert "it names its sender more than once" in outcome.text
    assert "Attached: bill⟨U+001B⟩.pdf (application/pdf, 3 bytes)" in (outcome.content or "")


@pytest.mark.parametrize("folder", ["Trash", "Junk", "Sent"])
async def test_other_folders_are_looked_at_last(world: Any, folder: str) -> None:
    other = world.receive(subject="Invoice", folder=folder, flags="S", days=1)
    assert (await world.prepared("read", message="invoice")).resolved[0].value == other

    received = world.receive(subject="Invoice", days=8)
    assert (await world.prepared("read", message="invoice")).resolved[0].value == received
