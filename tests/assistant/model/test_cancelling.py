"""A cancel ends a request at once, while the prompt is read and while the answer is given."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assistant.model.host.process import Process
from assistant.model.wire import Cancel, Ended, Event, Generate, Load, Opened, Prepare, Read, Ready, Said
from tests.assistant.model.chats import chat

LONG = "the cat sat on the mat and " * 900


@pytest.fixture
async def process(toy_qwen: Path) -> AsyncIterator[Process]:
    process = await Process.start()
    process.send(Load(str(toy_qwen), None, 32768, 1))
    assert isinstance(await process.receive(), Ready)
    yield process
    await process.kill()


async def until(process: Process, kind: type[Event]) -> list[Event]:
    """All that comes up to the first event of a kind."""
    heard: list[Event] = []
    while not heard or not isinstance(heard[-1], kind):
        event = await process.receive()
        assert event, "the process ended"
        heard.append(event)
    return heard


@pytest.mark.parametrize("after", [Opened, Read, Said])
async def test_what_comes_after_a_cancel_is_the_end(process: Process, after: type[Event]) -> None:
    prompt = "hello" if after is Said else LONG
    process.send(Generate(1, prompt, 20_000))
    await until(process, after)
    process.send(Cancel(1))
    heard = await until(process, Ended)
    assert heard[-1].reason == "cancelled"
    assert sum(isinstance(event, Read) for event in heard) <= 2
    process.send(Generate(2, "hello", 3))
    assert (await until(process, Ended))[-1] == Ended(2, "limit", 3)


async def test_a_request_that_is_cancelled_before_it_begins_does_not_begin(process: Process) -> None:
    process.send(Generate(1, LONG, 20_000))
    process.send(Generate(2, LONG, 20_000))
    process.send(Cancel(2))
    process.send(Cancel(1))
    assert (await until(process, Ended))[-1] == Ended(1, "cancelled", 0)
    heard = await until(process, Ended)
    assert heard[-1] == Ended(2, "cancelled", 0)
    assert not any(isinstance(event, Read) for event in heard)


async def test_a_cancel_of_what_is_over_stops_nothing(process: Process) -> None:
    process.send(Generate(1, "hello", 3))
    await until(process, Ended)
    process.send(Cancel(1))
    process.send(Generate(2, "hello there", 3))
    assert (await until(process, Ended))[-1] == Ended(2, "limit", 3)


async def test_reading_ahead_is_given_up_for_a_request(process: Process) -> None:
    process.send(Prepare(1, chat(LONG, "Done.")))
    process.send(Generate(2, "hello", 3))
    assert (await until(process, Ended))[-1] == Ended(1, "cancelled", 0)
    assert (await until(process, Ended))[-1] == Ended(2, "limit", 3)
