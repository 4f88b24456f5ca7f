"""Looking for words on a server: only what may count is opened there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.messaging.imap import search as imap_search
from connectors.messaging.server import Server
from tests.connectors.messaging.cutting import Cut, cutting
from tests.connectors.messaging.dovecot import Dovecot, dovecot
from tests.connectors.messaging.server_world import ServerWorld

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with dovecot() as server:
        yield server


@pytest.fixture
def world(tmp_path: Path, server: Dovecot) -> Iterator[ServerWorld]:
    world = ServerWorld(tmp_path, server)
    for number in range(7):
        sender = "Ana Ruiz <ana@post.example>" if number % 2 else "Ben Okafor <ben@okafor.example>"
        world.receive(sender, f"Number {number}", "The blue canoe." if number < 4 else "The kettle.")
    world.receive("Ana Ruiz <ana@post.example>", "Old", "The blue canoe.", folder="Trash")
    yield world
    world.end()


async def searched(world: ServerWorld, **arguments: object) -> tuple[list[str], list[str]]:
    """The subjects that are found, and what the server was asked to search."""
    cut = Cut()
    straight = world.server
    with cutting(straight.port, cut) as port:
        world.server = Server("127.0.0.1", port, "none", world.user, timeout=10)
        world.build()
        outcome = await world.do("search", **arguments)
        world.end()
    world.server = straight
    asked = [line.decode().partition(" ")[2] for line in cut.said if b"SEARCH" in line and b"TEXT" in line]
    return sorted(each.label.partition(": ")[2] for each in outcome.items), asked


async def test_of_one_sender_only_their_messages_are_opened(world: ServerWorld) -> None:
    found, asked = await searched(world, words="canoe", sender="ana@post.example")
    assert found == ["Number 1", "Number 3"]
    assert asked == ["UID SEARCH UID 2,4,6 TEXT canoe"]


async def test_a_message_whose_subject_says_it_is_not_opened_for_it(world: ServerWorld) -> None:
    found, asked = await searched(world, words="number", sender="ana@post.example")
    assert found == ["Number 1", "Number 3", "Number 5"]
    assert asked == []


async def test_many_messages_are_named_in_lines_of_bearable_length(
    world: ServerWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap_search, "_AT_ONCE", 3)
    found, asked = await searched(world, words="canoe")
    assert found == ["Number 0", "Number 1", "Number 2", "Number 3"]
    assert asked == [f"UID SEARCH UID {uids} TEXT canoe" for uids in ("1,2,3", "4,5,6", "7")]


async def test_of_very_many_messages_none_is_named(
    world: ServerWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectors.messaging.imap.mailbox.MOST_NAMED", 2)
    found, asked = await searched(world, words="canoe")
    assert found == ["Number 0", "Number 1", "Number 2", "Number 3"]
    assert asked
    assert set(asked) == {"UID SEARCH TEXT canoe"}
