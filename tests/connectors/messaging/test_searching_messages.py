"""Searching: what is found, by what words, and what a look does not change."""

from typing import Any

import pytest

from connectors.base import Effect, Needs


def labels(outcome: Any) -> list[str]:
    return [item.label for item in outcome.items]


async def test_an_empty_place_is_searched_and_stays_empty(world: Any) -> None:
    outcome = await world.do("search", words="invoice")

    assert outcome.ok
    assert outcome.text == "No message about “invoice” was found."
    assert not world.mail.exists()


async def test_messages_are_listed_newest_first_with_their_handles(world: Any) -> None:
    world.receive("Carla Nowak <carla@studio.example>", "Invoice November", days=26)
    newer = world.receive("Carla Nowak <carla@studio.example>", "Reminder: invoice", days=1)
    world.receive(subject="Friday", days=2)

    outcome = await world.do("search", words="invoice")

    assert outcome.text == "Found 2 messages."
    assert labels(outcome) == ["Carla Nowak: Reminder: invoice", "Carla Nowak: Invoice November"]
    assert outcome.items[0].handle == newer
    assert outcome.items[0].detail == "Sun 29 Nov 2026 10:00 Europe/Copenhagen, unread"


async def test_words_are_found_in_the_text_without_case_and_accents(world: Any) -> None:
    world.receive(subject="Hello", body="The Café is closed. The meetings moved.")
    world.receive(subject="会议通知", body="明天项目会议改到下午")

    assert len((await world.do("search", words="cafe MEETING")).items) == 1
    assert labels(await world.do("search", words="会议")) == ["Ana Ruiz: 会议通知"]
    assert labels(await world.do("search", words="项目")) == ["Ana Ruiz: 会议通知"]
    assert (await world.do("search", words="afe")).items == ()


async def test_a_sender_is_a_name_an_address_or_a_contact(friends: Any) -> None:
    friends.receive("Ana Ruiz <ana@post.example>", "one")
    friends.receive("Annabel <annabel@x.example>", "two")
    friends.receive("C. N. <carla@home.example>", "three")

    assert labels(await friends.do("search", sender="Ana")) == ["Ana Ruiz: one"]
    assert labels(await friends.do("search", sender="ANNABEL@x.example")) == ["Annabel: two"]
    assert labels(await friends.do("search", sender="Carla")) == ["C. N.: three"]


async def test_a_time_is_understood_as_past(world: Any) -> None:
    world.receive(subject="new", days=0.1)
    world.receive(subject="older", days=1)
    world.receive(subject="oldest", days=9)

    prepared = await world.prepared("search", when="yesterday")
    came = next(field for field in prepared.preview.fields if field.label == "Came")
    assert came.value == "Sun 29 Nov 2026"
    assert labels(await world.connector.perform(prepared)) == ["Ana Ruiz: older"]
    assert labels(await world.do("search", when="last week")) == ["Ana Ruiz: older"]


async def test_a_time_has_two_sides(world: Any) -> None:
    world.receive(subject="today", days=0.1)
    world.receive(subject="then", days=5)
    world.receive(subject="long ago", days=400)

    assert labels(await world.do("search", when="after 25 november")) == ["Ana Ruiz: today"]
    assert labels(await world.do("search", when="before 25 november")) == ["Ana Ruiz: long ago"]
    assert (await world.asked("search", when="before the flood")).argument == "when"


async def test_a_time_that_is_none_is_asked_about(world: Any) -> None:
    question = await world.asked("search", when="when pigs fly")
    assert question.argument == "when"


