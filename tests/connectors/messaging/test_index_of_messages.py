"""The index: fast, in step with the mailbox, and never in the way."""

from pathlib import Path
from typing import Any

import pytest

from connectors.messaging.maildir.index import Index
from connectors.messaging.maildir.mailbox import Mailbox
from connectors.messaging.maildir.names import INBOX, Entry


def subjects(index: Index) -> list[str]:
    return sorted(each.subject for each in index.summaries())


def letter(subject: str) -> bytes:
    return f"From: Ana <ana@post.example>\nSubject: {subject}\n\nbody of {subject}\n".encode()


class Flaky(Mailbox):
    """A mailbox in which some files cannot be read."""

    reads = 0

    def read(self, entry: Entry) -> bytes:
        self.reads += 1
        data = super().read(entry)
        if b"broken" in data:
            raise OSError(5, "Input/output error")
        return data


@pytest.fixture
def box(tmp_path: Path) -> Flaky:
    box = Flaky(tmp_path / "mail")
    box.deliver(INBOX, letter("one"), flags="")
    box.deliver("Archive", letter("two"), flags="S")
    return box


def test_a_message_is_opened_once_whatever_its_flags(box: Flaky, tmp_path: Path) -> None:
    index = Index(box, tmp_path / "index.db")
    assert subjects(index) == ["one", "two"]
    (entry,) = box.entries([INBOX])
    box.mark(entry, "S")

    again = Index(box, tmp_path / "index.db")
    assert subjects(again) == ["one", "two"]
    assert all(not each.entry.unread for each in again.summaries())
    assert box.reads == 2


def test_what_comes_goes_or_changes_is_noticed(box: Flaky, tmp_path: Path) -> None:
    index = Index(box, tmp_path / "index.db")
    subjects(index)
    (entry,) = box.entries([INBOX])
    box.remove(entry)
    box.deliver(INBOX, letter("three"), flags="")
    (kept,) = box.entries(["Archive"])
    (tmp_path / "mail" / ".Archive" / "cur" / kept.file_name).write_bytes(letter("two, changed"))

    assert subjects(index) == ["three", "two, changed"]
    assert len(index.holding(["changed"])) == 1


def test_a_file_that_cannot_be_read_is_named_and_hides_no_other(box: Flaky, tmp_path: Path) -> None:
    entry = box.deliver(INBOX, letter("broken"), flags="")
    index = Index(box, tmp_path / "index.db")

    assert subjects(index) == ["one", "two"]
    assert index.unreadable == (entry.file_name,)


@pytest.mark.parametrize(
    "damage", [b"this is no database, and longer than a header of one would be" * 9, b""]
)
def test_a_damaged_index_is_made_anew(box: Flaky, tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "index.db").write_bytes(damage)
    index = Index(box, tmp_path / "index.db")

    assert subjects(index) == ["one", "two"]
    assert subjects(index) == ["one", "two"]
    assert box.reads == 2


def test_where_no_index_can_be_kept_the_mailbox_is_read_all_the_same(box: Flaky, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    assert subjects(Index(box, tmp_path / "file" / "index.db")) == ["one", "two"]


def test_the_index_is_private(box: Flaky, tmp_path: Path) -> None:
    subjects(Index(box, tmp_path / "index.db"))
    assert (tmp_path / "index.db").stat().st_mode & 0o077 == 0


def test_a_thousand_messages_known_before_are_looked_through_without_opening_one(tmp_path: Path) -> None:
    box = Flaky(tmp_path / "mail")
    box.deliver(INBOX, letter("first"), flags="S")
    for number in range(1000):
        (tmp_path / "mail" / "cur" / f"{number}.m:2,S").write_bytes(letter(f"number {number}"))
    Index(box, tmp_path / "index.db").summaries()
    box.reads = 0
    index = Index(box, tmp_path / "index.db")

    assert len(index.summaries()) == 1001
    assert len(index.holding(["999"])) == 1
    assert box.reads == 0


async def test_a_broken_file_becomes_a_notice(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    world.receive(subject="fine")
    world.receive(subject="broken")
    whole = Mailbox.read

    def read(self: Mailbox, entry: Entry) -> bytes:
        data = whole(self, entry)
        if b"broken" in data:
            raise OSError(5, "Input/output error")
        return data

    monkeypatch.setattr(Mailbox, "read", read)
    outcome = await world.do("search")

    assert outcome.text == "Found 1 message. 1 message could not be read."
    (notice,) = world.connector.notices()
    assert notice.connector == "messaging"
    assert len(notice.details) == 1
