"""Setting up an account on Matrix by questions, against a real homeserver."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import trustme

from connectors.asking import GivenUp
from connectors.config import load
from connectors.messaging.accounts import messaging
from connectors.messaging.config import Config, Mode
from connectors.messaging.connecting_matrix import connect_matrix, connect_messaging
from connectors.people import AddressBook
from connectors.secrets.chain import Secrets
from tests.connectors.messaging.synapse import PASSWORD, Person, Synapse
from tests.connectors.people_asked import NoKeyring
from tests.connectors.people_asked import Person as Asked

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def secrets(tmp_path: Path) -> Secrets:
    return Secrets(tmp_path / "secrets", {}, NoKeyring())


@pytest.fixture
def robin(homeserver: Synapse) -> Person:
    return homeserver.person("Robin")


def test_an_account_is_signed_in_to_by_password_which_is_not_kept(
    tmp_path: Path, secrets: Secrets, robin: Person
) -> None:
    path = tmp_path / "messaging.toml"
    path.write_text('# mine\nname = "Robin Vale"\n')
    person = Asked("neither", "2", robin.user, robin.url, PASSWORD, "")
    shown = connect_messaging(person, path, secrets)
    config = load(path, Config)
    assert config.matrix is not None
    assert (config.matrix.user, config.matrix.homeserver, config.matrix.mode) == (
        robin.user,
        robin.url,
        Mode.FULL,
    )
    token = secrets.find("messaging/matrix").reveal()
    text = path.read_text()
    assert "# mine" in text
    for secret in (PASSWORD, token):
        assert secret not in text + shown + "".join(person.said)
    kept = "".join(file.read_text() for file in (tmp_path / "secrets").iterdir())
    assert PASSWORD not in kept
    devices = robin.ask("GET", "/devices")["devices"]
    assert "Askfirst" in [each["display_name"] for each in devices]


async def test_what_is_written_works(tmp_path: Path, secrets: Secrets, robin: Person) -> None:
    path = tmp_path / "messaging.toml"
    path.write_text(
        f'[matrix]\nuser = "{robin.user}"\nhomeserver = "{robin.url}"\ntoken.environment = "TOKEN"\n'
    )
    environment = Secrets(tmp_path / "secrets", {"TOKEN": robin.token}, NoKeyring())
    book = AddressBook(tmp_path / "contacts")
    mail = messaging(tmp_path / "mail", tmp_path / "state", load(path, Config), book, environment.find)
    (state,) = mail.states
    assert (state.name, state.detail) == (f"matrix {robin.user}", f"{robin.url[7:]}; never read yet")
    await mail.check()
    (state,) = mail.states
    assert (state.word, state.mode) == ("ready", "full")
    assert state.synced
    for each in mail.background:
        each.close()


def test_a_wrong_password_is_asked_for_again(tmp_path: Path, secrets: Secrets, robin: Person) -> None:
    path = tmp_path / "messaging.toml"
    person = Asked("matrix", robin.user, robin.url, "wrong", "", PASSWORD, "")
    connect_messaging(person, path, secrets)
    (told,) = [each for each in person.said if "does not take this password" in each]
    assert "wrong" not in told
    assert load(path, Config).matrix is not None


def test_a_token_that_the_person_has_is_taken_if_it_is_theirs(
    tmp_path: Path, secrets: Secrets, robin: Person, homeserver: Synapse
) -> None:
    ana = homeserver.person("Ana")
    path = tmp_path / "messaging.toml"
    person = Asked(robin.user, robin.url, "", ana.token, "", "", robin.token, "")
    connect_matrix(person, path, secrets)
    assert any(f"This token is that of {ana.user}, not of {robin.user}." in each for each in person.said)
    assert secrets.find("messaging/matrix").reveal() == robin.token


def test_rooms_are_chosen_by_number(
    tmp_path: Path, secrets: Secrets, robin: Person, homeserver: Synapse
) -> None:
    ana = homeserver.person("Ana")
    ana.room(robin, name='The "Lake"\n trip')
    work = ana.room(robin, name="Work")
    path = tmp_path / "messaging.toml"
    person = Asked(robin.user, robin.url, PASSWORD, "2", "read-only")
    connect_matrix(person, path, secrets)
    config = load(path, Config).matrix
    assert config is not None
    assert config.rooms == (work,)
    assert config.mode is Mode.READ_ONLY


def test_an_id_that_is_none_and_a_server_that_is_none_are_asked_for_again(
    tmp_path: Path, secrets: Secrets, robin: Person
) -> None:
    path = tmp_path / "messaging.toml"
    plain = "http://matrix.example.org"
    person = Asked("robin@home.example", robin.user, plain, "http://127.0.0.1:1", robin.url, PASSWORD, "")
    connect_matrix(person, path, secrets)
    assert "That is no Matrix id; it begins with @ and has a server behind a colon." in person.said
    assert any("“http://matrix.example.org” is no address of a homeserver" in each for each in person.said)
    assert any("127.0.0.1:1 cannot be reached." in each for each in person.said)


def test_nothing_is_changed_by_giving_up(tmp_path: Path, secrets: Secrets, robin: Person) -> None:
    path = tmp_path / "messaging.toml"
    with pytest.raises(GivenUp):
        connect_matrix(Asked(robin.user, robin.url, None), path, secrets)
    assert not path.exists()


def test_only_showing_keeps_nothing(tmp_path: Path, secrets: Secrets, robin: Person) -> None:
    path = tmp_path / "messaging.toml"
    shown = connect_matrix(Asked(robin.user, robin.url, PASSWORD, ""), path, secrets, only_show=True)
    assert "[matrix]" in shown
    assert not path.exists()
    assert not (tmp_path / "secrets").exists()


def test_an_account_that_is_there_is_only_signed_in_to_again(
    tmp_path: Path, secrets: Secrets, robin: Person
) -> None:
    path = tmp_path / "messaging.toml"
    connect_matrix(Asked(robin.user, robin.url, PASSWORD, ""), path, secrets)
    before, text = secrets.find("messaging/matrix").reveal(), path.read_text()
    connect_matrix(Asked(PASSWORD), path, secrets)
    assert secrets.find("messaging/matrix").reveal() != before
    assert path.read_text() == text


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@contextmanager
def _domain(authority: trustme.CA, said: bytes) -> Iterator[int]:
    """A web server of somebody's domain, which says where the homeserver is."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = self.path == "/.well-known/matrix/client"
            self.send_response(200 if known else 404)
            self.end_headers()
            self.wfile.write(said if known else b"")

        def log_message(self, format: str, *arguments: object) -> None:
            """Nothing is told on the terminal."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (b'{"m.homeserver": {"base_url": "https://matrix.example.org/"}}', "https://matrix.example.org"),
        (b'{"m.homeserver": {"base_url": "http://matrix.example.org"}}', ""),
        (b'{"m.homeserver": {"base_url": 5}}', ""),
        (b"<html>not found</html>", ""),
    ],
)
def test_the_domain_says_where_the_homeserver_is(
    tmp_path: Path,
    secrets: Secrets,
    authority: trustme.CA,
    monkeypatch: pytest.MonkeyPatch,
    said: bytes,
    found: str,
) -> None:
    with authority.cert_pem.tempfile() as trusted, _domain(authority, said) as port:
        monkeypatch.setenv("SSL_CERT_FILE", trusted)
        person = Offered(f"@robin:localhost:{port}", None)
        with pytest.raises(GivenUp):
            connect_matrix(person, tmp_path / "messaging.toml", secrets)
    assert person.offered == ["", found or f"https://localhost:{port}"]


class Offered(Asked):
    """Somebody who remembers what each question offered as the usual answer."""

    def __init__(self, *answers: str | None) -> None:
        super().__init__(*answers)
        self.offered: list[str] = []

    def ask(self, question: str, usual: str = "") -> str | None:
        self.offered.append(usual)
        return super().ask(question, usual)