async def test_unread_and_folders_narrow_the_search(world: Any) -> None:
    world.receive(subject="read", flags="S")
    world.receive(subject="unread")
    world.receive(subject="kept", folder="Archive.2024", flags="S")
    world.receive(subject="thrown away", folder="Trash", flags="S")
    world.receive(subject="win money", folder="Junk")

    assert labels(await world.do("search", unread=True)) == ["Ana Ruiz: unread"]
    assert labels(await world.do("search", words="unread mails")) == ["Ana Ruiz: unread"]
    assert sorted(labels(await world.do("search"))) == [
        "Ana Ruiz: kept",
        "Ana Ruiz: read",
        "Ana Ruiz: unread",
    ]
    assert labels(await world.do("search", folder="archive/2024")) == ["Ana Ruiz: kept"]
    assert labels(await world.do("search", folder="the trash")) == ["Ana Ruiz: thrown away"]
    assert (await world.do("search", words="money")).items == ()


async def test_an_unknown_folder_is_asked_about(world: Any) -> None:
    world.receive(folder="Receipts", flags="S")
    question = await world.asked("search", folder="bills")

    assert "Receipts" in [option.label for option in question.options]
    picked = next(option for option in question.options if option.label == "Receipts")
    assert len((await world.do("search", **picked.arguments)).items) == 1


async def test_ones_own_messages_are_found_where_no_other_is(friends: Any) -> None:
    friends.receive(
        "Robin <robin@home.example>", "Keys", folder="Sent", flags="S", to="Ana Ruiz <ana@post.example>"
    )
    friends.receive(subject="Friday")

    assert labels(await friends.do("search", words="keys")) == ["To Ana Ruiz: Keys"]
    assert labels(await friends.do("search")) == ["Ana Ruiz: Friday"]


async def test_at_most_twenty_are_listed_and_the_rest_is_counted(world: Any) -> None:
    for number in range(23):
        world.receive(subject=f"number {number}", days=number + 1)
    outcome = await world.do("search")

    assert len(outcome.items) == 20
    assert outcome.text == "Found 23 messages: the newest 20, and 3 more."
    assert labels(outcome)[0] == "Ana Ruiz: number 0"


async def test_a_search_reads_only_and_marks_nothing(world: Any) -> None:
    world.receive()
    before = world.files()
    prepared = await world.prepared("search")

    await world.connector.perform(prepared)

    assert prepared.effects == {Effect.READ}
    assert world.files() == before


async def test_foreign_text_is_clean(world: Any) -> None:
    world.receive_bytes(
        b"From: =?utf-8?q?Eve=1b]0;x=07?= <eve@x.example>\nSubject: =?utf-8?b?4oCuYWJj?= [/b]\n\nx"
    )
    outcome = await world.do("search")

    assert labels(outcome) == ["Eve⟨U+001B⟩]0;x⟨U+0007⟩: ⟨U+202E⟩abc [/b]"]


async def test_a_message_from_the_future_is_not_the_newest(world: Any) -> None:
    world.receive(subject="forged", days=-4000)
    world.receive(subject="true", days=-0.01)
    outcome = await world.do("search")

    assert labels(outcome) == ["Ana Ruiz: true", "Ana Ruiz: forged"]


@pytest.mark.parametrize(
    "data",
    [b"", b"\0\xff\xfe", b"Subject: " + b"x" * 200_000 + b"\n\n", b"no header at all"],
    ids=["empty", "bytes", "long", "bare"],
)
async def test_one_broken_message_hides_nothing(world: Any, data: bytes) -> None:
    world.receive(subject="fine")
    world.receive_bytes(data)
    outcome = await world.do("search")

    assert "Ana Ruiz: fine" in labels(outcome)
    assert len(outcome.items) == 2
    assert all(len(item.label) < 400 for item in outcome.items)


async def test_a_mailbox_that_cannot_be_read_is_not_an_empty_one(world: Any) -> None:
    world.receive()
    (world.mail / "cur").rmdir()
    (world.mail / "cur").write_text("not a folder")
    prepared = await world.prepared("search")
    outcome = await world.connector.perform(prepared)

    assert not outcome.ok
    assert outcome.needs is Needs.UNAVAILABLE
