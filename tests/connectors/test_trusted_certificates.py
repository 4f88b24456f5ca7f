"""A certificate of one's own is trusted besides the system's, for calendars and for mail alike."""

import http.server
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trustme

from connectors.calendar.caldav.kind import CALENDARS
from connectors.calendar.config import Config as CalendarConfig
from connectors.config import ConfigError, load
from connectors.dav import accounts
from connectors.dav.faults import Unreachable
from connectors.dav.server import Server
from connectors.messaging.config import Config as MailConfig
from connectors.secrets.base import Secret
from connectors.stores import StoreError
from connectors.trust import tls


@contextmanager
def website(authority: trustme.CA) -> Iterator[str]:
    """A server with a certificate of the authority, which speaks no CalDAV."""
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.RequestHandlerClass.log_message = lambda *_: None
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"https://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="module")
def ours() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def file(ours: trustme.CA, tmp_path: Path) -> Path:
    path = tmp_path / "ours.pem"
    ours.cert_pem.write_to_path(path)
    return path


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """An authority that this machine trusts."""
    made = trustme.CA()
    made.cert_pem.write_to_path(tmp_path / "system.pem")
    text = (tmp_path / "system.pem").read_text()
    monkeypatch.setattr("wassima.generate_ca_bundle", lambda *_: text)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "system.pem"))
    return made


def spoken_to(url: str, authority: Path | None) -> bool:
    """Whether a calendar account gets as far as seeing that the website has no calendars."""
    account = accounts.Account(url=url, authority=authority)
    server = Server("ours", account, Secret("x"), CALENDARS)
    try:
        server.propfind(url, "<x/>")
    except Unreachable:
        return False
    except StoreError:
        return True
    finally:
        server.close()
    return True


def shaken_hands(url: str, authority: Path | None) -> bool:
    """Whether a mail server would be signed in to."""
    port = int(url.rpartition(":")[2].strip("/"))
    try:
        with (
            socket.create_connection(("127.0.0.1", port), timeout=10) as plain,
            tls(authority).wrap_socket(plain, server_hostname="localhost"),
        ):
            return True
    except ssl.SSLCertVerificationError:
        return False


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("reached", [spoken_to, shaken_hands], ids=["calendar", "mail"])
class TestWhomWeTrust:
    def test_the_file_and_the_system_together(
        self, reached: object, ours: trustme.CA, system: trustme.CA, file: Path
    ) -> None:
        assert callable(reached)
        with website(ours) as own, website(system) as usual, website(trustme.CA()) as strange:
            assert reached(own, file)
            assert reached(usual, file)
            assert not reached(strange, file)

    def test_without_a_file_the_system_alone(
        self, reached: object, ours: trustme.CA, system: trustme.CA
    ) -> None:
        assert callable(reached)
        with website(ours) as own, website(system) as usual:
            assert not reached(own, None)
            assert reached(usual, None)


CALENDAR = '[accounts.home]\nurl = "https://x.example/"\nauthority = "{path}"\n'
MAIL = '[imap]\nhost = "x.example"\nauthority = "{path}"\n'


@pytest.mark.parametrize(("schema", "text"), [(CalendarConfig, CALENDAR), (MailConfig, MAIL)])
class TestTheFile:
    def test_one_that_is_gone_is_told_with_its_line(
        self, schema: type[CalendarConfig], text: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "settings.toml"
        path.write_text(text.format(path=tmp_path / "gone.pem"))
        with pytest.raises(ConfigError, match=r"line 3: .*gone\.pem cannot be read \(No such file"):
            load(path, schema)

    def test_one_without_certificates_is_told_too(
        self, schema: type[CalendarConfig], text: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "settings.toml"
        (tmp_path / "key.pem").write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
        path.write_text(text.format(path=tmp_path / "key.pem"))
        with pytest.raises(ConfigError, match="holds no certificates in PEM form"):
            load(path, schema)
