"""Sending and answering: to whom, exactly what, at most once, and what is said of it afterwards."""

import asyncio
import email
from collections.abc import Sequence
from email import policy
from typing import Any

import pytest

from connectors.base import Effect, Needs, Role
from connectors.messaging.maildir.mailbox import Mailbox
from connectors.messaging.transport import Delivery, NoTransport, Obstacle


class Broken:
    """A transport that does something else with each message."""

    def __init__(self, *, error: Exception | None = None, delivery: Delivery | None = None) -> None:
        self.error = error
        self.delivery = delivery or Delivery()
        self.sent: list[bytes] = []

    async def obstacle(self) -> Obstacle | None:
        return None

    async def send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
        self.sent.append(message)
        if self.error:
            raise self.error
        return self.delivery


async def test_a_send_is_shown_whole_and_does_just_that(friends: Any) -> None:
    friends.wrote("ana@post.example", times=3)
    prepared = await friends.prepared("send", to=["Ana"], subject="Friday", body="At noon?\n\nRobin")

    assert prepared.effects == {Effect.SEND}
    assert prepared.undo is None
    assert prepared.preview.title == "Send a message to Ana Ruiz"
    assert prepared.preview.body == "At noon?\n\nRobin"
    assert [(each.label, each.value, each.note) for each in prepared.preview.fields] == [
        ("From", "Robin Vale <robin@home.example>", ""),
        ("To", "Ana Ruiz <ana@post.example>", "written to before: 3"),
        ("Subject", "Friday", ""),
        ("Copy", "kept in Sent", ""),
    ]
    (destination,) = [each for each in prepared.resolved if each.role is Role.DESTINATION]
    assert (destination.argument, destination.value, destination.written_before) == (
        "to",
        "ana@post.example",
        3,
    )
    assert friends.delivered("ana@post.example") == []

    outcome = await friends.connector.perform(prepared)

    assert outcome.ok
    assert outcome.undo is None
    assert outcome.text == "Sent to Ana Ruiz <ana@post.example>. A copy is in Sent."
    (data,) = friends.delivered("ana@post.example")
    assert data.decode() == prepared.payload["message"]
    letter = email.message_from_bytes(data, policy=policy.default)
    assert letter.get_body().get_content() == "At noon?\n\nRobin\n"
    assert len(friends.files("Sent")) == 4


async def test_an_address_never_written_to_is_called_new(friends: Any) -> None:
    prepared = await friends.prepared("send", to=["ana@post.example", "eve@x.example"], body="hi")

    assert [each.value for each in prepared.preview.fields if each.label == "To"] == [
        "Ana Ruiz <ana@post.example>",
        "eve@x.example",
    ]
    assert {each.note for each in prepared.preview.fields if each.label == "To"} == {
        "NEW address: never written to"
    }
    assert [each.written_before for each in prepared.resolved if each.role is Role.DESTINATION] == [0, 0]
    assert prepared.preview.title == "Send a message to Ana Ruiz and eve@x.example"


async def test_without_a_subject_none_is_made_up(friends: Any) -> None:
    prepared = await friends.prepared("send", to=["Ana"], body="hi")
    assert next(each.value for each in prepared.preview.fields if each.label == "Subject") == "(none)"

    await friends.connector.perform(prepared)
    assert email.message_from_bytes(friends.delivered("ana@post.example")[0])["Subject"] is None


async def test_what_is_missing_is_asked(friends: Any) -> None:
    assert (await friends.asked("send", body="hi")).argument == "to"
    question = await friends.asked("send", to=["Ana"])
    assert (question.text, question.argument) == ("What should the message to Ana Ruiz say?", "body")


