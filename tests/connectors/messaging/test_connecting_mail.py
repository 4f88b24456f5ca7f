"""Setting up a mail account by questions, against real servers; what is written is read by the service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.asking import GivenUp
from connectors.config import load
from connectors.messaging.config import Config, Mode
from connectors.messaging.connecting import connect_mail
from connectors.messaging.providers import provider_of
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
    shown = connect_mail(person, path, secrets)
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
    connect_mail(person, tmp_path / "messaging.toml", secrets)
    assert any("does not accept the sign-in" in said for said in person.said)
    config = load(tmp_path / "messaging.toml", Config)
    assert (config.mode, config.smtp) == (Mode.DRAFT_ONLY, None)


def test_only_shown_nothing_is_written(
    tmp_path: Path, server: Dovecot, office: PostOffice, secrets: Secrets
) -> None:
    person = Person(ADDRESS, "Robin", f"127.0.0.1:{server.port}", "", PASSWORD, "-", "")
    lines = connect_mail(person, tmp_path / "messaging.toml", secrets, only_show=True)
    assert lines.startswith('name = "Robin"\naddress = "robin@home.example"\n')
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_not_there_is_said_and_asked_for_again(tmp_path: Path, secrets: Secrets) -> None:
    person = Person(
        "robin", ADDRESS, "Robin", f"127.0.0.1:{free_port()}", "", "x", "not a name!", "", "x", None
    )
    with pytest.raises(GivenUp):
        connect_mail(person, tmp_path / "messaging.toml", secrets)
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


@pytest.mark.parametrize(
    ("address", "imap"),
    [
        ("a@gmail.com", "imap.gmail.com"),
        ("a@ME.com", "imap.mail.me.com"),
        ("a@example.org", "imap.example.org"),
        ("a@notgmail.com", "imap.notgmail.com"),
    ],
)
def test_the_servers_are_known_or_guessed_by_the_address(address: str, imap: str) -> None:
    assert provider_of(address).imap == imap
