"""Sending by a program of this machine: what it is given, and what its end means."""

import asyncio
import os
from pathlib import Path

import pytest

from connectors.base import Needs
from connectors.messaging.sendmail import SendmailTransport
from connectors.messaging.transport import Delivery

MESSAGE = b"Subject: Friday\n\nSee you.\n"


def program(folder: Path, body: str) -> str:
    path = folder / "mailer"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


async def test_the_program_gets_the_message_and_each_address_as_an_argument(tmp_path: Path) -> None:
    mailer = program(tmp_path, f'printf "%s\\n" "$@" > {tmp_path}/words; cat > {tmp_path}/message')
    sender = SendmailTransport([mailer, "-a", "work"], "robin@home.example")
    assert await sender.send(MESSAGE, ["-oQ/tmp@evil.example", "ana@post.example"]) == Delivery()
    words = (tmp_path / "words").read_text().split("\n")
    assert words[:-1] == [
        *("-a", "work", "-i", "-f", "robin@home.example", "--"),
        *("-oQ/tmp@evil.example", "ana@post.example"),
    ]
    assert (tmp_path / "message").read_bytes() == MESSAGE


@pytest.mark.parametrize(
    ("code", "needs"),
    [
        (75, Needs.OFFLINE),
        (77, Needs.SIGNED_OUT),
        (78, Needs.ACCOUNT),
        (67, Needs.INVALID),
        (1, Needs.UNAVAILABLE),
    ],
)
async def test_a_program_that_refuses_says_why(tmp_path: Path, code: int, needs: Needs) -> None:
    mailer = program(
        tmp_path, f"cat > /dev/null; echo 'first line' >&2; echo 'no \x1b[31mroute' >&2; exit {code}"
    )
    delivery = await SendmailTransport([mailer], "robin@home.example").send(MESSAGE, ["ana@post.example"])
    assert delivery.obstacle is not None
    assert delivery.obstacle.needs is needs
    assert "(no ⟨U+001B⟩[31mroute); nothing was sent." in delivery.obstacle.text


async def test_a_program_that_dies_has_not_said_whether_the_message_left(tmp_path: Path) -> None:
    mailer = program(tmp_path, "cat > /dev/null; kill -9 $$")
    with pytest.raises(RuntimeError, match="broken off"):
        await SendmailTransport([mailer], "robin@home.example").send(MESSAGE, ["ana@post.example"])


async def test_a_program_that_hangs_is_ended_when_it_is_given_up_on(tmp_path: Path) -> None:
    mailer = program(tmp_path, f"echo $$ > {tmp_path}/pid; exec sleep 600")
    os.mkfifo(tmp_path / "pid")
    task = asyncio.create_task(
        SendmailTransport([mailer], "robin@home.example").send(MESSAGE, ["ana@post.example"])
    )
    number = int(await asyncio.to_thread((tmp_path / "pid").read_text))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


async def test_a_program_that_is_not_there_is_an_account_that_is_needed() -> None:
    found = await SendmailTransport(["/no/such/mailer"], "robin@home.example").obstacle()
    assert found is not None
    assert found.needs is Needs.ACCOUNT
