"""Saving what a message carries: shown in full, into the person's folders, never over anything."""

from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Context, Effect, Needs, Outcome, Prepared, Question, Role
from connectors.files.config import Config as FilesConfig
from connectors.files.connector import FilesConnector
from connectors.files.places import Root
from connectors.lending import FileTaker, Receiver
from connectors.messaging.connector import MessagingConnector
from connectors.messaging.maildir.mailbox import Mailbox
from tests.connectors.messaging.conftest import ME, NOW, ZONE, World

PDF = b"%PDF-1.7\n" + bytes(range(256)) * 9


class Shelf:
    """The friends' world with folders that files can be saved into."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.downloads, self.papers = world.root / "Downloads", world.root / "Papers"
        for folder in (self.downloads, self.papers):
            folder.mkdir()
        self.files = FilesConnector(
            [Root("Papers", self.papers), Root("Downloads", self.downloads)],
            world.root / "files state",
            FilesConfig(index=False),
            trash=world.root / "trash",
        )
        self.taker: FileTaker | None = self.files.taking
        self.build()

    def build(self, **config: object) -> None:
        world = self.world
        world.build(**config)
        world.connector = MessagingConnector(
            Mailbox(world.mail),
            world.state,
            world.config,
            world.book,
            world.transport,
            world.lender,
            Receiver(lambda: self.taker),
        )

    def receive(self, *files: tuple[str, bytes], subject: str = "Papers") -> None:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = "Ana Ruiz <ana@post.example>", ME, subject
        message["Message-ID"] = f"<{subject}@post.example>"
        message.set_content("See the files.")
        for name, data in files:
            message.add_attachment(data, "application", "octet-stream", filename=name)
        self.world.receive_bytes(message.as_bytes())

    def saved(self) -> dict[str, bytes]:
        """Every file below the world's folders of files."""
        return {
            str(path.relative_to(self.world.root)): path.read_bytes()
            for folder in (self.downloads, self.papers)
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    async def undone(self, outcome: Outcome) -> Outcome:
        assert outcome.undo is not None
        found = await self.files.prepare(outcome.undo, Context(NOW, ZONE))
        assert isinstance(found, Prepared), found
        return await self.files.perform(found)


@pytest.fixture
def shelf(friends: Any) -> Shelf:
    return Shelf(friends)


def labels(prepared: Prepared) -> dict[str, str]:
    return {each.label: each.value for each in prepared.preview.fields}


async def test_a_file_is_saved_as_it_came_and_can_be_taken_back(shelf: Shelf) -> None:
    shelf.receive(("report.pdf", PDF))
    prepared = await shelf.world.prepared("save_attachment", message="papers")
    assert prepared.preview.title == "Save report.pdf from Ana Ruiz"
    assert labels(prepared)["New file"] == str(shelf.downloads.resolve() / "report.pdf")
    assert labels(prepared)["Holds"] == "a PDF document"
    assert prepared.effects == {Effect.WRITE}
    assert prepared.preview.warnings == ()
    roles = [(each.role, each.argument, each.value.partition(":")[0]) for each in prepared.resolved]
    assert roles == [(Role.TARGET, "message", "message"), (Role.DESTINATION, "", "file")]
    outcome = await shelf.world.connector.perform(prepared)
    assert outcome.text == "Saved Downloads/report.pdf, 2.3 KB."
    assert shelf.saved() == {"Downloads/report.pdf": PDF}
    assert (shelf.downloads / "report.pdf").stat().st_mode & 0o111 == 0
    assert (await shelf.undone(outcome)).text == "Downloads/report.pdf is in the trash."
    assert shelf.saved() == {}


async def test_a_file_that_is_there_is_never_written_over(shelf: Shelf) -> None:
    (shelf.downloads / "report.pdf").write_bytes(b"mine")
    shelf.receive(("report.pdf", PDF))
    prepared = await shelf.world.prepared("save_attachment", message="papers")
    assert prepared.preview.title == "Save report 2.pdf from Ana Ruiz"
    (shelf.downloads / "report 2.pdf").write_bytes(b"also mine")
    outcome = await shelf.world.connector.perform(prepared)
    assert (outcome.needs, outcome.text) == (
        Needs.CONFLICT,
        "“report 2.pdf” is there by now, so nothing was saved.",
    )
    assert shelf.saved() == {"Downloads/report 2.pdf": b"also mine", "Downloads/report.pdf": b"mine"}


@pytest.mark.parametrize(
    ("name", "becomes"),
    [
        ("../../.bashrc", "bashrc"),
        ("/etc/cron.d/evil", "evil"),
        ("..\\..\\start.txt", "start.txt"),
        ("a\u202egpj.txt", "agpj.txt"),
        ("NUL.txt", "_NUL.txt"),
        ("...", "attachment"),
    ],
)
async def test_a_name_from_a_message_never_leads_out_of_the_folder(
    shelf: Shelf, name: str, becomes: str
) -> None:
    shelf.receive((name, b"x"))
    before = everything(shelf.world.root)
    prepared = await shelf.world.prepared("save_attachment", message="papers")
    assert labels(prepared)["New file"] == str(shelf.downloads.resolve() / becomes)
    assert (await shelf.world.connector.perform(prepared)).ok
    new = everything(shelf.world.root) - before
    assert {each for each in new if "state/" not in each} == {f"Downloads/{becomes}"}


async def test_another_name_than_in_the_message_is_shown_beside_it(shelf: Shelf) -> None:
    shelf.receive(("a\u202egpj.exe", b"x"))
    prepared = await shelf.world.prepared("save_attachment", message="papers")
    (note,) = [each.note for each in prepared.preview.fields if each.label == "New file"]
    assert note == "called “a⟨U+202E⟩gpj.exe” in the message"


async def test_a_program_is_told_of(shelf: Shelf) -> None:
    shelf.receive(("invoice.pdf.exe", b"MZ\x90\0 and more"))
    prepared = await shelf.world.prepared("save_attachment", message="papers")
    assert prepared.preview.warnings == (
        "“invoice.pdf.exe” is a program or a script: to open it runs what its sender wrote.",
        "Its name ends twice, so that it looks like a document.",
    )


async def test_of_several_files_it_is_asked(shelf: Shelf) -> None:
    shelf.receive(("plan.txt", b"one"), ("report.pdf", PDF), ("plan.txt", b"two"))
    question = await shelf.world.asked("save_attachment", message="papers")
    assert [each.label for each in question.options] == ["plan.txt", "report.pdf", "plan.txt"]
    third = dict(question.options[2].arguments)
    assert (await shelf.world.do("save_attachment", message="papers", **third)).ok
    assert shelf.saved() == {"Downloads/plan.txt": b"two"}
    assert (await shelf.world.do("save_attachment", message="papers", attachment="the report")).ok
    missing = await shelf.world.asked("save_attachment", message="papers", attachment="budget")
    assert missing.text == "It carries no “budget”. Which file?"


async def test_it_goes_into_the_folder_that_is_named(shelf: Shelf) -> None:
    (shelf.papers / "2026").mkdir()
    shelf.receive(("report.pdf", PDF))
    for said, where in (("Papers", "Papers/report.pdf"), ("2026", "Papers/2026/report.pdf")):
        assert (await shelf.world.do("save_attachment", message="papers", folder=said)).ok
        assert where in shelf.saved()


@pytest.mark.parametrize("folder", ["/etc", "../outside", "~/.ssh"])
async def test_a_folder_that_may_not_be_used_is_refused(shelf: Shelf, folder: str) -> None:
    shelf.receive(("report.pdf", PDF))
    found = await shelf.world.look("save_attachment", message="papers", folder=folder)
    assert isinstance(found, Question | Outcome)
    assert shelf.saved() == {}


async def test_a_message_that_was_changed_meanwhile_gives_nothing(shelf: Shelf) -> None:
    shelf.receive(("report.pdf", PDF))
    prepared = await shelf.world.prepared("save_attachment", message="papers")
    (file,) = (shelf.world.mail / "new").iterdir()
    file.write_bytes(file.read_bytes().replace(b"JVBERi0x", b"JVBERi0y"))
    outcome = await shelf.world.connector.perform(prepared)
    assert outcome.needs is Needs.CONFLICT
    assert shelf.saved() == {}


async def test_what_is_too_large_or_not_there_is_said(shelf: Shelf) -> None:
    shelf.receive(("report.pdf", PDF))
    shelf.receive(subject="Nothing")
    assert (await shelf.world.refused("save_attachment", message="nothing")).text == (
        "“Ana Ruiz: Nothing” carries no file."
    )
    shelf.build(most_saved=1000)
    assert (await shelf.world.refused("save_attachment", message="papers")).text == (
        "“report.pdf” has 2.3 kB, and at most 1.0 kB are saved."
    )


async def test_without_the_files_service_nothing_is_saved(shelf: Shelf) -> None:
    shelf.taker = None
    shelf.receive(("report.pdf", PDF))
    assert (await shelf.world.refused("save_attachment", message="papers")).needs is Needs.UNAVAILABLE


async def test_a_message_that_is_attached_is_saved_whole(shelf: Shelf) -> None:
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "ben@okafor.example", "The lease"
    inner.set_content("Forty crowns.")
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Ana Ruiz <ana@post.example>", ME, "Papers"
    message.set_content("See it.")
    message.add_attachment(inner)
    shelf.world.receive_bytes(message.as_bytes())
    assert (await shelf.world.do("save_attachment", message="papers")).ok
    (data,) = shelf.saved().values()
    assert b"Forty crowns." in data
    assert b"Subject: The lease" in data


def everything(folder: Path) -> set[str]:
    found: Sequence[Path] = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)) for path in found}
