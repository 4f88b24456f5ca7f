"""No password goes to a mail server that cannot be trusted."""

from collections.abc import Iterator

import pytest
import trustme

from connectors.messaging.errors import MailboxError
from connectors.messaging.imap.connection import Connection
from connectors.messaging.server import Server, tls
from tests.connectors.messaging.dovecot import PASSWORD, Dovecot, dovecot

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with dovecot() as server:
        yield server


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def guarded(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dovecot]:
    """A server with a certificate."""
    folder = tmp_path_factory.mktemp("certificate")
    leaf = authority.issue_cert("localhost")
    (folder / "cert").write_bytes(b"".join(blob.bytes() for blob in leaf.cert_chain_pems))
    (folder / "key").write_bytes(leaf.private_key_pem.bytes())
    with dovecot(certificate=(str(folder / "cert"), str(folder / "key"))) as server:
        yield server


def test_a_trusted_certificate_lets_in(guarded: Dovecot, authority: trustme.CA) -> None:
    trusting = tls()
    authority.configure_trust(trusting)
    server = Server("localhost", guarded.port, "starttls", "robin@home.example")
    connection = Connection(server, lambda: PASSWORD, trusting)
    with connection.client() as client:
        assert client.noop()
    connection.close()


def test_a_certificate_that_is_not_trusted_gets_no_password(guarded: Dovecot) -> None:
    asked: list[str] = []
    server = Server("localhost", guarded.port, "starttls", "robin@home.example")
    connection = Connection(server, lambda: asked.append("asked") or PASSWORD, tls())
    with pytest.raises(MailboxError, match="is not to be trusted"), connection.client():
        pass
    assert asked == []


def test_a_server_that_does_not_encrypt_gets_no_password(server: Dovecot) -> None:
    asked: list[str] = []
    plain = Server("127.0.0.1", server.port, "starttls", "robin@home.example")
    connection = Connection(plain, lambda: asked.append("asked") or PASSWORD, tls())
    with pytest.raises(MailboxError, match="refused"), connection.client():
        pass
    assert asked == []
