"""The post office on this machine."""

import mailbox
import os
from pathlib import Path

from connectors.base import Needs
from connectors.messaging.transport import LoopbackTransport, NoTransport

LETTER = b"From: a@b.example\nSubject: hi\n\nbody\n"


async def test_every_recipient_gets_the_very_bytes_in_a_mailbox_of_their_own(tmp_path: Path) -> None:
    post = LoopbackTransport(tmp_path, lambda: True, {"me@x.example": tmp_path / "mine"})
    delivery = await post.send(LETTER, ["Ana@post.example", "odd/../name@x.example", "ME@x.example"])

    assert (delivery.refused, delivery.obstacle) == ((), None)
    assert sorted(os.listdir(tmp_path)) == [
        "ana@post.example",
        "mine",
        "odd%2F..%2Fname@x.example",
    ]
    theirs: mailbox.Maildir = mailbox.Maildir(tmp_path / "ana@post.example", create=False)
    assert [message.as_bytes() for message in theirs] == [LETTER]
    assert [file.read_bytes() for file in (tmp_path / "mine" / "new").iterdir()] == [LETTER]


async def test_offline_nothing_is_delivered(tmp_path: Path) -> None:
    post = LoopbackTransport(tmp_path / "post", lambda: False)
    obstacle, delivery = await post.obstacle(), await post.send(LETTER, ["ana@post.example"])

    assert obstacle is not None
    assert obstacle.needs is Needs.OFFLINE
    assert delivery.obstacle == obstacle
    assert not (tmp_path / "post").exists()


async def test_a_mailbox_that_cannot_be_written_is_refused_and_the_others_are_served(tmp_path: Path) -> None:
    (tmp_path / "ben@x.example").write_text("a file in the way")
    delivery = await LoopbackTransport(tmp_path, lambda: True).send(
        LETTER, ["ben@x.example", "ana@post.example"]
    )

    assert [address for address, _ in delivery.refused] == ["ben@x.example"]
    assert len(list((tmp_path / "ana@post.example" / "new").iterdir())) == 1


async def test_without_an_account_nothing_is_sent() -> None:
    delivery = await NoTransport().send(LETTER, ["ana@post.example"])
    assert delivery.obstacle is not None
    assert delivery.obstacle.needs is Needs.ACCOUNT
