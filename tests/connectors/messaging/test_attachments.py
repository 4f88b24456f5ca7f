"""Files that go along with a message: named in words, shown in full, and sent only as they were shown."""

import os
from email.message import EmailMessage
from typing import Any

import pytest

from connectors.base import Effect, Needs, Outcome, Question, Role
from connectors.messaging.mime.letter import parse
from tests.connectors.messaging.files_desk import PDF, Desk


@pytest.fixture
def desk(friends: Any) -> Desk:
    return Desk(friends)


# Naming and showing


@pytest.mark.parametrize("said", ["report.pdf", "report", "the report", "Documents/report.pdf", "REPORT"])
async def test_a_file_is_named_in_words_and_shown_with_its_whole_path(desk: Desk, said: str) -> None:
    path = desk.put("report.pdf")
    prepared = await desk.ready(said)
    (field,) = [each for each in prepared.preview.fields if each.argument == "attachments"]
    assert prepared.preview.title == "Send a message to Ana Ruiz with report.pdf"
    assert (field.label, field.value) == ("Carries", str(path.resolve()))
    assert field.note.startswith("a PDF document, 2.3 kB, changed ")
    (target,) = [each for each in prepared.resolved if each.role is Role.TARGET]
    assert (target.argument, target.value, target.label) == (
        "attachments",
        "file:Documents/report.pdf",
        "report.pdf",
    )


async def test_a_file_that_goes_along_is_shared(desk: Desk) -> None:
    desk.put("report.pdf")
    assert (await desk.ready("report")).effects == {Effect.SEND, Effect.SHARE}
    assert (await desk.ready()).effects == {Effect.SEND}


async def test_of_several_files_it_is_asked_and_the_others_stay(desk: Desk) -> None:
    for name in ("plan.txt", "2026/report.pdf", "2025/report.pdf"):
        desk.put(name)
    question = await desk.sending("plan", "report")
    assert isinstance(question, Question)
    assert [option.arguments for option in question.options] == [
        {"attachments": ["plan", "file:Documents/2025/report.pdf"]},
        {"attachments": ["plan", "file:Documents/2026/report.pdf"]},
    ]
    assert question.argument == ""
    picked = await desk.ready(**question.options[0].arguments)
    assert [each.value for each in picked.preview.fields if each.label == "Carries"] == [
        str(desk.folder.resolve() / "plan.txt"),
        str(desk.folder.resolve() / "2025/report.pdf"),
    ]


async def test_a_file_that_is_not_there_is_said_plainly(desk: Desk) -> None:
    outcome = await desk.sending("report")
    assert isinstance(outcome, Outcome)
    assert outcome.needs is Needs.NOT_FOUND
    assert outcome.text == "There is no file called “report” in Documents."


async def test_what_is_outside_the_folders_never_goes_along(desk: Desk) -> None:
    (desk.world.root / "secret.txt").write_bytes(b"x")
    (desk.folder / "link.txt").symlink_to(desk.world.root / "secret.txt")
    os.mkfifo(desk.folder / "pipe")
    (desk.folder / ".hidden").write_bytes(b"x")
    for said in (
        str(desk.world.root / "secret.txt"),
        "../secret.txt",
        "link.txt",
        "pipe",
        ".hidden",
        "Documents",
    ):
        outcome = await desk.sending(said)
        assert isinstance(outcome, Outcome), said
        assert not outcome.ok


async def test_without_a_files_service_nothing_goes_along(desk: Desk) -> None:
    desk.put("report.pdf")
    prepared = await desk.ready("report")
    desk.finder = None
    assert (await desk.sending("report")).needs is Needs.UNAVAILABLE
    assert not (await desk.world.connector.perform(prepared)).ok
    assert desk.world.delivered("ana@post.example") == []


async def test_a_name_said_once_too_often_is_one_file(desk: Desk) -> None:
    desk.put("report.pdf")
    assert len((await desk.ready("report", "report.pdf")).payload["files"]) == 1


