"""A mailbox of 50,000 messages on a Dovecot: reading it in, and a search, beside the server's own."""

import asyncio
import os
import shutil
import tempfile
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from imapclient import IMAPClient
from rows import Row, median, seconds, timed

from connectors.base import Call, Context, Prepared
from connectors.messaging.config import Config
from connectors.messaging.connector import MessagingConnector
from connectors.messaging.imap.cache import Cache
from connectors.messaging.imap.connection import Connection
from connectors.messaging.imap.mailbox import ImapMailbox
from connectors.messaging.server import Server, tls
from connectors.messaging.transport import NoTransport
from connectors.people import AddressBook
from tests.connectors.messaging.dovecot import PASSWORD, USER, Dovecot, dovecot

MESSAGES = int(os.environ.get("ASKFIRST_BENCH_MESSAGES", "50000"))
ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, tzinfo=ZONE)
_WORDS = ("canoe", "invoice", "meeting", "holiday", "lease", "garden", "train", "recipe", "school", "tax")
_HEAD = "BODY.PEEK[HEADER.FIELDS (FROM TO SUBJECT DATE MESSAGE-ID)]"


def run() -> list[Row]:
    with dovecot() as server, tempfile.TemporaryDirectory() as name:
        _fill(server)
        plain = _plain(server)
        box = _box(server, Path(name))
        connector = MessagingConnector(
            box, Path(name), Config(address=USER), AddressBook(Path(name) / "people"), NoTransport()
        )
        headers = seconds(lambda: _all_headers(plain))
        first = seconds(lambda: _read_in(box, connector))
        raw = median(lambda: plain.search(["FROM", "person17@", "TEXT", "canoe"]), 5)
        ours = median(lambda: _search(connector), 5)
        box.close()
    return [
        timed(f"mailbox of {MESSAGES:,} read in", first, headers, "the server's headers alone, unread"),
        timed("search by sender and word", ours, raw, "a plain IMAP SEARCH"),
    ]


def _fill(server: Dovecot) -> None:
    inbox = server.top / "mail" / USER / "cur"
    for part in ("cur", "new", "tmp"):
        (inbox.parent / part).mkdir(parents=True)
    for number in range(MESSAGES):
        sent = NOW - timedelta(minutes=7 * number)
        text = (
            f"From: Person {number % 200} <person{number % 200}@post.example>\r\nTo: Robin <{USER}>\r\n"
            f"Subject: {_WORDS[number % 10]} number {number}\r\nDate: {format_datetime(sent)}\r\n"
            f"Message-ID: <{number}@post.example>\r\n\r\nAbout the {_WORDS[number % 7]} we spoke of.\r\n"
        )
        (inbox / f"{int(sent.timestamp())}.M{number}.bench:2,S").write_text(text)
    if os.getuid() == 0:
        for folder, folders, files in os.walk(server.top / "mail"):
            for each in (folder, *(os.path.join(folder, part) for part in folders + files)):
                shutil.chown(each, "nobody", "nogroup")


def _plain(server: Dovecot) -> IMAPClient:
    client = IMAPClient("127.0.0.1", server.port, ssl=False, timeout=300)
    client.login(USER, PASSWORD)
    client.select_folder("INBOX", readonly=True)
    return client


def _box(server: Dovecot, folder: Path) -> ImapMailbox:
    told = Server("127.0.0.1", server.port, "none", USER, timeout=300)
    return ImapMailbox(Connection(told, lambda: PASSWORD, tls()), Cache(folder / "imap.db"))


def _all_headers(client: IMAPClient) -> None:
    uids = client.search()
    for start in range(0, len(uids), 250):
        client.fetch(uids[start : start + 250], ["FLAGS", "INTERNALDATE", "RFC822.SIZE", _HEAD])


def _read_in(box: ImapMailbox, connector: MessagingConnector) -> None:
    box.entries()
    while not box.read_on():
        pass
    _search(connector)


def _search(connector: MessagingConnector) -> None:
    async def searching() -> None:
        call = Call("bench", "messaging.search", {"words": "canoe", "sender": "person17@post.example"})
        prepared = await connector.prepare(call, Context(NOW, ZONE))
        assert isinstance(prepared, Prepared), prepared
        outcome = await connector.perform(prepared)
        assert outcome.items, outcome.text

    asyncio.run(searching())
