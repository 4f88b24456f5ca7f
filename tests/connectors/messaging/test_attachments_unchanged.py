"""Files go along only as they were shown, and only if they fit."""

import email
import os
from email.policy import default
from typing import Any

import pytest

from connectors.base import Context, Needs
from connectors.messaging.server import Server, tls
from connectors.messaging.smtp.transport import SmtpTransport
from tests.connectors.messaging.conftest import NOW, ZONE
from tests.connectors.messaging.files_desk import PDF, Desk
from tests.connectors.messaging.post_office import PASSWORD, USER, post_office


@pytest.fixture
def desk(friends: Any) -> Desk:
    return Desk(friends)


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
    (part,) = message.iter_attachments()
    assert part.get_content() == b"\1" * 6_000
