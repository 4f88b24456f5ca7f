"""Setting up an account with contacts by questions, against real servers; what is written is read again."""

from pathlib import Path

import pytest

from connectors.asking import GivenUp
from connectors.config import load
from connectors.dav.start import start_of
from connectors.messaging.config import Config
from connectors.messaging.connecting_contacts import connect_contacts
from connectors.people import AddressBook
from connectors.people.accounts import opened
from connectors.people.carddav.kind import ADDRESS_BOOKS
from connectors.secrets.chain import Secrets
from tests.connectors.calendar_servers import PASSWORD, USER, CalendarServer
from tests.connectors.people_asked import NoKeyring, Person


@pytest.fixture(params=["radicale", "xandikos"])
def server(request: pytest.FixtureRequest) -> CalendarServer:
    found: CalendarServer = request.getfixturevalue(request.param)
    books = found.of_books
    books.clear()
    books.make_book("friends", "Friends")
    books.make_book("work", "Work")
    books.ask(
        "PUT",
        "work/ana.vcf",
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:ana\r\nFN:Ana Ruiz\r\nN:Ruiz;Ana;;;\r\nEND:VCARD\r\n",
        {"Content-Type": "text/vcard"},
    )
    return books


@pytest.fixture
def secrets(tmp_path: Path) -> Secrets:
    return Secrets(tmp_path / "secrets", {}, NoKeyring())


def test_an_account_is_found_tested_and_written_so_that_its_people_are_known(
    tmp_path: Path, server: CalendarServer, secrets: Secrets
) -> None:
    path = tmp_path / "connectors" / "messaging.toml"
    person = Person(server.url, "", USER, PASSWORD, "2", "")
    lines = connect_contacts(person, path, secrets)
    assert person.answers == []
    assert person.said[-2:-1] == ["Work"]
    config = load(path, Config)
    assert (config.contacts["home"].mode, config.contacts["home"].books) == ("full", ("work",))
    assert PASSWORD not in path.read_text() + lines + "".join(person.said)
    book, accounts = AddressBook(tmp_path / "none"), opened(config.contacts, tmp_path, secrets.find)
    book.use(accounts)
    assert [each.name for each in book.contacts()] == ["Ana Ruiz"]
    accounts["home"].close()


def test_the_mail_account_that_is_there_stays_as_it_was_written(
    tmp_path: Path, server: CalendarServer, secrets: Secrets
) -> None:
    path = tmp_path / "messaging.toml"
    before = "name = 'Robin'  # me\naddress = 'robin@home.example'\n\n[imap]\nhost = 'imap.home.example'\n"
    path.write_text(before)
    connect_contacts(Person(server.url, "", USER, PASSWORD, "", "no"), path, secrets)
    assert path.read_text().startswith(before)
    found = load(path, Config)
    assert found.imap is not None
    assert (found.contacts["home"].mode, found.contacts["home"].books) == ("read-only", ())


def test_only_shown_nothing_is_written_or_kept(
    tmp_path: Path, server: CalendarServer, secrets: Secrets
) -> None:
    person = Person(server.url, "", USER, PASSWORD, "", "")
    lines = connect_contacts(person, tmp_path / "messaging.toml", secrets, only_show=True)
    assert "[contacts.home]" in lines
    assert list(tmp_path.iterdir()) == []


def test_giving_up_writes_nothing(tmp_path: Path, server: CalendarServer, secrets: Secrets) -> None:
    with pytest.raises(GivenUp):
        connect_contacts(Person(server.url, "", USER, None), tmp_path / "messaging.toml", secrets)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("said", "url"),
    [
        ("fastmail", "https://carddav.fastmail.com/dav/"),
        ("ana@icloud.com", "https://contacts.icloud.com/"),
        ("ana@example.org", "https://example.org/.well-known/carddav"),
        ("nextcloud.example.org", "https://nextcloud.example.org/.well-known/carddav"),
    ],
)
def test_what_was_typed_says_where_to_begin(said: str, url: str) -> None:
    assert start_of(said, ADDRESS_BOOKS).urls == (url,)
