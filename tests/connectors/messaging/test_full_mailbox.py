"""A mailbox with a quota: what does not fit is said before anything leaves, with what could go."""

from typing import Any

from connectors.base import Needs


async def fill(world: Any, **config: int) -> list[str]:
    world.build(**config)
    return [
        world.receive("Corner Books <news@books.example>", "Catalogue", days=60, flags="S"),
        world.receive("Carla Nowak <carla@studio.example>", "Invoice November", days=26),
        world.receive("Robin <robin@home.example>", "Keys", days=12, folder="Sent", flags="S"),
    ]


async def test_a_full_mailbox_is_said_with_what_could_go_oldest_first(friends: Any) -> None:
    handles = await fill(friends, most_messages=3)
    outcome = await friends.refused("send", to=["Ana"], body="hi")

    assert outcome.needs is Needs.MAILBOX_FULL
    assert [item.handle for item in outcome.items] == handles
    assert outcome.items[0].label == "Corner Books: Catalogue"
    assert outcome.items[0].detail.startswith("Thu 1 Oct 2026 10:00 Europe/Copenhagen, ")
    assert outcome.items[0].detail.endswith(" bytes")
    assert outcome.text == (
        "The mailbox is full: it holds 3 messages and has room for 3. "
        "A message must go before another can come in."
    )


async def test_after_one_went_to_the_trash_the_message_fits(friends: Any) -> None:
    await fill(friends, most_messages=3)
    full = await friends.refused("send", to=["Ana"], body="hi")
    assert (await friends.do("delete", message=full.items[0].handle)).ok

    assert (await friends.do("send", to=["Ana"], body="hi")).ok
    assert len(friends.files("Sent")) == 2
    assert (await friends.refused("send", to=["Ana"], body="hi")).needs is Needs.MAILBOX_FULL


async def test_a_mailbox_that_fills_up_in_between_stops_the_send(friends: Any) -> None:
    await fill(friends, most_messages=4)
    prepared = await friends.prepared("send", to=["Ana"], body="hi")
    friends.receive()

    assert (await friends.connector.perform(prepared)).needs is Needs.MAILBOX_FULL
    assert not friends.post.exists()


async def test_bytes_are_counted_too(friends: Any) -> None:
    await fill(friends, most_bytes=2_000)
    assert (await friends.prepared("send", to=["Ana"], body="hi")).preview
    assert (await friends.refused("send", to=["Ana"], body="long " * 400)).needs is Needs.MAILBOX_FULL
    assert (await friends.refused("draft", to=["Ana"], body="long " * 400)).needs is Needs.MAILBOX_FULL


async def test_at_most_eight_are_named_and_what_is_needed_or_flagged_is_not(friends: Any) -> None:
    friends.build(most_messages=12)
    parent = friends.receive("Ana Ruiz <ana@post.example>", "Friday", days=90)
    friends.receive(subject="precious", days=80, flags="FS")
    for number in range(10):
        friends.receive("Shop <shop@x.example>", f"offer {number}", days=70 - number)
    outcome = await friends.refused("reply", sender="Ana", message="friday", body="hi")

    assert [item.label for item in outcome.items] == [f"Shop: offer {number}" for number in range(8)]
    assert parent not in [item.handle for item in outcome.items]


async def test_offline_comes_before_full(friends: Any) -> None:
    await fill(friends, most_messages=3)
    friends.online = False
    assert (await friends.refused("send", to=["Ana"], body="hi")).needs is Needs.OFFLINE


async def test_without_a_quota_nothing_is_full(friends: Any) -> None:
    for number in range(30):
        friends.receive(subject=str(number))
    assert (await friends.do("send", to=["Ana"], body="hi")).ok
