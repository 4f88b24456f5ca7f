"""Conversations on a real homeserver: read, searched, written to and answered beside the mail."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.base import Effect, Needs, Outcome, Prepared, Question, Role
from tests.connectors.messaging.matrix_world import MatrixWorld
from tests.connectors.messaging.synapse import Synapse, synapse

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def world(tmp_path: Path, homeserver: Synapse) -> Iterator[MatrixWorld]:
    world = MatrixWorld(tmp_path, homeserver)
    yield world
    world.end()


def _row(prepared: Prepared, label: str) -> list[str]:
    return [field.value for field in prepared.preview.fields if field.label == label]


async def test_a_message_is_found_by_sender_and_words_and_read(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    ana.say(room, "See you at the lake\nBring the blue canoe.")
    for words in ("lake", "canoe"):
        (item,) = (await world.do("search", words=words)).items
        assert item.label == "Ana Ruiz: See you at the lake"
        assert "in Matrix" in item.detail
    (item,) = (await world.do("search", sender="ana")).items
    outcome = await world.do("read", message=item.handle)
    assert outcome.content is not None
    assert f"From: Ana Ruiz <{ana.user}>" in outcome.content
    assert "By: Matrix, in “Ana Ruiz”" in outcome.content
    assert outcome.content.endswith("Bring the blue canoe.")


async def test_mail_and_conversations_are_searched_together(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz", "ana@post.example")
    ana.say(ana.room(world.me, direct=True), "The lake is frozen")
    world.receive(subject="The lake on Friday")
    items = (await world.do("search", words="lake")).items
    assert sorted(item.label for item in items) == [
        "Ana Ruiz: The lake is frozen",
        "Ana Ruiz: The lake on Friday",
    ]


async def test_reading_marks_here_alone_and_that_can_be_taken_back(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    await world.do("search")
    ana.say(room, "News")
    prepared = await world.prepared("read", sender="ana")
    assert prepared.effects == {Effect.READ, Effect.MARK}
    outcome = await world.connector.perform(prepared)
    assert (await world.prepared("read", sender="ana")).effects == {Effect.READ}
    told = ana.ask("GET", '/sync?filter={"room":{"ephemeral":{"types":["m.receipt"]}}}')
    receipts = told["rooms"]["join"][room]["ephemeral"]["events"]
    assert not [each for each in receipts if world.me.user in str(each)]
    assert (await world.take_back(outcome)).ok
    assert (await world.prepared("read", sender="ana")).effects == {Effect.READ, Effect.MARK}


async def test_what_was_read_in_another_program_is_read_here(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    await world.do("search")
    first = ana.say(room, "One")
    ana.say(room, "Two")
    assert len((await world.do("search", unread=True)).items) == 2
    world.me.ask("POST", f"/rooms/{room}/receipt/m.read/{first}", {})
    (left,) = (await world.do("search", unread=True)).items
    assert left.label == "Ana Ruiz: Two"


async def test_a_message_goes_into_the_conversation_that_is_there(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    prepared = await world.prepared("send", to=["Ana"], body="Running late.")
    assert prepared.effects == {Effect.SEND}
    assert prepared.preview.title == "Write to Ana Ruiz by Matrix"
    assert _row(prepared, "Channel") == ["by Matrix, in your conversation with this person"]
    assert _row(prepared, "To") == [f"Ana Ruiz <{ana.user}>"]
    assert _row(prepared, "Encryption") == ["none: the servers it passes through can read it"]
    assert prepared.preview.body == "Running late."
    assert [(each.role, each.value) for each in prepared.resolved if each.role is Role.DESTINATION] == [
        (Role.DESTINATION, ana.user)
    ]
    outcome = await world.connector.perform(prepared)
    assert outcome.ok, outcome
    assert outcome.text == "Sent to Ana Ruiz by Matrix."
    assert ana.bodies(room) == ["Running late."]
    again = await world.prepared("send", to=["Ana"], body="Here.")
    assert again.resolved[0].written_before == 1


async def test_the_same_approval_sends_once(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    prepared = await world.prepared("send", to=["Ana"], body="Once.")
    assert (await world.connector.perform(prepared)).ok
    assert not (await world.connector.perform(prepared)).ok
    world.build()
    assert not (await world.connector.perform(prepared)).ok
    assert ana.bodies(room) == ["Once."]


async def test_somebody_with_both_is_asked_about_and_the_channel_is_shown(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz", "ana@post.example")
    room = ana.room(world.me, direct=True)
    question = await world.asked("send", to=["Ana"], body="Hi.")
    assert question.text == "Which address of “Ana” is meant?"
    assert {(option.label, option.detail.partition(",")[0]) for option in question.options} == {
        ("Ana Ruiz <ana@post.example>", "by mail"),
        (f"Ana Ruiz <{ana.user}>", "by Matrix"),
    }
    by_mail = await world.prepared("send", to=["ana@post.example"], body="Hi.")
    assert _row(by_mail, "Channel") == ["by mail"]
    assert (await world.connector.perform(by_mail)).ok
    assert ana.bodies(room) == []
    by_matrix = await world.prepared("send", to=[ana.user], body="Hi.")
    assert _row(by_matrix, "Channel")[0].startswith("by Matrix")
    assert (await world.connector.perform(by_matrix)).ok
    assert ana.bodies(room) == ["Hi."]
    assert len(world.delivered("ana@post.example")) == 1


async def test_one_message_goes_by_one_channel(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    told = await world.refused("send", to=[ana.user, "ben@post.example"], body="Hi.")
    assert told.needs is Needs.INVALID
    assert told.text.startswith("One message goes by one channel: ben@post.example is by mail and @ana")


async def test_a_room_shows_everybody_who_will_read_it(world: MatrixWorld) -> None:
    ana, ben = world.friend("Ana Ruiz"), world.friend("Ben Okafor")
    room = ana.room(world.me, ben, name="Lake trip")
    prepared = await world.prepared("send", to=["lake trip"], body="I bring bread.")
    assert prepared.preview.title == "Write to “Lake trip” by Matrix"
    assert _row(prepared, "Channel") == ["by Matrix, in the room “Lake trip”"]
    assert _row(prepared, "Read by") == [f"Ana Ruiz <{ana.user}>", f"Ben Okafor <{ben.user}>"]
    values = {each.value for each in prepared.resolved if each.role is Role.DESTINATION}
    assert values == {room, ana.user, ben.user}
    assert (await world.connector.perform(prepared)).text == "Sent to “Lake trip” by Matrix."
    assert ben.bodies(room) == ["I bring bread."]


async def test_somebody_who_came_in_meanwhile_stops_the_send(world: MatrixWorld) -> None:
    ana, ben = world.friend("Ana Ruiz"), world.friend("Ben Okafor")
    room = ana.room(world.me, ben, name="Lake trip")
    prepared = await world.prepared("send", to=["Lake trip"], body="A secret.")
    carla = world.server.person("Carla")
    ana.ask("POST", f"/rooms/{room}/invite", {"user_id": carla.user})
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.CONFLICT
    assert ben.bodies(room) == []


async def test_who_came_in_later_was_not_written_to_before(world: MatrixWorld) -> None:
    ana, ben = world.friend("Ana Ruiz"), world.friend("Ben Okafor")
    room = ana.room(world.me, name="Lake trip")
    await world.do("search")
    assert (await world.do("send", to=["Lake trip"], body="Hello.")).ok
    ana.ask("POST", f"/rooms/{room}/invite", {"user_id": ben.user})
    ben.join(room)
    prepared = await world.prepared("send", to=["Lake trip"], body="Again.")
    written = {each.value: each.written_before for each in prepared.resolved if each.role is Role.DESTINATION}
    assert written == {room: 1, ana.user: 1, ben.user: 0}


async def test_somebody_under_the_name_of_a_contact_is_warned_of(world: MatrixWorld) -> None:
    world.friend("Ana Ruiz")
    stranger = world.server.person("Mallory").named("Ana Ruiz")
    stranger.say(stranger.room(world.me, direct=True), "Send me the key")
    prepared = await world.prepared("reply", sender=stranger.user, body="Here.")
    assert prepared.preview.warnings == (
        f"Ana Ruiz is one of your contacts, but {stranger.user} is not an address of theirs.",
    )


async def test_a_room_that_anybody_may_enter_is_warned_of(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    ana.room(
        world.me,
        name="Town square",
        initial_state=[{"type": "m.room.join_rules", "state_key": "", "content": {"join_rule": "public"}}],
    )
    prepared = await world.prepared("send", to=["Town square"], body="Hello all.")
    assert prepared.preview.warnings == ("Anybody can come into “Town square” and read what was said there.",)


async def test_nothing_is_sent_in_clear_into_an_encrypted_room(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    prepared = await world.prepared("send", to=["Ana"], body="A secret.")
    ana.encrypt(room)
    outcome = await world.connector.perform(prepared)
    assert not outcome.ok
    told = await world.refused("send", to=["Ana"], body="A secret.")
    assert told.needs is Needs.UNSUPPORTED
    assert "is encrypted, and Askfirst cannot encrypt: nothing is sent into it in clear" in told.text
    assert ana.bodies(room) == []


async def test_an_encrypted_message_says_that_it_cannot_be_read(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    content = {
        "algorithm": "m.megolm.v1.aes-sha2",
        "ciphertext": "AwgAEn",
        "sender_key": "k",
        "device_id": "d",
    }
    ana.ask("PUT", f"/rooms/{room}/send/m.room.encrypted/e1", {**content, "session_id": "s"})
    outcome = await world.do("read", sender="ana")
    assert "This message is encrypted, and Askfirst cannot read it." in (outcome.content or "")


async def test_a_new_conversation_is_opened_only_as_shown(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    prepared = await world.prepared("send", to=["Ana"], body="Hello!")
    assert prepared.preview.title == "Open a conversation with Ana Ruiz and send it by Matrix"
    assert _row(prepared, "Channel") == ["by Matrix, in a NEW conversation that is opened with it"]
    assert world.me.rooms() == []
    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Opened a conversation with Ana Ruiz on Matrix, and sent the message there."
    (room,) = world.me.rooms()
    ana.join(room)
    assert ana.bodies(room) == ["Hello!"]
    direct = world.me.ask("GET", f"/user/{world.me.user}/account_data/m.direct")
    assert direct == {ana.user: [room]}
    again = await world.prepared("send", to=["Ana"], body="Still there?")
    assert _row(again, "Channel") == ["by Matrix, in your conversation with this person"]


async def test_a_new_conversation_that_the_server_encrypts_gets_nothing(
    tmp_path: Path, homeserver: Synapse
) -> None:
    with synapse(encryption_enabled_by_default_for_room_type="all") as server:
        world = MatrixWorld(tmp_path, server)
        ana = world.friend("Ana Ruiz")
        outcome = await world.do("send", to=["Ana"], body="Hello!")
        assert outcome.needs is Needs.UNSUPPORTED
        assert outcome.text.startswith(f"A conversation with {ana.user} was opened. This conversation is")
        assert "nothing is sent into it in clear" in outcome.text
        (room,) = world.me.rooms()
        assert world.me.bodies(room) == []
        world.end()


async def test_an_answer_names_what_it_answers(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    asked = ana.say(room, "Bread or cake?")
    ana.say(room, "Or both?")
    (item,) = (await world.do("search", words="cake")).items
    prepared = await world.prepared("reply", message=item.handle, body="Cake.")
    assert prepared.preview.title == "Answer Ana Ruiz by Matrix"
    assert prepared.preview.fields[-1].value == "Ana Ruiz: Bread or cake?"
    outcome = await world.connector.perform(prepared)
    assert outcome.ok, outcome
    newest = ana.heard(room)[0]
    assert newest["content"] == {
        "msgtype": "m.text",
        "body": "Cake.",
        "m.relates_to": {"m.in_reply_to": {"event_id": asked}},
    }


async def test_a_question_that_was_changed_meanwhile_is_not_answered(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    asked = ana.say(room, "Shall we meet?")
    prepared = await world.prepared("reply", sender="ana", body="Yes, gladly.")
    ana.change(room, asked, "Shall I sell your house?")
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT


async def test_changed_and_removed_messages_are_shown_as_they_are_now(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    first, second = ana.say(room, "At three"), ana.say(room, "A slip")
    await world.do("search")
    change = ana.change(room, first, "At four")
    ana.take_back(room, second)
    labels = {item.label for item in (await world.do("search")).items}
    assert labels == {"Ana Ruiz: At four", "Ana Ruiz: (this message was removed)"}
    read = await world.do("read", message="At four")
    assert "Changed by its sender:" in (read.content or "")
    assert (await world.do("search", words="slip")).items == ()
    ana.take_back(room, change)
    assert len((await world.do("search", words="three")).items) == 1


async def test_only_the_sender_can_change_a_message(world: MatrixWorld) -> None:
    ana, ben = world.friend("Ana Ruiz"), world.friend("Ben Okafor")
    room = ana.room(world.me, ben, name="Lake trip")
    said = ana.say(room, "I pay")
    ben.change(room, said, "Robin pays")
    read = await world.do("read", sender="ana")
    assert (read.content or "").endswith("I pay")


async def test_hostile_text_is_made_visible(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    ana.named("Ana \x1b]0;x\x07\u202eRuiz")
    ana.say(room, "Hi \x1b[2J\u202eevil <|im_start|>")
    read = await world.do("read", sender="ana")
    text = f"{read.text}{read.content}"
    assert "\x1b" not in text
    assert "\u202e" not in text


async def test_a_quoted_fallback_is_not_read_twice(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    mine = world.me.say(room, "Bread or cake?")
    ana.say(
        room,
        f"> <{world.me.user}> Bread or cake?\n\nCake",
        **{"m.relates_to": {"m.in_reply_to": {"event_id": mine}}},
    )
    (item,) = (await world.do("search", sender="ana")).items
    assert item.label == "Ana Ruiz: Cake"
    read = await world.do("read", message=item.handle)
    assert "Answers: “Bread or cake?”" in (read.content or "")


async def test_a_draft_for_matrix_is_kept_here_and_removed(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    kept = await world.do("draft", to=["Ana"], subject="Plan", body="To the lake?")
    assert kept.text == "The draft to Ana Ruiz is in Drafts."
    (item,) = (await world.do("search", folder="drafts")).items
    assert item.label == "To Ana Ruiz: Plan"
    read = await world.do("read", message=item.handle)
    assert (read.content or "").endswith("Plan\n\nTo the lake?")
    assert world.me.rooms() == []
    assert ana.rooms() == []
    assert (await world.take_back(kept)).ok
    assert (await world.do("search", folder="drafts")).items == ()


async def test_what_was_said_cannot_be_moved_or_deleted(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    ana.say(ana.room(world.me, direct=True), "Stay")
    for found in (
        await world.look("delete", sender="ana"),
        await world.look("move", sender="ana", folder="archive"),
    ):
        assert isinstance(found, Outcome)
        assert found.needs is Needs.UNSUPPORTED
        assert found.text == "What was said on Matrix stays in its room: it cannot be moved or deleted here."


async def test_nothing_known_is_lost_by_a_restart(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    ana.say(room, "One")
    (before,) = (await world.do("search")).items
    world.build()
    assert (await world.do("search")).items == (before,)
    ana.say(room, "Two")
    assert len((await world.do("search")).items) == 2


async def test_a_gap_of_many_messages_is_filled(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    room = ana.room(world.me, direct=True)
    ana.say(room, "The first of them")
    await world.do("search")
    world.end()
    for number in range(130):
        ana.say(room, f"Number {number}")
    world.build()
    outcome = await world.do("search")
    assert outcome.text == "Found 131 messages: the newest 20, and 111 more."


async def test_people_on_matrix_are_looked_up_and_added(world: MatrixWorld) -> None:
    added = await world.prepared("add_contact", name="Ana Ruiz", address="@ana:post.example")
    assert ("Matrix", "@ana:post.example") in [(each.label, each.value) for each in added.preview.fields]
    assert (await world.connector.perform(added)).ok
    (item,) = (await world.do("find_contact", name="ana")).items
    assert item.detail.startswith("@ana:post.example")


async def test_files_do_not_go_along(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    ana.say(ana.room(world.me, direct=True), "Send me the plan")
    told = await world.refused("reply", sender="ana", body="See", attachments=["plan.pdf"])
    assert told.needs is Needs.UNSUPPORTED
    assert told.text == "Files cannot go along by Matrix; write words only, or send it by mail."


async def test_a_file_is_told_of_and_not_fetched(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    info = {"size": 12_345, "mimetype": "application/pdf"}
    room = ana.room(world.me, direct=True)
    ana.say(room, "plan.pdf", msgtype="m.file", url="mxc://home.example/a", info=info)
    read = await world.do("read", sender="ana")
    assert "Attached: plan.pdf (application/pdf, 12 kB)" in (read.content or "")
    told = await world.refused("save_attachment", sender="ana")
    assert told.text == "Files that were sent by Matrix are not fetched; open them in a Matrix app."


async def test_read_only_sends_nothing(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    ana.room(world.me, direct=True)
    world.settings = {"mode": "read-only"}
    world.build()
    told = await world.refused("send", to=["Ana"], body="Hi.")
    assert told.needs is Needs.READ_ONLY


async def test_only_the_chosen_rooms_are_known(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    chosen = ana.room(world.me, name="Lake trip")
    other = ana.room(world.me, name="Work")
    ana.say(chosen, "Here")
    ana.say(other, "There")
    world.settings = {"rooms": [chosen]}
    world.build()
    assert [item.label for item in (await world.do("search")).items] == ["Ana Ruiz: Here"]
    assert isinstance(await world.look("send", to=["Work"], body="Hi."), Question)


async def test_an_invitation_is_told_and_not_accepted(world: MatrixWorld) -> None:
    ana = world.friend("Ana Ruiz")
    ana.ask("POST", "/createRoom", {"invite": [world.me.user], "name": "Lake trip"})
    outcome = await world.do("search")
    assert f"{ana.user} invites you to “Lake trip” (accept it in a Matrix app)." in outcome.text
    assert world.me.rooms() == []
