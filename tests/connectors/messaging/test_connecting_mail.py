"""Setting up a mail account by questions, against real servers; what is written is read by the service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.asking import GivenUp
from connectors.config import load
from connectors.messaging.config import Config, Mode
from connectors.messaging.connecting import connect_mail
from connectors.messaging.servers.offer import Offer, Offers, Said, Use
from connectors.secrets.chain import Secrets
from tests.connectors.messaging.dovecot import PASSWORD, Dovecot, dovecot
from tests.connectors.messaging.post_office import PostOffice, free_port, post_office
from tests.connectors.people_asked import NoKeyring, Person

pytestmark = [
    pytest.mark.timeout(120),
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]
ADDRESS = "robin@home.example"


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with dovecot() as server:
        yield server


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with post_office(password=PASSWORD) as office:
        yield office


class Finder:
    """Knows the servers of an address, and which addresses were asked for."""

    def __init__(self, offers: Offers | None = None) -> None:
        self.offers = offers or Offers()
        self.asked: list[str] = []

    def find(self, address: str) -> Offers:
        self.asked.append(address)
        return self.offers


@pytest.fixture
def secrets(tmp_path: Path) -> Secrets:
    return Secrets(tmp_path / "secrets", {}, NoKeyring())


def test_an_account_is_found_tried_and_written_so_that_it_works(
    tmp_path: Path, server: Dovecot, office: PostOffice, secrets: Secrets
) -> None:
    path = tmp_path / "messaging.toml"
    path.write_text("# mine\nsend_timeout = 20\n")
    imap, smtp = f"127.0.0.1:{server.port}", f"127.0.0.1:{office.port}"
    person = Person(ADDRESS, 'Robin "R" Vale', imap, "", PASSWORD, smtp, "")
    shown = connect_mail(person, path, secrets, finder=Finder())
    config = load(path, Config)
    assert (config.name, config.address, config.mode, config.send_timeout) == (
        'Robin "R" Vale',
        ADDRESS,
        Mode.FULL,
        20,
    )
    assert config.imap is not None
    assert config.smtp is not None
    assert (config.imap.port, config.smtp.port, config.imap.security) == (server.port, office.port, "none")
    assert secrets.find("messaging/imap").reveal() == PASSWORD
    assert "# mine" in path.read_text()
    assert PASSWORD not in path.read_text() + shown + "".join(person.said)


def test_a_wrong_password_is_asked_for_again(
    tmp_path: Path, server: Dovecot, office: PostOffice, secrets: Secrets
) -> None:
    imap = f"127.0.0.1:{server.port}"
    person = Person(ADDRESS, "Robin", imap, "", "wrong", "", "", PASSWORD, "-", "draft-only")
    connect_mail(person, tmp_path / "messaging.toml", secrets, finder=Finder())
    assert any("does not accept the sign-in" in said for said in person.said)
    config = load(tmp_path / "messaging.toml", Config)
    assert (config.mode, config.smtp) == (Mode.DRAFT_ONLY, None)


def test_only_shown_nothing_is_written(
    tmp_path: Path, server: Dovecot, office: PostOffice, secrets: Secrets
) -> None:
    person = Person(ADDRESS, "Robin", f"127.0.0.1:{server.port}", "", PASSWORD, "-", "")
    lines = connect_mail(person, tmp_path / "messaging.toml", secrets, only_show=True, finder=Finder())
    assert lines.startswith('name = "Robin"\naddress = "robin@home.example"\n')
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_not_there_is_said_and_asked_for_again(tmp_path: Path, secrets: Secrets) -> None:
    person = Person(
        "robin", ADDRESS, "Robin", f"127.0.0.1:{free_port()}", "", "x", "not a name!", "", "x", None
    )
    with pytest.raises(GivenUp):
        connect_mail(person, tmp_path / "messaging.toml", secrets, finder=Finder())
    said = "".join(person.said)
    assert "That is no mail address" in said
    assert "cannot be reached. Try again" in said
    assert "is no server's name" in said
    assert list(tmp_path.iterdir()) == []


def test_an_account_that_is_there_is_not_written_over(tmp_path: Path, secrets: Secrets) -> None:
    path = tmp_path / "messaging.toml"
    path.write_text('[imap]\nhost = "imap.example.org"\n')
    with pytest.raises(GivenUp):
        connect_mail(Person(), path, secrets)
    assert path.read_text() == '[imap]\nhost = "imap.example.org"\n'


def test_the_servers_that_were_found_are_taken_with_enter_alone(
    tmp_path: Path, server: Dovecot, office: PostOffice, secrets: Secrets
) -> None:
    finder = Finder(
        Offers(
            Offer(Use.MAILBOX, "127.0.0.1", server.port, "tls", Said.KNOWN, ADDRESS),
            Offer(Use.SENDING, "127.0.0.1", office.port, "tls", Said.KNOWN),
            ("home.example names 127.0.0.1 in DNS.",),
        )
    )
    person = Person(ADDRESS, "Robin", "", "", PASSWORD, "", "")
    connect_mail(person, tmp_path / "messaging.toml", secrets, finder=finder)
    assert finder.asked == [ADDRESS]
    assert "home.example names 127.0.0.1 in DNS." in person.said
    config = load(tmp_path / "messaging.toml", Config)
    assert config.imap is not None
    assert config.smtp is not None
    assert (config.imap.port, config.smtp.port) == (server.port, office.port)


def test_no_password_goes_outside_the_domain_before_the_person_says_so(
    tmp_path: Path, server: Dovecot, secrets: Secrets
) -> None:
    strange = Offer(Use.MAILBOX, "127.0.0.1", server.port, "tls", Said.DNS)
    person = Person(ADDRESS, "Robin", "", "no", None)
    with pytest.raises(GivenUp):
        connect_mail(person, tmp_path / "messaging.toml", secrets, finder=Finder(Offers(strange)))
    asked = f"can be forged. Send your password to 127.0.0.1:{server.port}? (yes, or no)"
    assert any(said.endswith(asked) for said in person.said)
    assert not any("Signed in" in said for said in person.said)
    person = Person(ADDRESS, "Robin", "", "yes", "", PASSWORD, "-", "")
    connect_mail(person, tmp_path / "messaging.toml", secrets, finder=Finder(Offers(strange)))
    assert load(tmp_path / "messaging.toml", Config).imap is not None


def test_a_server_within_the_domain_is_not_asked_about(
    tmp_path: Path, server: Dovecot, secrets: Secrets
) -> None:
    near = Offer(Use.MAILBOX, "imap.home.example", 993, "tls", Said.DNS)
    person = Person(ADDRESS, "Robin", "", "", "x", None)
    with pytest.raises(GivenUp):
        connect_mail(person, tmp_path / "messaging.toml", secrets, finder=Finder(Offers(near)))
    assert not any("Send your password" in said for said in person.said)