@pytest.mark.parametrize(
    "arguments",
    [
        {"to": ["ana@post.example"], "subject": "a\r\nBcc: eve@example.org", "body": "x"},
        {"to": ["ana@post.example"], "subject": "a\x00", "body": "x"},
        {"to": ["ana@post.example"], "body": "half a \ud83d character"},
    ],
)
async def test_a_hostile_header_is_refused_before_anything_is_asked(friends: Any, arguments: Any) -> None:
    assert (await friends.refused("send", **arguments)).needs is Needs.INVALID


@pytest.mark.parametrize(
    "to", ["eve@x.example\r\nBcc: e@x.example", "аna@post.example", "ana@post.example eve@x.example"]
)
async def test_what_is_no_plain_address_is_asked_about(friends: Any, to: str) -> None:
    assert (await friends.asked("send", to=[to], body="x")).argument == "to"


async def test_hidden_characters_in_the_text_are_visible_and_sent_as_they_are(friends: Any) -> None:
    prepared = await friends.prepared("send", to=["Ana"], body="a\u202eb \u200dc")
    assert prepared.preview.body == "a⟨U+202E⟩b ⟨U+200D⟩c"

    await friends.connector.perform(prepared)
    letter = email.message_from_bytes(friends.delivered("ana@post.example")[0], policy=policy.default)
    assert letter.get_body().get_content() == "a\u202eb \u200dc\n"


async def test_offline_is_said_before_and_at_the_act(friends: Any) -> None:
    prepared = await friends.prepared("send", to=["Ana"], body="hi")
    friends.online = False

    assert (await friends.refused("send", to=["Ana"], body="hi")).needs is Needs.OFFLINE
    assert (await friends.connector.perform(prepared)).needs is Needs.OFFLINE
    assert friends.files("Sent") == []

    friends.online = True
    assert (await friends.connector.perform(prepared)).ok
    assert len(friends.delivered("ana@post.example")) == 1


async def test_without_an_account_a_draft_is_named_and_nothing_is_done(friends: Any) -> None:
    friends.transport = NoTransport()
    friends.build()
    outcome = await friends.refused("send", to=["nobody known"])

    assert outcome.needs is Needs.ACCOUNT
    assert "draft" in outcome.text
    assert not friends.mail.exists()
    assert (
        await friends.prepared("draft", to=["Ana"], body="hi")
    ).preview.title == "Keep a draft to Ana Ruiz"


async def test_without_an_address_of_ones_own_nothing_is_sent(friends: Any) -> None:
    friends.build(address="")
    assert (await friends.refused("send", to=["Ana"], body="hi")).needs is Needs.ACCOUNT


async def test_the_same_approval_is_sent_once_however_often_it_is_tried(friends: Any) -> None:
    prepared = await friends.prepared("send", to=["Ana"], body="hi")
    first, *others = await asyncio.gather(*(friends.connector.perform(prepared) for _ in range(4)))
    friends.build()
    others.append(await friends.connector.perform(prepared))

    assert [first.ok, *(each.ok for each in others)].count(True) == 1
    assert len(friends.delivered("ana@post.example")) == 1
    assert others[-1].text == "This very message has been sent already; it was not sent again."


async def test_what_is_found_in_sent_is_not_sent_again_though_the_outbox_was_lost(friends: Any) -> None:
    prepared = await friends.prepared("send", to=["Ana"], body="hi")
    await friends.connector.perform(prepared)
    for record in (friends.state / "outbox").iterdir():
        record.unlink()

    assert (await friends.connector.perform(prepared)).needs is Needs.INVALID
    assert len(friends.delivered("ana@post.example")) == 1


async def test_a_message_id_belongs_to_one_call_and_names_no_machine(friends: Any) -> None:
    first = await friends.prepared("send", to=["Ana"], body="hi")
    second = await friends.prepared("send", to=["Ana"], body="hi")
    ids = [email.message_from_string(str(each.payload["message"]))["Message-ID"] for each in (first, second)]

    assert ids[0] != ids[1]
    assert all(each.endswith("@home.example>") for each in ids)


