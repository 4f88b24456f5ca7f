"""Contacts on a server as the mail service uses them: found, added where it is shown, taken back, refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Needs, Outcome, Role
from connectors.messaging.accounts import messaging
from connectors.messaging.config import Config
from connectors.people import AddressBook
from connectors.secrets.chain import Secrets
from tests.connectors.calendar_servers import PASSWORD, USER, CalendarServer
from tests.connectors.faults import Fault, FaultProxy

ANA = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:ana\r\nN:;;;;\r\nFN:Ana Ruiz\r\nEMAIL:{}\r\nEND:VCARD\r\n"


@pytest.fixture
def books(radicale: CalendarServer) -> CalendarServer:
    books = radicale.of_books
    books.clear()
    books.make_book("friends", "Friends")
    put(books, "ana@server.example")
    return books


def put(books: CalendarServer, address: str) -> None:
    books.ask("PUT", "friends/ana.vcf", ANA.format(address), {"Content-Type": "text/vcard"})


@pytest.fixture
def account(world: Any, books: CalendarServer, proxy: FaultProxy) -> Iterator[Any]:
    """A world whose people are also on a server, behind a proxy."""
    settings = {
        "url": f"http://127.0.0.1:{proxy.port}/",
        "user": USER,
        "password": {"environment": "PASSWORD"},
        "fresh": 0,
        "timeout": 1,
    }
    config = Config.model_validate({**world.config.model_dump(), "contacts": {"dav": settings}})
    secrets = Secrets(world.root / "secrets", {"PASSWORD": PASSWORD})
    mail = messaging(world.mail, world.state, config, world.book, secrets.find)
    world.account = mail
    world.build()
    yield world
    for each in mail.background:
        each.close()


def addresses(prepared: Any) -> list[str]:
    return [each.value for each in prepared.resolved if each.role is Role.DESTINATION]


async def test_a_message_goes_to_the_address_on_the_server(account: Any) -> None:
    assert addresses(await account.prepared("send", to=["Ana"], body="x")) == ["ana@server.example"]


async def test_somebody_in_both_places_with_one_address_is_one_person(account: Any) -> None:
    account.book.use({})
    account.book.add("Ana Ruiz", ("ana@server.example",))
    account.book.use({"dav": account.account.shelves[0]})
    assert addresses(await account.prepared("send", to=["Ana"], body="x")) == ["ana@server.example"]


async def test_of_two_addresses_in_two_places_it_is_asked(account: Any) -> None:
    account.book.use({})
    account.book.add("Ana Ruiz", ("ana@here.example",))
    account.book.use({"dav": account.account.shelves[0]})
    question = await account.asked("send", to=["Ana"], body="x")
    assert [option.arguments["to"] for option in question.options] == [
        ["ana@here.example"],
        ["ana@server.example"],
    ]


async def test_a_handle_of_the_server_stands_for_the_contact(account: Any) -> None:
    (item,) = (await account.do("find_contact", name="Ana")).items
    assert item.detail == "ana@server.example; in Friends (dav)"
    assert addresses(await account.prepared("send", to=[item.handle], body="x")) == ["ana@server.example"]


async def test_a_new_contact_goes_where_it_is_shown_and_is_taken_back(
    account: Any, books: CalendarServer
) -> None:
    prepared = await account.prepared("add_contact", name="Dora Lind", address="dora@x.example")
    assert [(each.label, each.value) for each in prepared.preview.fields][-1] == ("Kept in", "Friends (dav)")
    assert len(books.names("friends/")) == 1
    outcome = await account.connector.perform(prepared)
    assert outcome.ok
    assert len(books.names("friends/")) == 2
    assert addresses(await account.prepared("send", to=["Dora"], body="x")) == ["dora@x.example"]
    assert (await account.take_back(outcome)).ok
    assert books.names("friends/") == ["ana.vcf"]


async def test_where_a_new_contact_would_go_elsewhere_by_now_nothing_is_written(
    account: Any, books: CalendarServer
) -> None:
    prepared = await account.prepared("add_contact", name="Dora Lind", address="dora@x.example")
    account.book.use({})
    assert (await account.connector.perform(prepared)).needs is Needs.CONFLICT
    assert account.book.contacts() == ()
    assert books.names("friends/") == ["ana.vcf"]


async def test_a_contact_that_another_changed_is_not_taken_back(account: Any, books: CalendarServer) -> None:
    outcome = await account.do("add_contact", name="Dora Lind", address="dora@x.example")
    (name,) = [each for each in books.names("friends/") if each != "ana.vcf"]
    changed = (books.get(f"friends/{name}") or b"").replace(b"dora@x.example", b"new@x.example")
    books.ask("PUT", f"friends/{name}", changed, {"Content-Type": "text/vcard"})
    assert (await account.take_back(outcome)).needs is Needs.CONFLICT
    assert b"new@x.example" in (books.get(f"friends/{name}") or b"")


@pytest.mark.parametrize(
    ("fault", "needs"),
    [
        (Fault.CHANGED, Needs.CONFLICT),
        (Fault.SIGN_IN, Needs.SIGNED_OUT),
        (Fault.NEVER_ARRIVES, Needs.TIMEOUT),
        (Fault.BROKEN, Needs.UNAVAILABLE),
    ],
)
async def test_a_server_that_does_not_take_it_is_said_and_nothing_is_kept_elsewhere(
    account: Any, books: CalendarServer, proxy: FaultProxy, fault: Fault, needs: Needs
) -> None:
    prepared = await account.prepared("add_contact", name="Dora Lind", address="dora@x.example")
    proxy.choose = lambda method, path: fault if method == "PUT" else Fault.NONE
    outcome = await account.connector.perform(prepared)
    assert (outcome.ok, outcome.needs) == (False, needs)
    assert books.names("friends/") == ["ana.vcf"]
    assert list(account.contacts.iterdir()) == []


async def test_that_somebody_may_be_missing_is_said(account: Any, proxy: FaultProxy) -> None:
    proxy.choose = lambda method, path: Fault.BROKEN
    outcome = await account.do("find_contact", name="Dora")
    assert outcome.text == (
        "“Dora” is not in your contacts. dav is not well (it answered 500). Nothing of it is known yet."
    )
    question = await account.asked("send", to=["Dora"], body="x")
    assert "dav is not well" in question.text


async def test_an_address_that_changed_before_the_send_stops_it(account: Any, books: CalendarServer) -> None:
    prepared = await account.prepared("send", to=["Ana"], body="x")
    put(books, "eve@x.example")
    outcome = await account.connector.perform(prepared)
    assert isinstance(outcome, Outcome)
    assert outcome.needs is Needs.CONFLICT
    assert account.delivered("ana@server.example") == account.delivered("eve@x.example") == []


async def test_how_the_account_is_doing_is_told_beside_the_mail(account: Any) -> None:
    await account.account.check()
    (state,) = account.account.states
    assert (state.name, state.word, state.mode) == ("contacts dav", "ready", "full")
    assert "address books: Friends; in step since" in state.detail


async def test_other_settings_are_taken_over_while_everybody_stays_known(
    account: Any, books: CalendarServer, proxy: FaultProxy
) -> None:
    await account.do("find_contact", name="Ana")
    before = account.account
    settings = {**before.config.contacts["dav"].model_dump(exclude_unset=True), "mode": "read-only"}
    config = Config.model_validate({**account.config.model_dump(), "contacts": {"dav": settings}})
    secrets = Secrets(account.root / "secrets", {"PASSWORD": PASSWORD})
    account.account = messaging(account.mail, account.state, config, account.book, secrets.find)
    for each in before.background:
        each.close()
    for each in account.account.background:
        each.start()
    proxy.choose = lambda method, path: Fault.BROKEN
    assert addresses(await account.prepared("send", to=["Ana"], body="x")) == ["ana@server.example"]
    proxy.choose = lambda method, path: Fault.NONE
    prepared = await account.prepared("add_contact", name="Dora Lind", address="dora@x.example")
    assert prepared.preview.fields[-1].value == "your contacts on this machine"


def test_settings_that_send_a_password_in_the_clear_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not encrypted"):
        Config.model_validate({"contacts": {"dav": {"url": "http://cards.example.org/"}}})
    messaging(tmp_path, tmp_path, Config(), AddressBook(tmp_path), Secrets(tmp_path).find)
