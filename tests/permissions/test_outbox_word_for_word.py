"""The outbox by itself: closed, it releases nothing more, and what goes wrong is logged whole."""

import asyncio
import logging
from datetime import timedelta

import pytest

from permissions.outbox import Held, Outbox
from tests.permissions.fakes import NOW
from tests.permissions.held import Steady, ripples


def held(id: str, steady: Steady, seconds: float) -> Held:
    return Held(id, "Send something", NOW + timedelta(seconds=seconds), steady.now + seconds)


@pytest.fixture
def steady() -> Steady:
    return Steady()


@pytest.fixture
def outbox(steady: Steady) -> Outbox:
    return Outbox(steady, steady.pause)


async def test_once_closed_it_holds_and_releases_nothing(outbox: Outbox, steady: Steady) -> None:
    released: list[str] = []

    async def release() -> None:
        released.append("first")

    for number in range(2):
        outbox.hold(held(f"request-{number}", steady, 30), release)
    await ripples()
    await outbox.close()
    assert outbox.waiting == ()
    await steady.pass_(100)
    assert released == []


async def test_closing_waits_for_what_is_on_its_way(outbox: Outbox, steady: Steady) -> None:
    go, ended = asyncio.Event(), []

    async def release() -> None:
        await go.wait()
        ended.append("first")

    outbox.hold(held("request-1", steady, 30), release)
    await ripples()
    await steady.pass_(30)
    closing = asyncio.create_task(outbox.close())
    await ripples()
    assert not closing.done()
    go.set()
    await closing
    assert ended == ["first"]


async def test_what_goes_wrong_with_one_is_logged_whole_and_stops_no_other(
    outbox: Outbox, steady: Steady, caplog: pytest.LogCaptureFixture
) -> None:
    released: list[str] = []

    async def broken() -> None:
        raise OSError("the disk is gone")

    async def release() -> None:
        released.append("second")

    outbox.hold(held("request-1", steady, 10), broken)
    outbox.hold(held("request-2", steady, 20), release)
    await ripples()
    with caplog.at_level(logging.ERROR, "permissions.report"):
        await steady.pass_(20)
        await outbox.settled()
    (message,) = caplog.messages
    assert message.startswith("releasing a call failed:\nTraceback ")
    assert message.endswith("\nOSError: the disk is gone\n")
    assert (released, outbox.waiting) == (["second"], ())
