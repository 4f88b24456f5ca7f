"""People known only from Sent: counted, found after the contacts and marked, never taken for a contact."""

from typing import Any

import pytest

from connectors.base import Role
from connectors.messaging.acquaintances import Acquaintances
from connectors.messaging.maildir.index import Index
from connectors.messaging.maildir.mailbox import Mailbox


def found(outcome: Any) -> list[tuple[str, str]]:
    return [(item.label, item.detail) for item in outcome.items]


async def test_somebody_written_to_is_found_and_said_to_be_no_contact(friends: Any) -> None:
    friends.wrote("Sam Lee <sam@post.example>", times=3)
    outcome = await friends.do("find_contact", name="sam")
    assert outcome.text == "“sam” is not in your contacts, but you have written to 1 person of that name."
    assert found(outcome) == [("Sam Lee", "sam@post.example; written to before: 3, not in your contacts")]


async def test_contacts_come_first_and_are_not_listed_twice(friends: Any) -> None:
    friends.wrote("Ben Adler <adler@post.example>", times=5)
    friends.wrote("Ben Okafor <ben@okafor.example>")
    outcome = await friends.do("find_contact", name="ben")
    assert outcome.text == "Found 2 contacts, and 1 person more you have written to."
    assert [label for label, _ in found(outcome)] == ["Ben Ito", "Ben Okafor", "Ben Adler"]


async def test_a_contact_of_that_name_is_who_is_meant_although_another_was_written_to(friends: Any) -> None:
    friends.wrote("Ana Ruiz <eve@x.example>", times=9)
    prepared = await friends.prepared("send", to=["Ana Ruiz"], body="x")
    assert [each.value for each in prepared.resolved if each.role is Role.DESTINATION] == ["ana@post.example"]


async def test_somebody_only_written_to_is_asked_about_and_never_taken(friends: Any) -> None:
    friends.wrote("Sam Lee <sam@post.example>")
    question = await friends.asked("send", to=["Sam"], body="x")
    assert [option.detail for option in question.options] == ["written to before: 1"]


async def test_who_was_found_can_be_written_to_by_handle(friends: Any) -> None:
    friends.wrote("Sam Lee <sam@post.example>")
    (item,) = (await friends.do("find_contact", name="Sam")).items
    prepared = await friends.prepared("send", to=[item.handle], body="x")
    (to,) = [each for each in prepared.resolved if each.role is Role.DESTINATION]
    assert (to.value, to.written_before) == ("sam@post.example", 1)


async def test_whoever_only_wrote_to_the_person_is_nobody_they_know(friends: Any) -> None:
    friends.receive("Eve Black <eve@x.example>")
    outcome = await friends.do("find_contact", name="Eve")
    assert (outcome.text, outcome.items) == ("“Eve” is not in your contacts.", ())


async def test_what_stands_in_sent_can_not_forge_a_line(friends: Any) -> None:
    friends.wrote('"Sam\u202e Lee" <sam@post.example>')
    friends.wrote("Sam <not-an-address>")
    outcome = await friends.do("find_contact", name="sam@post.example")
    assert [item.label for item in outcome.items] == ["Sam⟨U+202E⟩ Lee"]
    assert (await friends.do("find_contact", name="not-an-address")).items == ()


async def test_the_most_written_to_come_first_and_many_are_counted(friends: Any) -> None:
    for number in range(25):
        friends.wrote(f"Sam {number} <sam{number}@post.example>", times=1 + (number == 7))
    outcome = await friends.do("find_contact", name="Sam")
    assert "25 people of that name. The first 20 are shown." in outcome.text
    assert len(outcome.items) == 20
    assert outcome.items[0].label == "Sam 7"


class Counting(Mailbox):
    """A mailbox that counts how many messages are opened."""

    opened = 0

    def head(self, entry: Any) -> bytes:
        self.opened += 1
        return super().head(entry)


@pytest.fixture
def watched(friends: Any) -> tuple[Counting, Acquaintances]:
    mailbox = Counting(friends.mail)
    return mailbox, Acquaintances(Index(mailbox, friends.root / "watched.db"))


def test_only_a_message_that_is_new_is_opened(friends: Any, watched: tuple[Counting, Acquaintances]) -> None:
    mailbox, written = watched
    friends.wrote("Sam Lee <sam@post.example>", times=20)
    assert written.counts() == {"sam@post.example": 20}
    assert mailbox.opened == 20
    friends.wrote("Sam Lee <sam@post.example>")
    assert written.counts() == {"sam@post.example": 21}
    assert mailbox.opened == 21


def test_a_message_that_is_gone_counts_no_more(friends: Any, watched: tuple[Counting, Acquaintances]) -> None:
    _, written = watched
    friends.wrote("Sam Lee <sam@post.example>", times=2)
    assert written.counts() == {"sam@post.example": 2}
    for path in (friends.mail / ".Sent" / "cur").iterdir():
        path.unlink()
    assert written.counts() == {}
    assert written.find("Sam") == ()


def test_the_name_is_that_of_the_newest_message(
    friends: Any, watched: tuple[Counting, Acquaintances]
) -> None:
    _, written = watched
    me = "Robin Vale <robin@home.example>"
    friends.receive(me, folder="Sent", to="Sam Old <sam@post.example>", days=9)
    friends.receive(me, folder="Sent", to="Sam New <SAM@post.example>", days=1)
    friends.receive(me, folder="Sent", to="sam@post.example", days=0.5)
    assert [each.name for each in written.find("sam@post.example")] == ["Sam New"]


def test_one_message_to_many_counts_once_for_each(
    friends: Any, watched: tuple[Counting, Acquaintances]
) -> None:
    _, written = watched
    friends.wrote("a@x.example, A <A@x.example>, b@x.example")
    assert written.counts() == {"a@x.example": 1, "b@x.example": 1}