@pytest.mark.parametrize("error", [TimeoutError(), ConnectionResetError(104, "reset"), RuntimeError("odd")])
async def test_a_send_without_an_answer_is_unknown_and_never_tried_again(
    friends: Any, error: Exception
) -> None:
    friends.transport = Broken(error=error)
    friends.build()
    prepared = await friends.prepared("send", to=["Ana"], body="hi")

    for _ in range(2):
        outcome = await friends.connector.perform(prepared)
        assert outcome.needs is Needs.TIMEOUT
        assert "not known whether" in outcome.text
    assert len(friends.transport.sent) == 1


async def test_a_transport_that_hangs_is_given_up(friends: Any) -> None:
    class Hanging(Broken):
        async def send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
            await asyncio.Event().wait()
            return Delivery()

    friends.transport = Hanging()
    friends.build(send_timeout=0.01)
    prepared = await friends.prepared("send", to=["Ana"], body="hi")

    assert (await friends.connector.perform(prepared)).needs is Needs.TIMEOUT


async def test_a_cancelled_send_is_not_tried_again(friends: Any) -> None:
    started = asyncio.Event()

    class Hanging(Broken):
        async def send(self, message: bytes, recipients: Sequence[str]) -> Delivery:
            started.set()
            await asyncio.Event().wait()
            return Delivery()

    friends.transport = Hanging()
    friends.build()
    prepared = await friends.prepared("send", to=["Ana"], body="hi")
    task = asyncio.create_task(friends.connector.perform(prepared))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert (await friends.connector.perform(prepared)).needs is Needs.TIMEOUT


async def test_refused_addresses_are_named(friends: Any) -> None:
    friends.transport = Broken(delivery=Delivery((("ben@okafor.example", "550 no such\x1buser"),)))
    friends.build()
    outcome = await friends.do("send", to=["Ana", "Ben Okafor"], body="hi")

    assert outcome.ok
    assert outcome.text == (
        "Sent to Ana Ruiz <ana@post.example>. A copy is in Sent. "
        "Not accepted for Ben Okafor <ben@okafor.example>: 550 no such⟨U+001B⟩user."
    )


async def test_where_all_are_refused_nothing_was_sent_and_it_may_be_tried_again(friends: Any) -> None:
    transport = Broken(delivery=Delivery((("ana@post.example", "550 no"),)))
    friends.transport = transport
    friends.build()
    prepared = await friends.prepared("send", to=["Ana"], body="hi")
    outcome = await friends.connector.perform(prepared)

    assert (outcome.ok, outcome.needs) == (False, Needs.INVALID)
    assert friends.files("Sent") == []
    transport.delivery = Delivery()
    assert (await friends.connector.perform(prepared)).ok


async def test_a_copy_that_cannot_be_kept_is_told(friends: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    friends.transport = Broken()
    friends.build()
    prepared = await friends.prepared("send", to=["Ana"], body="hi")

    def full(self: Mailbox, *_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Mailbox, "deliver", full)
    outcome = await friends.connector.perform(prepared)

    assert outcome.ok
    assert outcome.text.endswith("No copy could be kept in Sent (No space left on device).")
    assert (await friends.connector.perform(prepared)).needs is Needs.INVALID


async def test_without_room_for_the_record_nothing_is_sent(
    friends: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    friends.transport = Broken()
    friends.build()
    prepared = await friends.prepared("send", to=["Ana"], body="hi")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    outcome = await friends.connector.perform(prepared)

    assert outcome.needs is Needs.NO_SPACE
    assert friends.transport.sent == []


async def test_a_contact_that_changes_in_between_stops_the_send(friends: Any) -> None:
    prepared = await friends.prepared("send", to=["Ana"], body="hi")
    friends.book.remove(friends.book.find("Ana")[0].handle)
    friends.book.add("Ana Ruiz", ("eve@x.example",), ())

    assert (await friends.connector.perform(prepared)).needs is Needs.CONFLICT
    assert not friends.post.exists()
