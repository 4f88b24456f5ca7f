"""Answers: to whom they go, in which thread, and what is to be looked at twice."""

import email
from email import policy
from typing import Any

import pytest

from connectors.base import Effect, Needs, Role


async def test_an_answer_goes_to_the_sender_in_the_thread(friends: Any) -> None:
    parent = friends.receive(
        "Ana Ruiz <ana@post.example>", "Friday", Message_ID="<p1@x>", References="<r1@x>"
    )
    prepared = await friends.prepared("reply", sender="Ana", body="Gladly!")

    assert prepared.effects == {Effect.SEND}
    assert prepared.preview.title == "Answer Ana Ruiz"
    assert [(each.label, each.value) for each in prepared.preview.fields[1:4]] == [
        ("To", "Ana Ruiz <ana@post.example>"),
        ("Subject", "Re: Friday"),
        ("Answers", "Ana Ruiz: Friday"),
    ]
    assert {(each.role, each.value) for each in prepared.resolved if each.argument == "message"} == {
        (Role.DESTINATION, "ana@post.example"),
        (Role.TARGET, parent),
    }
    outcome = await friends.connector.perform(prepared)

    assert outcome.ok
    letter = email.message_from_bytes(friends.delivered("ana@post.example")[0], policy=policy.default)
    assert (letter["In-Reply-To"], letter["References"]) == ("<p1@x>", "<r1@x> <p1@x>")
    assert letter["Subject"] == "Re: Friday"
    assert list(letter.iter_attachments()) == []
    assert letter.get_body().get_content() == "Gladly!\n"


async def test_of_several_messages_it_is_asked_which_to_answer(friends: Any) -> None:
    friends.receive(subject="one", days=1)
    second = friends.receive(subject="two", days=2)
    question = await friends.asked("reply", sender="Ana", body="Gladly!")

    assert question.argument == "message"
    prepared = await friends.prepared("reply", body="Gladly!", **question.options[1].arguments)
    assert prepared.payload["keep"] == second
    assert (await friends.prepared("reply", message="the last message", sender="Ana", body="x")).payload[
        "keep"
    ]


async def test_an_answer_without_words_asks_for_them(friends: Any) -> None:
    friends.receive()
    question = await friends.asked("reply", sender="Ana")
    assert (question.text, question.argument) == ("What should the answer to Ana Ruiz say?", "body")


async def test_an_answer_that_goes_elsewhere_is_warned_of(friends: Any) -> None:
    friends.receive("Ana Ruiz <ana@post.example>", Reply_To="Ana Ruiz <ana@evil.example>")
    prepared = await friends.prepared("reply", sender="Ana", body="x")

    assert [each.value for each in prepared.resolved if each.role is Role.DESTINATION] == ["ana@evil.example"]
    assert prepared.preview.warnings == (
        "The answer goes to ana@evil.example, not to ana@post.example.",
        "Ana Ruiz is one of your contacts, but ana@evil.example is not an address of theirs.",
    )


async def test_a_borrowed_name_is_warned_of(friends: Any) -> None:
    friends.receive("Ana Ruiz <eve@x.example>")
    prepared = await friends.prepared("reply", sender="Ana", body="x")

    assert prepared.preview.fields[1].note == "NEW address: never written to"
    assert prepared.preview.warnings == (
        "Ana Ruiz is one of your contacts, but eve@x.example is not an address of theirs.",
    )


async def test_a_subject_that_smuggles_a_header_is_one_line_in_the_answer(friends: Any) -> None:
    friends.receive_bytes(b"From: ana@post.example\nSubject: =?utf-8?q?hi=0D=0ABcc:_eve@x.example?=\n\nx")
    outcome = await friends.do("reply", sender="ana@post.example", body="x")

    assert outcome.ok
    letter = email.message_from_bytes(friends.delivered("ana@post.example")[0], policy=policy.default)
    assert letter["Bcc"] is None
    assert letter["Subject"] == "Re: hi Bcc: eve@x.example"


@pytest.mark.parametrize("sender", [b"undisclosed", "é@x.example".encode(), b"", b"<>"])
async def test_a_sender_without_an_address_cannot_be_answered(friends: Any, sender: bytes) -> None:
    friends.receive_bytes(b"From: " + sender + b"\nSubject: odd\n\nx")
    assert (await friends.refused("reply", message="odd", body="x")).needs is Needs.INVALID


async def test_ones_own_message_is_not_answered(friends: Any) -> None:
    friends.wrote("ana@post.example")
    assert (await friends.refused("reply", message="hello", body="x")).needs is Needs.INVALID


async def test_a_message_that_changes_before_the_answer_stops_it(friends: Any) -> None:
    friends.receive()
    prepared = await friends.prepared("reply", sender="Ana", body="x")
    (friends.mail / friends.files()[0]).write_bytes(b"From: eve@x.example\nSubject: Friday\n\nx")

    assert (await friends.connector.perform(prepared)).needs is Needs.CONFLICT
    assert not friends.post.exists()
