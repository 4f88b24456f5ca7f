"""What every mailbox does alike, be it a folder of this machine or a server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.base import Effect, Needs, Outcome
from connectors.files.config import Config as FilesConfig
from connectors.files.connector import FilesConnector
from connectors.files.places import Root
from connectors.messaging.server import Server
from tests.connectors.messaging.conftest import World
from tests.connectors.messaging.dovecot import Dovecot, dovecot
from tests.connectors.messaging.server_world import ServerWorld

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with dovecot() as server:
        yield server


@pytest.fixture(scope="module")
def old_server() -> Iterator[Dovecot]:
    """A server that can do no more than IMAP4rev1."""
    with dovecot(capability="IMAP4rev1 NAMESPACE") as server:
        yield server


@pytest.fixture(params=["folder", "server", "old server"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    if request.param == "folder":
        yield World(tmp_path)
        return
    name = "server" if request.param == "server" else "old_server"
    world = ServerWorld(tmp_path, request.getfixturevalue(name))
    yield world
    world.end()


async def test_a_message_is_found_by_sender_subject_and_text(world: World) -> None:
    world.receive(subject="The lake on Friday", body="Bring the blue canoe.")
    world.receive("Ben Okafor <ben@okafor.example>", "Invoice", "Forty crowns.")
    for words, subject in (
        ("lake", "Ana Ruiz: The lake on Friday"),
        ("canoe", "Ana Ruiz: The lake on Friday"),
        ("crowns", "Ben Okafor: Invoice"),
    ):
        outcome = await world.do("search", words=words)
        assert [item.label for item in outcome.items] == [subject], words
    assert len((await world.do("search", sender="okafor")).items) == 1
    assert (await world.do("search", words="submarine")).items == ()


async def test_letters_beyond_ascii_are_found(world: World) -> None:
    world.receive(subject="Blåbær", body="Wir treffen uns im Café Nørrebro.")
    for words in ("blåbær", "Nørrebro", "Café"):
        assert len((await world.do("search", words=words)).items) == 1, words


async def test_reading_marks_as_read_and_that_can_be_taken_back(world: World) -> None:
    world.receive(body="See you at the lake.")
    prepared = await world.prepared("read", sender="ana")
    assert prepared.effects == {Effect.READ, Effect.MARK}
    outcome = await world.connector.perform(prepared)
    assert outcome.content is not None
    assert outcome.content.endswith("See you at the lake.")
    assert (await world.prepared("read", sender="ana")).effects == {Effect.READ}
    assert (await world.take_back(outcome)).ok
    assert (await world.prepared("read", sender="ana")).effects == {Effect.READ, Effect.MARK}


async def test_looking_marks_nothing(world: World) -> None:
    world.receive(body="See you at the lake.")
    await world.prepared("read", sender="ana")
    await world.do("search", words="lake")
    assert (await world.prepared("read", sender="ana")).effects == {Effect.READ, Effect.MARK}


async def test_a_draft_is_kept_whole_and_can_be_removed(world: World) -> None:
    kept = await world.do("draft", to=["ana@post.example"], subject="Grüße", body="Line one.\n\n.dot\nlast")
    assert kept.text == "The draft to ana@post.example is in Drafts."
    read = await world.do("read", message="Grüße")
    assert read.content is not None
    assert read.content.endswith("Line one.\n\n.dot\nlast")
    assert (await world.take_back(kept)).text == "The draft is removed."
    assert (await world.refused("read", message="Grüße")).needs is Needs.NOT_FOUND


async def test_a_message_is_moved_keeps_its_flags_and_comes_back(world: World) -> None:
    world.receive(flags="FS")
    moved = await world.do("move", sender="ana", folder="archive")
    assert moved.ok, moved
    (item,) = (await world.do("search", folder="archive")).items
    assert item.handle.startswith("message:Archive/")
    assert (await world.do("search", folder="inbox")).items == ()
    assert (await world.take_back(moved)).text == "The message is back in Inbox."
    (back,) = (await world.do("search", folder="inbox")).items
    assert (await world.prepared("read", message=back.handle)).effects == {Effect.READ}


async def test_a_deleted_message_is_in_the_trash_and_comes_back(world: World) -> None:
    world.receive()
    deleted = await world.do("delete", sender="ana")
    assert deleted.text == "“Ana Ruiz: Friday” is now in the trash."
    assert (await world.do("search")).items == ()
    assert (await world.take_back(deleted)).ok
    assert len((await world.do("search")).items) == 1


async def test_two_messages_that_are_the_same_are_two(world: World) -> None:
    data = b"From: Ana <ana@post.example>\nSubject: Twice\nMessage-ID: <t@x>\n\nhello\n"
    for _ in range(2):
        world.receive_bytes(data)
    items = (await world.do("search", words="twice")).items
    assert len({item.handle for item in items}) == 2
    first = await world.do("delete", message=items[0].handle)
    second = await world.do("delete", message=items[1].handle)
    assert len((await world.do("search", folder="trash")).items) == 2
    for outcome in (second, first):
        assert (await world.take_back(outcome)).ok
    assert len((await world.do("search", folder="inbox")).items) == 2


async def test_a_message_that_was_moved_meanwhile_is_left_alone(world: World) -> None:
    world.receive()
    prepared = await world.prepared("delete", sender="ana")
    assert (await world.do("move", sender="ana", folder="archive")).ok
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT
    assert len((await world.do("search", folder="archive")).items) == 1


async def test_a_message_that_was_flagged_meanwhile_is_left_alone(world: World) -> None:
    world.receive()
    prepared = await world.prepared("delete", sender="ana")
    if isinstance(world, ServerWorld):
        with world.other() as client:
            client.select_folder("INBOX")
            client.add_flags(client.search(), [rb"\Flagged"])
    else:
        (name,) = world.files()
        path = world.mail / name
        (world.mail / "cur").mkdir(exist_ok=True)
        path.rename(world.mail / "cur" / f"{path.name.partition(':')[0]}:2,F")
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT


async def test_a_message_that_came_meanwhile_is_seen(world: World) -> None:
    world.receive(subject="One")
    assert len((await world.do("search")).items) == 1
    world.receive(subject="Two")
    assert len((await world.do("search")).items) == 2


async def test_what_was_sent_is_filed_and_known_to_have_been_written_to(world: World) -> None:
    outcome = await world.do("send", to=["ana@post.example"], subject="Friday", body="See you.")
    assert outcome.ok, outcome
    assert outcome.text.endswith("A copy is in Sent.")
    prepared = await world.prepared("send", to=["ana@post.example"], subject="Again", body="Hello.")
    assert prepared.resolved[0].written_before == 1
    found = await world.do("find_contact", name="ana@post.example")
    assert [item.handle for item in found.items] == ["written:ana@post.example"]


@pytest.mark.parametrize("tool", ["send", "draft"])
async def test_a_file_that_goes_along_is_filed_whole(world: World, tool: str) -> None:
    folder = world.root / "Documents"
    folder.mkdir()
    (folder / "Übersicht.bin").write_bytes(bytes(range(256)) * 40)
    roots = [Root("Documents", folder)]
    world.lender = FilesConnector(roots, world.root / "index", FilesConfig(index=False)).lending
    world.build()
    outcome = await world.do(
        tool, to=["ana@post.example"], subject="Papers", body="See it.", attachments=["Übersicht"]
    )
    assert outcome.ok, outcome
    where = "sent" if tool == "send" else "drafts"
    (item,) = (await world.do("search", folder=where)).items
    read = await world.do("read", message=item.handle)
    assert "Attached: Übersicht.bin (application/octet-stream, 10 kB)" in (read.content or "")
    assert (read.content or "").rstrip().endswith("See it.")


async def test_everything_is_known_again_after_a_restart(world: World) -> None:
    world.receive(subject="One")
    (before,) = (await world.do("search")).items
    world.build()
    assert (await world.do("search")).items == (before,)


async def test_a_lost_cache_loses_nothing(world: World) -> None:
    world.receive(subject="One")
    (before,) = (await world.do("search")).items
    for name in ("index.db", "imap.db"):
        for file in world.state.glob(f"{name}*"):
            file.write_bytes(b"rubbish")
    world.build()
    assert (await world.do("search")).items == (before,)


async def test_broken_messages_hide_no_others(world: World) -> None:
    world.receive_bytes(b"no header at all")
    world.receive_bytes(b"From: =?utf-8?q?=ZZ?= <x@\nSubject: \xff\xfe\nContent-Type: multipart/mixed\n\nx")
    world.receive(subject="Whole")
    assert len((await world.do("search")).items) == 3


@pytest.fixture
def small(tmp_path: Path) -> Iterator[ServerWorld]:
    with dovecot(quota="messages=2") as server:
        world = ServerWorld(tmp_path, server)
        yield world
        world.end()


async def test_a_full_mailbox_is_told_before_anything_is_sent(small: ServerWorld) -> None:
    for number in range(2):
        small.receive(subject=f"Number {number}", days=number + 1)
    told = await small.refused("send", to=["ana@post.example"], subject="Friday", body="See you.")
    assert told.needs is Needs.MAILBOX_FULL
    assert told.text.startswith("The mailbox is full: it holds 2 messages and has room for 2.")
    assert told.items[0].label.endswith("Number 1")
    assert small.delivered("ana@post.example") == []


async def test_a_server_that_is_away_shows_what_was_known_and_changes_nothing(
    tmp_path: Path, server: Dovecot
) -> None:
    world = ServerWorld(tmp_path, server)
    world.receive(subject="Known")
    assert len((await world.do("search")).items) == 1
    world.server = Server("127.0.0.1", 1, "none", world.user, timeout=5)
    world.build()
    trouble = "127.0.0.1:1 cannot be reached. What was known before is shown."
    assert (await world.do("search")).text == f"Found 1 message. {trouble}"
    assert (await world.do("search", words="submarine")).text.endswith(trouble)
    assert [notice.text for notice in world.connector.notices()] == [
        "127.0.0.1:1 cannot be reached. What was known before is shown."
    ]
    found = await world.look("delete", sender="ana")
    outcome = found if isinstance(found, Outcome) else await world.connector.perform(found)
    assert outcome.needs is Needs.OFFLINE
    world.end()


async def test_a_wrong_password_is_a_sign_in_that_is_needed(tmp_path: Path, server: Dovecot) -> None:
    world = ServerWorld(tmp_path, server, password="wrong")
    told = await world.refused("read", sender="ana")
    assert told.needs is Needs.SIGNED_OUT
    assert "does not accept the sign-in ([AUTHENTICATIONFAILED] Authentication failed)." in told.text
    world.end()


async def test_a_folder_that_was_made_anew_is_read_anew(tmp_path: Path, server: Dovecot) -> None:
    world = ServerWorld(tmp_path, server)
    world.receive(subject="Old", folder="Lake")
    assert len((await world.do("search", folder="Lake")).items) == 1
    with world.other() as client:
        client.delete_folder("Lake")
    world.receive(subject="New", folder="Lake")
    items = (await world.do("search", folder="Lake")).items
    assert [item.label for item in items] == ["Ana Ruiz: New"]
    world.end()