async def test_with_a_file_the_text_may_be_missing_and_without_one_it_is_asked_for(desk: Desk) -> None:
    desk.put("report.pdf")
    prepared = await desk.ready("report", body=None)
    assert prepared.preview.body is None
    assert (await desk.sending(body=None)).argument == "body"
    assert (await desk.world.connector.perform(prepared)).ok
    assert [part.get_filename() for part in desk.arrived().iter_attachments()] == ["report.pdf"]


async def test_a_hard_link_is_warned_of(desk: Desk) -> None:
    os.link(desk.put("report.pdf"), desk.world.root / "elsewhere.pdf")
    assert "a hard link" in (await desk.ready("report")).preview.warnings[0]


# Sending


async def test_the_very_bytes_arrive_and_are_filed_in_sent(desk: Desk) -> None:
    desk.put("report.pdf")
    desk.put("Übersicht 会议.txt", "a\r\nb\nc €".encode())
    prepared = await desk.ready("report", "Übersicht", subject="Papers")
    outcome = await desk.world.connector.perform(prepared)
    assert (
        outcome.text
        == "Sent to Ana Ruiz <ana@post.example> with report.pdf and Übersicht 会议.txt. A copy is in Sent."
    )
    assert outcome.effects == {Effect.SEND, Effect.SHARE}
    assert set(outcome.touched or ()) == {
        "ana@post.example",
        "file:Documents/report.pdf",
        "file:Documents/Übersicht 会议.txt",
    }
    message = desk.arrived()
    assert (message["Subject"], message.get_content_type()) == ("Papers", "multipart/mixed")
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content() == "See it.\n"
    found = [(each.get_filename(), each.get_content()) for each in message.iter_attachments()]
    assert found == [("report.pdf", PDF), ("Übersicht 会议.txt", "a\r\nb\nc €".encode())]
    assert len(desk.world.files("Sent")) == 1


async def test_a_name_that_is_no_text_is_sent_as_it_is_shown(desk: Desk) -> None:
    desk.put(os.fsdecode(b"K\xf6nig\n.txt"), b"king")
    prepared = await desk.ready("könig")
    (field,) = [each for each in prepared.preview.fields if each.label == "Carries"]
    assert field.value == f"{desk.folder.resolve()}/K\\xf6nig⏎.txt"
    assert (await desk.world.connector.perform(prepared)).ok
    (part,) = desk.arrived().iter_attachments()
    assert (part.get_filename(), part.get_content()) == ("K\\xf6nig⏎.txt", b"king")


async def test_a_draft_keeps_them_and_is_taken_back(desk: Desk) -> None:
    desk.put("report.pdf")
    outcome = await desk.world.do("draft", to=["Ana"], body="See it.", attachments=["report"])
    assert outcome.ok, outcome
    (name,) = desk.world.files("Drafts")
    letter = parse((desk.world.mail / ".Drafts" / name).read_bytes())
    assert [(each.name, each.size) for each in letter.attachments] == [("report.pdf", len(PDF))]
    assert (await desk.world.take_back(outcome)).ok
    assert desk.world.files("Drafts") == []


async def test_an_answer_carries_what_is_named_and_never_what_it_answers_carried(desk: Desk) -> None:
    desk.put("report.pdf")
    parent = EmailMessage()
    parent["From"], parent["Subject"], parent["Message-ID"] = "Ana <ana@post.example>", "Old", "<p1@x>"
    parent.set_content("Look.")
    parent.add_attachment(b"old", maintype="application", subtype="pdf", filename="old.pdf")
    desk.world.receive_bytes(parent.as_bytes())
    bare = await desk.world.prepared("reply", message="Old", body="Thanks.")
    assert (bare.payload["files"], bare.effects) == ([], {Effect.SEND})
    prepared = await desk.world.prepared("reply", message="Old", body="Thanks.", attachments=["report"])
    assert prepared.effects == {Effect.SEND, Effect.SHARE}
    assert (await desk.world.connector.perform(prepared)).ok
    message = desk.arrived()
    assert message["In-Reply-To"] == "<p1@x>"
    assert [each.get_filename() for each in message.iter_attachments()] == ["report.pdf"]
