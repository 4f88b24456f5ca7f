"""Other mail programs open what is written here: what was sent, drafts, answers, and the files in them."""

import fcntl
import json
import os
import pty
import select
import shutil
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from connectors.files.config import Config as FilesConfig
from connectors.files.connector import FilesConnector
from connectors.files.places import Root
from tests.connectors.messaging.conftest import ME, World
from tests.connectors.messaging.dovecot import PASSWORD, Dovecot, dovecot
from tests.connectors.messaging.server_world import ServerWorld
from tests.missing import missing

pytestmark = pytest.mark.timeout(120)
PDF = b"%PDF-1.7\n" + bytes(range(256)) * 9
TEXT = (
    "Grüße aus Nørrebro.\n\n.A dot first\nFrom here on\n> and a quote, with a line that is long enough to be \
folded by any program that folds lines at about seventy or eighty signs, as many do."
)


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        missing(f"{name} is not installed")
    return found


async def write_all(world: World, *, answer: bool = True) -> None:
    """One message that was sent with a file, one draft, and one answer if it is wanted."""
    folder = world.root / "Documents"
    folder.mkdir()
    (folder / "Übersicht 2026.pdf").write_bytes(PDF)
    world.lender = FilesConnector(
        [Root("Documents", folder)], world.root / "i", FilesConfig(index=False)
    ).lending
    world.build()
    world.receive(
        "Ana Ruiz <ana@post.example>",
        "The lake",
        "Shall we?",
        Message_ID="<p1@post.example>",
        References="<r1@post.example>",
    )
    world.book.add("Ana Ruiz", ("ana@post.example",), ())
    to = {"to": ["Ana", "ben@okafor.example"]}
    assert (await world.do("send", **to, subject="Grüße — 会议", body=TEXT, attachments=["Übersicht"])).ok
    assert (await world.do("draft", **to, subject="Later", body=TEXT)).ok
    if answer:
        assert (await world.do("reply", message="the lake", body="Yes.\n\nRobin")).ok


@pytest.fixture
def mail(tmp_path: Path) -> World:
    return World(tmp_path)


# notmuch


