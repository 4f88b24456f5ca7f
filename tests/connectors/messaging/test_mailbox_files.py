"""The files of a Maildir, by the eyes of Python's own mailbox module."""

import mailbox
import os
from pathlib import Path

import pytest

from connectors.messaging.maildir.mailbox import Mailbox, seen, unique_name
from connectors.messaging.maildir.names import INBOX, SEEN, handle, is_handle, place, shown, split, suffix


def test_a_mailbox_that_is_not_there_is_empty_and_is_not_made_by_looking(tmp_path: Path) -> None:
    box = Mailbox(tmp_path / "mail")

    assert box.folders() == ()
    assert box.entries() == ()
    assert box.locate("message:INBOX/1.a") is None
    assert not (tmp_path / "mail").exists()


def test_what_is_delivered_is_read_by_another_program(tmp_path: Path) -> None:
    box = Mailbox(tmp_path / "mail")
    new = box.deliver(INBOX, b"Subject: new\n\nbody\n", flags="")
    kept = box.deliver("Archive", b"Subject: kept\n\nbody\n", flags="S")

    theirs: mailbox.Maildir = mailbox.Maildir(tmp_path / "mail", create=False)
    assert [message["Subject"] for message in theirs] == ["new"]
    assert theirs.list_folders() == ["Archive"]
    archived = theirs.get_folder("Archive")
    assert [(message["Subject"], message.get_flags()) for message in archived] == [("kept", "S")]
    assert (new.unread, kept.unread) == (True, False)
    assert box.folders() == (INBOX, "Archive")


def test_files_are_private(tmp_path: Path) -> None:
    box = Mailbox(tmp_path / "mail")
    entry = box.deliver(INBOX, b"Subject: x\n\n", flags="")

    assert (tmp_path / "mail" / "new" / entry.file_name).stat().st_mode & 0o077 == 0
    assert (tmp_path / "mail" / "new").stat().st_mode & 0o077 == 0


def test_a_delivery_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = Mailbox(tmp_path / "mail")
    box.deliver(INBOX, b"first", flags="")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        box.deliver(INBOX, b"second", flags="")

    assert len(box.entries()) == 1
    assert list((tmp_path / "mail" / "tmp").iterdir()) == []


def test_a_handle_stays_while_flags_change(tmp_path: Path) -> None:
    box = Mailbox(tmp_path / "mail")
    entry = box.deliver(INBOX, b"x", flags="")
    marked = box.mark(entry, seen(entry.flags))

    assert marked.handle == entry.handle
    found = box.locate(entry.handle)
    assert found is not None
    assert (found.subdir, found.flags) == ("cur", SEEN)


def test_moving_keeps_flags_and_never_writes_over_another_message(tmp_path: Path) -> None:
    box = Mailbox(tmp_path / "mail")
    entry = box.deliver(INBOX, b"mine", flags="FS")
    theirs = box.deliver("Archive", b"theirs", "S", entry.unique)

    moved = box.move(entry, "Archive", box.name_in(entry, "Archive"), entry.subdir)

    assert moved.unique != theirs.unique
    assert moved.flags == "FS"
    assert {box.read(each) for each in box.entries(["Archive"])} == {b"mine", b"theirs"}
    assert box.entries([INBOX]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "message:../../etc/passwd",
        "message:..%2F..%2Fetc/passwd",
        "message:.%2F/x",
        "message:",
        "INBOX/1",
        "message:INBOX/",
    ],
)
def test_a_handle_reaches_nothing_outside_the_mailbox(tmp_path: Path, text: str) -> None:
    box = Mailbox(tmp_path / "mail")
    box.deliver(INBOX, b"x", flags="")

    assert box.locate(text) is None


def test_a_file_name_that_is_not_text_still_has_a_handle(tmp_path: Path) -> None:
    box = Mailbox(tmp_path / "mail")
    box.deliver(INBOX, b"x", flags="")
    strange = os.fsencode(tmp_path / "mail" / "cur") + b"/1.K\xf6nig:2,S"
    Path(os.fsdecode(strange)).write_bytes(b"Subject: strange\n\n")

    entry = next(each for each in box.entries() if each.unique.startswith("1.K"))
    assert entry.handle == "message:INBOX/1.K%F6nig"
    assert box.locate(entry.handle) == entry
    assert box.read(entry) == b"Subject: strange\n\n"


def test_hidden_files_and_folders_among_messages_are_passed_over(tmp_path: Path) -> None:
    box = Mailbox(tmp_path / "mail")
    box.deliver(INBOX, b"x", flags="")
    (tmp_path / "mail" / "cur" / ".nfs0001").write_bytes(b"")
    (tmp_path / "mail" / "cur" / "a folder").mkdir()
    (tmp_path / "mail" / ".git").mkdir()

    assert len(box.entries()) == 1
    assert box.folders() == (INBOX,)


def test_names_are_taken_apart_and_put_together_again() -> None:
    assert split("1.a:2,SF") == ("1.a", "FS", ":2,SF")
    assert split("1.a") == ("1.a", "", "")
    assert split("1.a:2,") == ("1.a", "", ":2,")
    assert split("1.a:1,x") == ("1.a:1,x", "", "")
    assert suffix("SDS") == ":2,DS"
    assert place(handle("Archive.2024", "1.a,S=3")) == ("Archive.2024", "1.a,S=3")
    assert is_handle("message:x")
    assert not is_handle("the message")
    assert unique_name() != unique_name()
    assert os.uname().nodename not in unique_name()


def test_folder_names_are_shown_as_people_write_them() -> None:
    assert shown("INBOX") == "Inbox"
    assert shown("Archive.2024") == "Archive/2024"
    assert shown("Entw&APw-rfe") == "Entwürfe"
    assert shown("R&-D") == "R&D"
    assert shown("&x-") == "&x-"
