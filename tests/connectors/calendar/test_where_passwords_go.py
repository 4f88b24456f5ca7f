"""A password goes to the server that was named, encrypted, and nowhere else."""

import socket
import ssl
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from connectors.calendar.accounts import Account
from connectors.calendar.caldav.kind import CALENDARS
from connectors.dav.accounts import is_secure
from connectors.dav.faults import Unencrypted, Unreachable
from connectors.dav.server import Server, related
from connectors.secrets.base import Secret
from tests.connectors.faults import FaultProxy
from tests.missing import missing


@pytest.mark.parametrize(
    "url", ["http://cal.example.org/", "http://192.168.1.2/dav", "http://127.0.0.1.example.org"]
)
def test_a_password_goes_nowhere_unencrypted(url: str) -> None:
    with pytest.raises(ValueError, match="not encrypted"):
        Account(url=url)
    assert Account(url=url, plain_http=url.split("/")[2]).url == url


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:5232/", "http://localhost/", "http://[::1]:80/", "https://x.example/"]
)
def test_this_machine_and_encrypted_ones_may_be_spoken_to(url: str) -> None:
    assert is_secure(url)


def test_a_password_never_stands_in_the_address() -> None:
    with pytest.raises(ValueError, match="do not belong in the url"):
        Account(url="https://ana:secret@cal.example.org/")


async def test_an_answer_that_leads_into_the_clear_is_not_followed(far: Any, proxy: FaultProxy) -> None:
    def lead_away(method: str, path: str, answer: bytes) -> bytes:
        return answer.replace(b"/ana/</href>", b"http://cal.example.org/ana/</href>")

    proxy.alter = lead_away
    outcome = await far.refused("list_events", when="friday")
    assert outcome.text.startswith("dav leads to cal.example.org unencrypted, so nothing was sent there.")


async def test_a_redirect_to_another_site_is_not_followed(far: Any, proxy: FaultProxy) -> None:
    proxy.alter = lambda method, path, answer: (
        b"HTTP/1.1 301 Moved\r\nLocation: https://evil.example/\r\n"
        b"Content-Length: 0\r\nConnection: close\r\n\r\n"
    )
    outcome = await far.refused("list_events", when="friday")
    assert "sends on to evil.example, another site" in outcome.text


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://caldav.icloud.com/", "https://p12-caldav.icloud.com/", True),
        ("https://example.org/", "https://dav.example.org/", True),
        ("https://example.org/", "https://example.com/", False),
        ("https://a.co.uk/", "https://b.co.uk/", False),
        ("https://10.0.0.1/", "https://10.1.0.1/", False),
        ("https://example.org/", "https://example.org.evil.example/", False),
    ],
)
def test_what_belongs_to_one_site(one: str, other: str, same: bool) -> None:
    assert related(one, other) is same


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(tmp_path: Path) -> None:
    command = "openssl req -x509 -newkey rsa:2048 -nodes -keyout k -out c -days 1 -subj /CN=localhost"
    made = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, check=False)
    if made.returncode:
        missing("openssl is not installed")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "c", tmp_path / "k")
    heard: list[bytes] = []

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            try:
                with context.wrap_socket(connection, server_side=True) as safe:
                    heard.append(safe.recv(100))
            except (ssl.SSLError, OSError):
                return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        account = Account(url=f"https://localhost:{listener.getsockname()[1]}/", timeout=5)
        server = Server("work", account, Secret("x"), CALENDARS)
        with pytest.raises(Unreachable, match="its certificate is not trusted"):
            server.ask("PROPFIND", account.url)
        server.close()
        thread.join(timeout=5)
    assert heard in ([], [b""])


def test_a_server_made_for_one_account_sends_nothing_in_the_clear() -> None:
    server = Server("work", Account(url="https://cal.example.org/"), Secret("x"), CALENDARS)
    with pytest.raises(Unencrypted):
        server.ask("GET", "http://cal.example.org/")