class Notmuch:
    """notmuch over a Maildir, with a home of its own."""

    def __init__(self, world: World) -> None:
        self._program = program("notmuch")
        config = world.root / "notmuch.ini"
        config.write_text(
            f"[database]\npath={world.mail}\n[user]\nname=Robin\nprimary_email={ME}\n[new]\ntags=new\n"
        )
        self._environment = {**os.environ, "NOTMUCH_CONFIG": str(config), "HOME": str(world.root)}
        self.run("new")

    def run(self, *arguments: str) -> bytes:
        done = subprocess.run(
            [self._program, *arguments], env=self._environment, capture_output=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def messages(self, query: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []

        def walk(node: Any) -> None:
            if isinstance(node, dict):
                found.append(node)
            elif isinstance(node, list):
                for each in node:
                    walk(each)

        walk(json.loads(self.run("show", "--format=json", "--entire-thread=false", query)))
        return found


async def test_notmuch_reads_what_was_sent_with_its_file(mail: World) -> None:
    await write_all(mail)
    notmuch = Notmuch(mail)
    (message,) = notmuch.messages("folder:.Sent and not subject:lake")
    headers = message["headers"]
    assert headers["Subject"] == "Grüße — 会议"
    assert headers["From"] == f"Robin Vale <{ME}>"
    assert headers["To"] == "Ana Ruiz <ana@post.example>, ben@okafor.example"
    assert "Bcc" not in headers
    text, file = message["body"][0]["content"]
    assert text["content"].replace("\n> ", "\n>").split() == TEXT.replace("\n> ", "\n>").split()
    assert (file["filename"], file["content-type"]) == ("Übersicht 2026.pdf", "application/pdf")
    assert notmuch.run("show", "--part", str(file["id"]), f"id:{message['id']}") == PDF


async def test_notmuch_reads_a_draft_and_knows_it_for_one(mail: World) -> None:
    await write_all(mail)
    (message,) = Notmuch(mail).messages("folder:.Drafts")
    assert message["headers"]["Subject"] == "Later"
    assert "draft" in message["tags"]


async def test_notmuch_puts_an_answer_into_the_thread_of_what_it_answers(mail: World) -> None:
    await write_all(mail)
    notmuch = Notmuch(mail)
    (thread,) = notmuch.run("search", "--output=threads", "subject:lake").split()
    assert thread
    (answer,) = notmuch.messages("folder:.Sent and subject:lake")
    assert answer["headers"]["Subject"] == "Re: The lake"
    raw = " ".join(notmuch.run("show", "--format=raw", f"id:{answer['id']}").decode().split())
    assert "In-Reply-To: <p1@post.example>" in raw
    assert "References: <r1@post.example> <p1@post.example>" in raw
    assert answer["body"][0]["content-type"] == "text/plain"


# mutt


def mutt(world: World, mailbox: str, keys: str) -> bytes:
    """What mutt writes into a file when these keys are pressed in a mailbox."""
    out = world.root / "out.txt"
    out.unlink(missing_ok=True)
    said = {
        "wait_key": "no",
        "quit": "yes",
        "pipe_decode": "yes",
        "weed": "no",
        "confirmappend": "no",
        "ssl_starttls": "no",
        "ssl_force_tls": "no",
        "header_cache": '""',
        "folder": f'"{world.root}"',
        "postponed": f'"{world.mail}/.Drafts"',
        "charset": "utf-8",
        "send_charset": "utf-8",
        "sleep_time": "0",
        "mark_old": "no",
        "imap_authenticators": "login",
        "assumed_charset": "utf-8",
        "postpone": "no",
        "editor": f"'cp %s {out}; echo >/dev/null'",
        "edit_headers": "yes",
    }
    lines = [f"set {name}={value}" for name, value in said.items()]
    rc = world.root / "muttrc"
    rc.write_text("\n".join(lines) + "\n")
    where = ["-p"] if mailbox == "-p" else ["-f", mailbox]
    in_terminal([program("mutt"), "-n", "-F", str(rc), *where], world.root, keys.format(out=out))
    return out.read_bytes() if out.exists() else b""


def in_terminal(command: list[str], home: Path, keys: str) -> None:
    """Run mutt to its end in a terminal, where keys are pressed once it shows its status line."""
    environment = {**os.environ, "HOME": str(home), "TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
    )
    os.close(slave)
    deadline, screen = time.monotonic() + 20, b""
    try:
        while process.poll() is None:
            assert time.monotonic() < deadline, f"{command[0]} did not end: {screen[-2000:]!r}"
            if select.select([master], [], [], 0.1)[0]:
                try:
                    screen += os.read(master, 65536)
                    if keys and b"Mutt: " in screen:
                        os.write(master, keys.encode())
                        keys = ""
                except OSError:
                    break
        process.wait(10)
    finally:
        process.kill()
        process.wait()
        os.close(master)


PIPE = "|cat > {out}\rq"


async def test_mutt_reads_what_was_sent(mail: World) -> None:
    await write_all(mail, answer=False)
    text = mutt(mail, f"{mail.mail}/.Sent", PIPE).decode()
    assert "Subject: Grüße — 会议\n" in text
    assert "Grüße aus Nørrebro." in text
    assert "\n.A dot first\n" in text
    assert "Bcc:" not in text


async def test_mutt_saves_the_file_of_what_was_sent(mail: World) -> None:
    await write_all(mail, answer=False)
    keys = "v*|cat > {out}\rqq"
    assert mutt(mail, f"{mail.mail}/.Sent", keys) == PDF


async def test_mutt_takes_up_a_draft(mail: World) -> None:
    await write_all(mail, answer=False)
    text = mutt(mail, "-p", "eq").decode()
    assert "Subject: Later" in text
    assert "ana@post.example" in text
    assert "Grüße aus Nørrebro." in text


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with dovecot() as server:
        yield server


@pytest.mark.parametrize(("folder", "words"), [("Sent%20Items", "Grüße aus Nørrebro."), ("Drafts", "Later")])
async def test_mutt_reads_what_was_put_on_a_server(
    tmp_path: Path, server: Dovecot, folder: str, words: str
) -> None:
    world = ServerWorld(tmp_path, server)
    await write_all(world, answer=False)
    world.end()
    user = world.user.replace("@", "%40")
    text = mutt(world, f"imap://{user}:{PASSWORD}@127.0.0.1:{server.port}/{folder}", PIPE)
    assert words in text.decode()
