"""What is known of an account keeps in step with it beside the calls."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from imapclient import IMAPClient

from connectors.messaging.accounts import Report
from connectors.messaging.imap.cache import Cache
from connectors.messaging.imap.connection import Connection
from connectors.messaging.imap.mailbox import ImapMailbox
from connectors.messaging.imap.watch import MailWatch
from connectors.messaging.server import Server, tls
from tests.connectors.messaging.dovecot import PASSWORD, Dovecot, dovecot
from tests.waiting import until

pytestmark = pytest.mark.timeout(120)
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
MESSAGE = b"From: ana@post.example\r\nSubject: Number %d\r\nMessage-ID: <%d@x>\r\n\r\nhello\r\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with dovecot() as server:
        yield server


def watching(
    server: Dovecot, cache: Path, user: str, password: str = PASSWORD
) -> tuple[ImapMailbox, MailWatch]:
    told = Server("127.0.0.1", server.port, "none", user, timeout=20)
    # A clock that stands still: nothing is looked at anew but what the watch has heard of.
    box = ImapMailbox(Connection(told, lambda: password, tls()), Cache(cache), lambda: 0.0)
    return box, MailWatch(box, Connection(told, lambda: password, tls()), lambda: NOW)


def put(server: Dovecot, user: str, numbers: range) -> None:
    client = IMAPClient("127.0.0.1", server.port, ssl=False, timeout=20)
    client.login(user, PASSWORD)
    for number in numbers:
        client.append("INBOX", MESSAGE % (number, number))
    client.logout()


def test_new_mail_is_heard_of_without_asking(server: Dovecot, tmp_path: Path) -> None:
    put(server, "idle@x", range(1))
    box, watch = watching(server, tmp_path / "imap.db", "idle@x")
    assert watch.settle(60) == Report(NOW)
    assert len(box.entries(["INBOX"])) == 1
    put(server, "idle@x", range(1, 2))
    until(lambda: len(box.entries(["INBOX"])) == 2)
    watch.close()


def test_when_the_account_was_last_in_step_is_known_after_a_restart(tmp_path: Path) -> None:
    with dovecot() as server:
        put(server, "kept@x", range(1))
        box, watch = watching(server, tmp_path / "imap.db", "kept@x")
        watch._cache = box._cache
        assert watch.settle(60).known == NOW
        watch.close()
    box, watch = watching(server, tmp_path / "imap.db", "kept@x")
    watch._cache = box._cache
    report = watch.settle(60)
    assert report.known == NOW
    assert "cannot be reached" in report.trouble
    watch.close()


def test_a_large_mailbox_is_learnt_in_parts_the_newest_first(
    server: Dovecot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectors.messaging.imap.mailbox._AT_ONCE", 3)
    put(server, "many@x", range(10))
    box, watch = watching(server, tmp_path / "imap.db", "many@x")
    first = {b"Number %d" % number for number in (7, 8, 9)}
    known = [box.head(entry) for entry in box.entries(["INBOX"])]
    assert {subject for subject in first if any(subject in head for head in known)} == first
    assert len(known) == 3
    assert watch.settle(60) == Report(NOW)
    assert len(box.entries(["INBOX"])) == 10
    watch.close()


def test_a_sign_in_that_is_refused_is_told_and_not_tried_again(server: Dovecot, tmp_path: Path) -> None:
    _, watch = watching(server, tmp_path / "imap.db", "locked@x", "wrong")
    report = watch.settle(60)
    assert report.known is None
    assert "does not accept the sign-in" in report.trouble
    until(lambda: not watch._thread.is_alive())
    assert server.log.count("locked@x") <= 2
    watch.close()


def test_a_server_that_comes_back_is_listened_to_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectors.messaging.imap.watch._SHORTEST", 0.2)
    with dovecot() as server:
        put(server, "robin@x", range(1))
        box, watch = watching(server, tmp_path / "imap.db", "robin@x")
        assert watch.settle(60) == Report(NOW)
        server.stop()
        until(lambda: "cannot be reached" in watch.report.trouble)
        server.start()
        until(lambda: not watch.report.trouble)
        put(server, "robin@x", range(1, 2))
        until(lambda: len(box.entries(["INBOX"])) == 2)
        watch.close()
