"""What a line that breaks in the middle of a change leaves behind, and how it is found out afterwards."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from connectors.base import Needs, Outcome, Prepared
from connectors.messaging.maildir.mailbox import Mailbox
from connectors.messaging.server import Server
from connectors.messaging.transport import Delivery, LoopbackTransport
from tests.connectors.messaging.conftest import World
from tests.connectors.messaging.cutting import Cut, cutting
from tests.connectors.messaging.dovecot import Dovecot, dovecot
from tests.connectors.messaging.server_world import ServerWorld

pytestmark = pytest.mark.timeout(120)
_MOST_LINES = 60


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with dovecot() as server:
        yield server


async def broken(world: ServerWorld, prepared: Prepared, at: bytes, *, heard: bool) -> Outcome:
    """Do it over a line that breaks at the first command of a kind."""
    cut = Cut(heard=heard)

    def aim(line: bytes) -> None:
        if at in line and not cut.line:
            cut.line = cut.lines

    cut.meanwhile = aim
    return await over(world, prepared, cut)


async def over(world: ServerWorld, prepared: Prepared, cut: Cut) -> Outcome:
    straight = world.server
    with cutting(straight.port, cut) as port:
        world.server = Server("127.0.0.1", port, "none", world.user, timeout=3)
        world.build()
        outcome = await world.connector.perform(prepared)
    world.server = straight
    world.build()
    return outcome


async def look(world: World, prepared: Prepared) -> Outcome | None:
    """Look after a restart, with no more than a journal keeps."""
    world.build()
    return await world.connector.probe(prepared.call.tool, json.loads(json.dumps(dict(prepared.mark))))


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize(("tool", "command"), [("delete", b"UID MOVE"), ("draft", b"APPEND")])
async def test_a_change_that_broke_off_is_unknown_until_it_is_looked_for(
    tmp_path: Path, server: Dovecot, tool: str, command: bytes, heard: bool
) -> None:
    world = ServerWorld(tmp_path, server)
    world.receive(subject="canoe")
    arguments = {
        "delete": {"message": "canoe"},
        "draft": {"to": ["ana@post.example"], "subject": "Paddles", "body": "Bring them."},
    }
    prepared = await world.prepared(tool, **arguments[tool])
    outcome = await broken(world, prepared, command, heard=heard)
    assert (outcome.ok, outcome.needs) == (False, Needs.TIMEOUT)
    assert outcome.text.endswith("did not answer, so it is not known whether it was done.")
    found = await look(world, prepared)
    assert found is not None
    # The line of a draft breaks before its text is asked for, so that it is never kept.
    assert found.ok is (heard and tool == "delete")
    if found.ok:
        assert found.text == "It was done: it is in Trash."
        assert (await world.take_back(found)).text == "The message is back in Inbox."
    else:
        assert found.text.startswith("It was not done: it is not in ")
    world.end()


async def test_a_draft_whose_answer_was_lost_is_found_and_can_be_removed(
    tmp_path: Path, server: Dovecot
) -> None:
    world = ServerWorld(tmp_path, server)
    prepared = await world.prepared("draft", to=["ana@post.example"], subject="Paddles", body="the last line")
    outcome = await broken(world, prepared, b"the last line", heard=True)
    assert outcome.needs is Needs.TIMEOUT
    found = await look(world, prepared)
    if found is not None and found.ok:
        assert (await world.take_back(found)).text == "The draft is removed."
    with world.other() as client:
        client.select_folder("Drafts")
        assert client.search() == []
    world.end()


async def test_a_change_that_never_began_was_not_made(world: World) -> None:
    world.receive(subject="canoe")
    for tool, arguments in (("delete", {"message": "canoe"}), ("draft", {"to": ["ana@post.example"]})):
        found = await look(world, await world.prepared(tool, **arguments, **_body(tool)))
        assert found is not None
        assert (found.ok, found.text) == (False, "It was not done: it was never begun.")


async def test_a_change_that_was_made_before_a_crash_is_known_and_can_be_taken_back(world: World) -> None:
    world.receive(subject="canoe")
    prepared = await world.prepared("delete", message="canoe")
    await world.connector.perform(prepared)
    found = await look(world, prepared)
    assert found is not None
    assert found.text == "It was done: it is in Trash."
    assert (await world.take_back(found)).ok
    again = await look(world, prepared)
    assert again is not None
    assert again.text == "It was not done: it was never begun."


async def test_a_message_is_left_alone_whose_number_has_gone_to_another(
    tmp_path: Path, server: Dovecot
) -> None:
    world = ServerWorld(tmp_path, server)
    for subject in ("canoe", "kettle"):
        world.receive(subject=subject, folder="Lake")
    prepared = await world.prepared("delete", message="canoe")
    once = iter([True])

    def meanwhile(line: bytes) -> None:
        if b'SELECT "Lake"' in line and next(once, False):
            _made_anew(world)

    outcome = await over(world, prepared, Cut(meanwhile=meanwhile))
    assert (outcome.needs, outcome.text) == (
        Needs.CONFLICT,
        "The folder was made anew on the server just now, so it was left alone.",
    )
    with world.other() as client:
        client.select_folder("Lake")
        assert len(client.search()) == 2
    world.end()


async def test_a_message_that_the_server_mistook_for_the_one_that_was_meant_is_put_back(
    tmp_path: Path, server: Dovecot
) -> None:
    world = ServerWorld(tmp_path, server)
    for subject in ("canoe", "kettle"):
        world.receive(subject=subject, folder="Lake")
    prepared = await world.prepared("delete", message="canoe")

    def mistake(line: bytes) -> bytes:
        return line.replace(b'UID MOVE 1 "Trash"', b'UID MOVE 2 "Trash"')

    outcome = await over(world, prepared, Cut(alter=mistake))
    assert (outcome.needs, outcome.text) == (
        Needs.CONFLICT,
        "The server moved another message, which was put back; its folder was made anew just now.",
    )
    assert len((await world.do("search", folder="Lake")).items) == 2
    assert (await world.do("search", folder="trash")).items == ()
    world.end()


async def test_a_server_that_files_what_it_sends_makes_no_second_copy(world: World) -> None:
    class Filing(LoopbackTransport):
        async def send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
            Mailbox(world.mail).deliver("Sent", b"Received: by the server\n" + message, "S")
            return await super().send(message, recipients)

    world.transport = Filing(world.post, lambda: True)
    world.build()
    outcome = await world.do("send", to=["ana@post.example"], subject="Friday", body="See you.")
    assert outcome.text == "Sent to ana@post.example. A copy is in Sent."
    assert len(world.files("Sent")) == 1


async def test_a_server_that_is_known_to_file_what_it_sends_is_left_to_it(world: World) -> None:
    world.build(smtp={"host": "smtp.gmail.com", "keeps_copies": True})
    outcome = await world.do("send", to=["ana@post.example"], subject="Friday", body="See you.")
    assert outcome.text == "Sent to ana@post.example. The mail server keeps a copy in Sent."
    assert world.files("Sent") == []


def _body(tool: str) -> dict[str, str]:
    return {"body": "Bring them."} if tool == "draft" else {}


def _made_anew(world: ServerWorld) -> None:
    """The same messages under each other's numbers."""
    with world.other() as client:
        client.create_folder("Anew")
        client.select_folder("Lake")
        for uid in sorted(client.search(), reverse=True):
            client.copy([uid], "Anew")
        client.unselect_folder()
        client.delete_folder("Lake")
        client.rename_folder("Anew", "Lake")
