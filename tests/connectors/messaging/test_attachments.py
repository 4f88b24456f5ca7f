"""Files that go along with a message: named in words, shown in full, and sent only as they were shown."""

import email
import os
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Context, Effect, Needs, Outcome, Question, Role
from connectors.files.config import Config as FilesConfig
from connectors.files.connector import FilesConnector
from connectors.files.places import Root
from connectors.lending import FileFinder, Lender
from connectors.messaging.mime.enclose import Enclosed, enclose, size_of
from connectors.messaging.mime.letter import parse
from connectors.messaging.server import Server, tls
from connectors.messaging.smtp.transport import SmtpTransport
from tests.connectors.messaging.conftest import NOW, ZONE
from tests.connectors.messaging.post_office import PASSWORD, USER, post_office

PDF = b"%PDF-1.7\n" + bytes(range(256)) * 9


class Desk:
    """The friends' world with a folder of files beside it."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.folder = world.root / "Documents"
        self.folder.mkdir()
        self.files = FilesConnector(
            [Root("Documents", self.folder)],
            world.root / "files state",
            FilesConfig(index=False),
            trash=world.root / "trash",
        )
        self.finder: FileFinder | None = self.files.lending
        self.build()

    def build(self, **config: object) -> None:
        self.world.lender = Lender(lambda: self.finder)
        self.world.build(**config)

    def put(self, name: str, data: bytes = PDF) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    async def sending(self, *files: str, **more: object) -> Any:
        return await self.world.look(
            "send", **{"to": ["Ana"], "body": "See it.", "attachments": files, **more}
        )

    async def ready(self, *files: str, **more: object) -> Any:
        prepared = await self.sending(*files, **more)
        assert not isinstance(prepared, Question | Outcome), prepared
        return prepared

    def arrived(self) -> EmailMessage:
        (data,) = self.world.delivered("ana@post.example")
        return email.message_from_bytes(data, policy=default)  # type: ignore[return-value]


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


# Changed since


@pytest.mark.parametrize("verb", ["send", "draft"])
@pytest.mark.parametrize("change", ["other bytes", "same size", "gone", "another of that name"])
async def test_a_file_that_changed_since_it_was_shown_stops_it(desk: Desk, change: str, verb: str) -> None:
    path = desk.put("report.pdf")
    prepared = await desk.world.prepared(verb, to=["Ana"], body="See it.", attachments=["report"])
    match change:
        case "other bytes":
            path.write_bytes(b"secret")
        case "same size":
            stamp = path.stat()
            path.write_bytes(PDF[:-1] + b"!")
            os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        case "gone":
            path.unlink()
        case _:
            desk.put("new/report.pdf")
    outcome = await desk.world.connector.perform(prepared)
    assert (outcome.ok, outcome.needs) == (False, Needs.CONFLICT)
    assert desk.world.delivered("ana@post.example") == []
    assert desk.world.files("Drafts") == desk.world.files("Sent") == []


async def test_where_the_words_mean_another_file_by_now_nothing_is_sent(desk: Desk) -> None:
    desk.put("report of spring.pdf")
    prepared = await desk.ready("report")
    desk.put("report.pdf")
    assert (await desk.world.connector.perform(prepared)).needs is Needs.CONFLICT
    assert desk.world.delivered("ana@post.example") == []


async def test_a_file_that_changes_at_the_last_moment_is_not_sent_either(desk: Desk) -> None:
    path = desk.put("report.pdf")
    prepared = await desk.ready("report")
    finder = desk.files.lending

    class Racing:
        """Lets the file change between the last look and the reading."""

        def find(self, *given: Any) -> Any:
            return finder.find(*given)

        def read(self, lent: Any) -> Any:
            path.write_bytes(b"secret")
            return finder.read(lent)

    desk.finder = Racing()
    outcome = await desk.world.connector.perform(prepared)
    assert outcome.needs is Needs.CONFLICT
    assert "“Documents/report.pdf” has changed since it was looked at" in outcome.text
    assert desk.world.delivered("ana@post.example") == []
    desk.finder = finder
    path.write_bytes(PDF)
    assert (await desk.world.connector.perform(prepared)).ok


async def test_what_was_touched_but_says_the_same_goes_along(desk: Desk) -> None:
    path = desk.put("report.pdf")
    prepared = await desk.ready("report")
    os.utime(path, (1, 1))
    assert (await desk.world.connector.perform(prepared)).ok


async def test_the_same_message_with_its_files_is_sent_once(desk: Desk) -> None:
    desk.put("report.pdf")
    prepared = await desk.ready("report")
    assert (await desk.world.connector.perform(prepared)).ok
    assert not (await desk.world.connector.perform(prepared)).ok
    assert len(desk.world.delivered("ana@post.example")) == 1


async def test_with_other_files_it_is_another_message(desk: Desk) -> None:
    path = desk.put("report.pdf")
    call = desk.world.call("send", to=["Ana"], body="x", attachments=["report"])
    ids = set()
    for data in (PDF, b"other"):
        path.write_bytes(data)
        prepared = await desk.world.connector.prepare(call, Context(NOW, ZONE))
        ids.add(prepared.mark["message_id"])
    assert len(ids) == 2


# Sizes


async def test_a_file_over_the_limit_is_refused_with_both_sizes(desk: Desk) -> None:
    desk.build(most_attached=1000)
    desk.put("big.bin", b"\1" * 1001)
    outcome = await desk.sending("big")
    assert (outcome.needs, outcome.text) == (
        Needs.INVALID,
        "“Documents/big.bin” has 1 KB, and at most 1 KB go along.",
    )


async def test_files_that_are_too_large_together_are_refused(desk: Desk) -> None:
    desk.build(most_attached=1000)
    for name in ("a.bin", "b.bin"):
        desk.put(name, b"\1" * 600)
    outcome = await desk.sending("a.bin", "b.bin")
    assert outcome.text == "The files have 1.2 kB together, and at most 1.0 kB go along."


async def test_a_full_mailbox_is_said_before_with_the_files_counted(desk: Desk) -> None:
    desk.build(most_bytes=20_000)
    desk.put("big.bin", b"\1" * 16_000)
    assert (await desk.sending()).preview
    assert (await desk.sending("big")).needs is Needs.MAILBOX_FULL


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
async def test_what_the_mail_server_would_not_take_is_said_before_it_is_asked_for(desk: Desk) -> None:
    desk.put("small.bin", b"\1" * 6_000)
    desk.put("big.bin", b"\1" * 9_000)
    with post_office(size=10_000) as office:
        server = Server("127.0.0.1", office.port, "none", USER)
        desk.world.transport = SmtpTransport(server, USER, lambda: PASSWORD, tls())
        desk.build()
        outcome = await desk.sending("big")
        assert (outcome.needs, outcome.text) == (
            Needs.INVALID,
            "The message has 13 kB, and the mail server takes at most 10 kB.",
        )
        prepared = await desk.ready("small")
        assert (await desk.world.connector.perform(prepared)).ok
        (envelope,) = office.mail
    content = envelope.content
    assert isinstance(content, bytes)
    message = email.message_from_bytes(content, policy=default)
    (part,) = message.iter_attachments()  # type: ignore[attr-defined]
    assert part.get_content() == b"\1" * 6_000


# The message itself


@pytest.mark.parametrize("size", [0, 1, 56, 57, 58, 5000])
@pytest.mark.parametrize("media", ["text/plain", "message/rfc822", "application/pdf", "image/png", "odd"])
def test_every_file_comes_out_as_it_went_in(size: int, media: str) -> None:
    text = (
        b"From: a@x.example\nSubject: =?utf-8?q?a?=\n b\nMIME-Version: 1.0\nContent-Type: text/plain\n\nHi.\n"
    )
    data = bytes(number % 256 for number in range(size))
    whole = enclose(text, [Enclosed('a b;"c".x', media, data)])
    message = email.message_from_bytes(whole, policy=default)
    assert message["Subject"].split() == ["a", "b"]
    (part,) = list(message.iter_attachments())  # type: ignore[attr-defined]
    assert (part.get_filename(), part.get_payload(decode=True)) == ('a b;"c".x', data)
    assert message.get_body(("plain",)).get_content() == "Hi.\n"  # type: ignore[attr-defined]
    assert max(map(len, whole.split(b"\n"))) <= 998
    assert whole == enclose(text, [Enclosed('a b;"c".x', media, data)])


@pytest.mark.parametrize("size", [0, 1, 1000, 100_000])
def test_the_size_is_told_beforehand_and_never_too_small(size: int) -> None:
    text = b"From: a@x.example\nMIME-Version: 1.0\nContent-Type: text/plain\n\nHi.\n"
    whole = enclose(text, [Enclosed("report.bin", "application/octet-stream", b"\1" * size)])
    told = size_of(text, [size])
    assert len(whole) <= told <= len(whole) + 500 + size // 20


def test_without_files_nothing_changes() -> None:
    assert enclose(b"Subject: x\n\nHi.\n", []) == b"Subject: x\n\nHi.\n"
