"""A line that breaks at any moment: no message is lost or sent twice, and nothing untrue is said."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.base import Needs, Outcome, Prepared
from connectors.messaging.server import Server, tls
from connectors.messaging.smtp.transport import SmtpTransport
from tests.connectors.messaging.conftest import World
from tests.connectors.messaging.cutting import Cut, cutting
from tests.connectors.messaging.dovecot import Dovecot, dovecot
from tests.connectors.messaging.post_office import PASSWORD, USER, post_office
from tests.connectors.messaging.server_world import ServerWorld

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]
RUNS = int(os.environ.get("ASKFIRST_FAULT_RUNS", "3"))
_ENOUGH = 60


@pytest.fixture(scope="module", params=["", "IMAP4rev1 NAMESPACE UIDPLUS"], ids=["move", "copy"])
def server(request: pytest.FixtureRequest) -> Iterator[Dovecot]:
    with dovecot(capability=request.param) as server:
        yield server


def copies(world: ServerWorld, subject: str) -> list[str]:
    """The folders that hold a message of this subject now, deleted ones left out."""
    found = []
    with world.other() as client:
        for _, _, name in client.list_folders():
            client.select_folder(name, readonly=True)
            found += [str(name)] * len(client.search(["SUBJECT", subject, "UNDELETED"]))
    return found


@pytest.mark.parametrize("seed", range(RUNS))
@pytest.mark.parametrize("tool", ["delete", "move", "draft"])
async def test_a_message_is_never_lost_and_never_said_to_be_where_it_is_not(
    tmp_path: Path, server: Dovecot, seed: int, tool: str
) -> None:
    chance = random.Random(f"{tool}{seed}")
    world = ServerWorld(tmp_path, server)
    world.receive(subject="canoe")
    arguments = {
        "delete": {"message": "canoe"},
        "move": {"message": "canoe", "folder": "archive"},
        "draft": {"to": ["ana@post.example"], "subject": "paddles", "body": "Bring them."},
    }[tool]
    prepared = await world.prepared(tool, **arguments)
    cut = Cut(chance.randint(1, 24), heard=chance.random() < 0.5)
    with cutting(server.port, cut) as port:
        world.server = Server("127.0.0.1", port, "none", world.user, timeout=3)
        world.build()
        outcome = await world.connector.perform(prepared)
    folders = copies(world, "paddles" if tool == "draft" else "canoe")
    if outcome.ok:
        assert folders == [{"delete": "Trash", "move": "Archive", "draft": "Drafts"}[tool]], cut.said
        assert outcome.undo is not None
    elif tool == "draft":
        assert len(folders) <= 1, cut.said
    else:
        # COPY and then STORE leaves two where the line breaks between them; none is never left.
        assert 1 <= len(folders) <= 2, cut.said
    world.end()


async def _sent(world: World, prepared: Prepared, port: int, office_port: int) -> Outcome:
    server = Server("127.0.0.1", port, "none", USER, timeout=3)
    world.transport = SmtpTransport(server, USER, lambda: PASSWORD, tls())
    world.build()
    return await world.connector.perform(prepared)


@pytest.mark.parametrize("heard", [True, False])
async def test_wherever_the_line_to_the_post_office_breaks_a_message_is_sent_at_most_once(
    tmp_path: Path, heard: bool
) -> None:
    with post_office() as office:
        for line in range(1, _ENOUGH):
            (tmp_path / str(line)).mkdir()
            world = World(tmp_path / str(line))
            server = Server("127.0.0.1", office.port, "none", USER, timeout=3)
            world.transport = SmtpTransport(server, USER, lambda: PASSWORD, tls())
            world.build()
            prepared = await world.prepared("send", to=["ana@post.example"], subject="Hi", body="One\n.two")
            office.mail.clear()
            cut = Cut(line, heard)
            with cutting(office.port, cut) as port:
                outcome = await _sent(world, prepared, port, office.port)
            taken = len(office.mail)
            assert taken <= 1, (line, cut.said)
            if outcome.ok:
                assert taken == 1, (line, cut.said)
            elif outcome.needs is not Needs.TIMEOUT:
                assert taken == 0, (line, cut.said, outcome)
            again = await _sent(world, prepared, office.port, office.port)
            if outcome.ok or outcome.needs is Needs.TIMEOUT:
                assert not again.ok, (line, outcome, again)
            assert len(office.mail) <= 1, (line, cut.said)
            if not cut.reached:
                return
    pytest.fail("the line was still broken after more lines than a message has")
