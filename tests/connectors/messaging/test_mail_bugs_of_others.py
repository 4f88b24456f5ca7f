"""What users of other mail programs met, and what is right."""

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Needs, Question
from connectors.messaging.imap.cache import Cache
from connectors.messaging.imap.connection import Connection
from connectors.messaging.imap.folders import Listed, named
from connectors.messaging.imap.mailbox import ImapMailbox
from connectors.messaging.imap.watch import MailWatch
from connectors.messaging.server import Server, tls
from connectors.secrets.chain import Secrets
from connectors.secrets.settings import SecretSource
from tests.connectors.messaging.dovecot import PASSWORD, Dovecot, dovecot
from tests.connectors.messaging.test_imap_watch import put, until

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with dovecot() as server:
        yield server


class Wire:
    """A line to a server that can be cut while nobody says anything."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        for end in [self._ends.pop() for _ in range(len(self._ends))]:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._port))
                self._ends += [client, server]
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    @staticmethod
    def _carry(one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        one.close()

    def close(self) -> None:
        """Let go of everything."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()


@contextmanager
def watched(port: int, user: str, folder: Path) -> Iterator[tuple[ImapMailbox, MailWatch]]:
    told = Server("127.0.0.1", port, "none", user, timeout=20)
    box = ImapMailbox(Connection(told, lambda: PASSWORD, tls()), Cache(folder / "imap.db"), lambda: 0.0)
    watch = MailWatch(
        box, Connection(told, lambda: PASSWORD, tls()), lambda: datetime(2026, 11, 30, tzinfo=UTC)
    )
    yield box, watch
    watch.close()


def test_a_line_cut_while_listening_is_taken_up_again_and_nothing_that_came_is_missed(
    server: Dovecot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectors.messaging.imap.watch._SHORTEST", 0.2)
    put(server, "cut@x", range(1))
    wire = Wire(server.port)
    with closing(wire), watched(wire.port, "cut@x", tmp_path) as (box, watch):
        watch.settle(60)
        assert len(box.entries(["INBOX"])) == 1
        for number in (1, 2):
            wire.cut()
            put(server, "cut@x", range(number, number + 1))
            until(lambda number=number: len(box.entries(["INBOX"])) == number + 1)
        until(lambda: not watch.report.trouble)


def test_an_inbox_that_is_numbered_anew_after_the_line_was_cut_is_read_anew(
    server: Dovecot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectors.messaging.imap.watch._SHORTEST", 0.2)
    put(server, "anew@x", range(3))
    with watched(server.port, "anew@x", tmp_path) as (box, watch):
        watch.settle(60)
        assert len(box.entries(["INBOX"])) == 3
        server.stop()
        # The server loses what it knows, so that its numbers mean other messages (UIDVALIDITY).
        shutil.rmtree(server.top / "mail" / "anew@x")
        server.start()
        put(server, "anew@x", range(9, 10))
        until(lambda: len(box.entries(["INBOX"])) == 1)


def test_a_token_that_is_not_given_any_more_asks_to_sign_in_once_and_goes_round_in_no_circle(
    server: Dovecot, tmp_path: Path
) -> None:
    asked = tmp_path / "asked"
    refusing = f"""echo x >> {asked}; echo '{{"error":"invalid_grant"}}'; exit 1"""
    source = SecretSource(command=("sh", "-c", refusing))

    def token() -> str:
        return Secrets(tmp_path, {}).find("messaging/imap", source).reveal()

    told = Server("127.0.0.1", server.port, "none", "robin@x", login="xoauth2", timeout=20)
    box = ImapMailbox(Connection(told, token, tls()), Cache(tmp_path / "imap.db"), lambda: 0.0)
    watch = MailWatch(box, Connection(told, token, tls()))
    report = watch.settle(60)
    assert report.trouble == "The command sh ended with the code 1."
    watch._thread.join(20)
    assert not watch._thread.is_alive()
    assert len(asked.read_text().split()) <= 2
    watch.close()


# Answers


async def test_an_answer_goes_on_in_the_thread_of_what_it_answers(friends: Any) -> None:
    friends.receive(subject="Lake", Message_ID="<p1@x>", References="<r1@x>")
    assert (await friends.do("reply", message="Lake", body="Yes.")).ok
    (data,) = friends.delivered("ana@post.example")
    message = message_from_bytes(data, policy=policy.default)
    assert (message["In-Reply-To"], message["References"]) == ("<p1@x>", "<r1@x> <p1@x>")


async def test_an_answer_carries_nothing_of_what_it_answers(friends: Any) -> None:
    parent = EmailMessage()
    parent["From"], parent["Subject"] = "Ana Ruiz <ana@post.example>", "Papers"
    parent.set_content("Look.")
    parent.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="papers.pdf")
    friends.receive_bytes(parent.as_bytes())
    assert "papers.pdf" in ((await friends.do("read", message="Papers")).content or "")
    assert (await friends.do("reply", message="Papers", body="Thanks.")).ok
    (data,) = friends.delivered("ana@post.example")
    assert not message_from_bytes(data).is_multipart()


# Headers and folders


@pytest.mark.parametrize(
    "arguments",
    [
        {"to": ["ana@post.example"], "subject": "a\r\nBcc: eve@example.org"},
        {"to": ["ana@post.example\r\nBcc: eve@example.org"]},
        {"to": ["Ana <ana@post.example>\nBcc: eve@example.org"]},
        {"to": ["ana@post.example"], "subject": "a\nBcc: eve@example.org"},
    ],
)
async def test_a_line_break_adds_no_recipient(friends: Any, arguments: dict[str, object]) -> None:
    found = await friends.look("send", body="x", **arguments)
    if isinstance(found, Question):
        assert found.argument == "to"
    else:
        assert found.needs is Needs.INVALID


def test_the_archive_is_the_folder_that_is_marked_so_and_never_the_trash() -> None:
    listed = [
        Listed((b"\\HasNoChildren",), "/", "INBOX"),
        Listed((b"\\Archive",), "/", "Kept"),
        Listed((b"\\Trash",), "/", "Archive"),
        Listed((b"\\All",), "/", "All Mail"),
    ]
    folders = named(listed)
    assert (folders.there("Archive"), folders.there("Trash")) == ("Kept", "Archive")


async def test_archiving_puts_nothing_in_the_trash(friends: Any) -> None:
    friends.receive(subject="Friday")
    assert (await friends.do("move", message="Friday", folder="archive")).ok
    assert (len(friends.files("Archive")), friends.files("Trash")) == (1, [])
    friends.receive(subject="No archive here", folder="Receipts")
    assert (await friends.do("move", message="No archive here", folder="archive")).ok
    assert (len(friends.files("Archive")), friends.files("Trash")) == (2, [])


@pytest.mark.parametrize("title", ["[/", "(1 3 [b +", "[data: /x?id=-609b-]"])
async def test_square_brackets_are_letters_like_others(friends: Any, title: str) -> None:
    friends.receive(f'"{title}" <sam@post.example>', title)
    (item,) = (await friends.do("search", sender="sam@post.example")).items
    assert item.label == f"{title}: {title}"
