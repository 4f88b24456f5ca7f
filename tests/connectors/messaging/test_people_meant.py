"""Whom a message goes to: names become addresses only through contacts, and nothing is invented."""

from typing import Any

import pytest

from connectors.base import Needs, Role


def addresses(prepared: Any) -> list[str]:
    return [each.value for each in prepared.resolved if each.role is Role.DESTINATION]


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        (["Ana"], ["ana@post.example"]),
        (["ana ruiz"], ["ana@post.example"]),
        (["ana@post.example"], ["ana@post.example"]),
        (["Ana Ruiz <eve@x.example>"], ["eve@x.example"]),
        (["Ana", "ANA@post.example", "Ana Ruiz"], ["ana@post.example"]),
        (["Ana and Ben Ito"], ["ana@post.example", "ito@post.example"]),
        (["Ana, eve@x.example"], ["ana@post.example", "eve@x.example"]),
        ("Ana", ["ana@post.example"]),
        (["me"], ["robin@home.example"]),
    ],
)
async def test_people_become_addresses(friends: Any, to: Any, expected: list[str]) -> None:
    assert addresses(await friends.prepared("send", to=to, body="x")) == expected


async def test_of_several_contacts_it_is_asked_and_the_others_stay(friends: Any) -> None:
    friends.wrote("ito@post.example")
    question = await friends.asked("send", to=["Ana", "Ben"], body="x")

    assert question.text == "Which address of “Ben” is meant?"
    assert [(option.label, option.detail) for option in question.options] == [
        ("Ben Ito <ito@post.example>", "written to before: 1"),
        ("Ben Okafor <ben@okafor.example>", "NEW address: never written to"),
    ]
    picked = await friends.prepared("send", body="x", **question.options[0].arguments)
    assert addresses(picked) == ["ana@post.example", "ito@post.example"]


async def test_of_several_addresses_it_is_asked(friends: Any) -> None:
    question = await friends.asked("send", to=["Carla Nowak"], body="x")
    assert [option.arguments["to"] for option in question.options] == [
        ["carla@home.example"],
        ["carla@studio.example"],
    ]


async def test_an_unknown_name_asks_for_an_address_and_offers_none(friends: Any) -> None:
    question = await friends.asked("send", to=["Dora"], body="x")

    assert question.text == "“Dora” is not in your contacts. What is the address?"
    assert (question.options, question.argument) == ((), "to")
    assert addresses(await friends.prepared("send", to="dora@x.example", body="x")) == ["dora@x.example"]


async def test_among_several_an_unknown_name_asks_for_all_of_them(friends: Any) -> None:
    question = await friends.asked("send", to=["Ana", "Dora"], body="x")
    assert question.text.endswith("Whom should it go to? Name all of them, with commas between.")

    typed = await friends.prepared("send", to="Ana, dora@x.example", body="x")
    assert addresses(typed) == ["ana@post.example", "dora@x.example"]


async def test_people_seen_in_the_mailbox_are_offered_but_never_taken(friends: Any) -> None:
    friends.receive("Sam Lee <sam@post.example>")
    friends.receive("Sam Lee <eve@x.example>")
    friends.wrote("Sam Lee <sam@post.example>")
    question = await friends.asked("send", to=["Sam"], body="x")

    assert [(option.label, option.detail) for option in question.options] == [
        ("Sam Lee <sam@post.example>", "written to before: 1"),
        ("Sam Lee <eve@x.example>", "NEW address: never written to"),
    ]


async def test_a_contact_without_an_address_is_said(friends: Any) -> None:
    friends.book.add("Dora Lind", (), ("+45 1",))
    question = await friends.asked("send", to=["Dora"], body="x")
    assert question.text == "Your contacts have no e-mail address for “Dora”. What is the address?"


async def test_a_name_that_looks_like_an_address_is_not_shown_as_one(friends: Any) -> None:
    friends.receive('"ana@post.example" <eve@x.example>', "odd")
    prepared = await friends.prepared("reply", message="odd", body="x")
    assert prepared.preview.fields[1].value == "eve@x.example"


async def test_only_what_is_in_sent_counts_as_written_before(friends: Any) -> None:
    friends.receive("Eve <eve@x.example>", to="robin@home.example")
    moved = await friends.refused("move", sender="Eve", folder="Sent")
    assert moved.needs is Needs.INVALID

    prepared = await friends.prepared("send", to=["eve@x.example"], body="x")
    assert [each.written_before for each in prepared.resolved if each.role is Role.DESTINATION] == [0]


# Contacts


async def test_a_contact_is_found(friends: Any) -> None:
    outcome = await friends.do("find_contact", name="ben")
    assert outcome.text == "Found 2 contacts."
    assert sorted((item.label, item.detail) for item in outcome.items) == [
        ("Ben Ito", "ito@post.example"),
        ("Ben Okafor", "ben@okafor.example"),
    ]
    assert all(item.handle.startswith("contact:") for item in outcome.items)
    assert (await friends.do("find_contact", name="Dora")).text == "“Dora” is not in your contacts."
    assert (await friends.asked("find_contact")).argument == "name"


async def test_a_contact_is_added_and_taken_back(friends: Any) -> None:
    prepared = await friends.prepared(
        "add_contact", name="Dora Lind", address="dora@x.example", phone="+45 1"
    )
    assert friends.book.find("Dora") == ()

    outcome = await friends.connector.perform(prepared)
    assert outcome.text == "Dora Lind is now in your contacts."
    (dora,) = friends.book.find("Dora")
    assert (dora.addresses, dora.phones) == (("dora@x.example",), ("+45 1",))
    assert (await friends.take_back(outcome)).ok
    assert friends.book.find("Dora") == ()
    assert len(friends.book.contacts()) == 4


async def test_what_is_missing_or_wrong_about_a_contact_is_asked(friends: Any) -> None:
    assert (await friends.asked("add_contact", address="a@b.example")).argument == "name"
    assert (await friends.asked("add_contact", name="Dora")).argument == "address"
    assert (await friends.asked("add_contact", name="Dora", address="dora at x")).argument == "address"
    assert (await friends.refused("add_contact", name="Do\nra", phone="1")).needs is Needs.INVALID


async def test_a_namesake_is_warned_of(friends: Any) -> None:
    prepared = await friends.prepared("add_contact", name="Ana Ruiz", address="eve@x.example")
    assert prepared.preview.warnings == (
        "There is Ana Ruiz in your contacts already, with ana@post.example.",
    )

    friends.book.add("Ana Ruiz", ("third@x.example",), ())
    assert (await friends.connector.perform(prepared)).needs is Needs.CONFLICT


async def test_a_contact_that_changed_is_not_removed(friends: Any) -> None:
    outcome = await friends.do("add_contact", name="Dora", phone="1")
    friends.book.remove(friends.book.find("Dora")[0].handle)
    assert (await friends.take_back(outcome)).needs is Needs.CONFLICT
