"""A real Synapse on loopback, in a folder of its own, and other people's programs on it."""

import hashlib
import hmac
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from tests.connectors.messaging.post_office import free_port
from tests.missing import missing

VERSION = "1.163.2"
DOMAIN = "home.example"
PASSWORD = "correct horse"
_SECRET = "for tests only"
_numbers = itertools.count(1)
_RATES = ("rc_message", "rc_registration", "rc_admin_redaction")
_CONFIG: dict[str, Any] = {
    "server_name": DOMAIN,
    "registration_shared_secret": _SECRET,
    "macaroon_secret_key": "for tests only",
    "form_secret": "for tests only",
    "report_stats": False,
    "trusted_key_servers": [],
    "federation_domain_whitelist": [],
    "bcrypt_rounds": 4,
    "enable_metrics": False,
    "presence": {"enabled": False},
    "suppress_key_server_warning": True,
}


@dataclass
class Person:
    """Somebody's own program: `user` is the id, `token` what it is signed in with."""

    url: str
    user: str
    token: str
    device: str
    sent: Iterator[int] = field(default_factory=itertools.count)

    def ask(self, method: str, path: str, body: object = None, expect: int = 200) -> dict[str, Any]:
        """A request to the client-server API; the path begins behind /_matrix/client/v3."""
        headers = {"Authorization": f"Bearer {self.token}"}
        data = b"" if body is None else json.dumps(body).encode()
        return asked(self.url, method, f"/_matrix/client/v3{path}", data, headers, expect)

    def named(self, name: str) -> "Person":
        self.ask("PUT", f"/profile/{quote(self.user)}/displayname", {"displayname": name})
        return self

    def room(self, *others: "Person", direct: bool = False, **options: object) -> str:
        """A new room in which all these people are."""
        invite = [each.user for each in others]
        preset = "trusted_private_chat" if direct else "private_chat"
        wanted = {"invite": invite, "is_direct": direct, "preset": preset, **options}
        room = str(self.ask("POST", "/createRoom", wanted)["room_id"])
        for each in others:
            each.join(room)
        if direct:
            for one, other in ((self, others[0]), (others[0], self)):
                one.ask("PUT", f"/user/{quote(one.user)}/account_data/m.direct", {other.user: [room]})
        return room

    def join(self, room: str) -> None:
        self.ask("POST", f"/join/{quote(room)}", {})

    def say(self, room: str, body: str, **content: object) -> str:
        """Send a message; returns the id of its event."""
        said = {"msgtype": "m.text", "body": body, **content}
        number = f"t{next(self.sent)}"
        answer = self.ask("PUT", f"/rooms/{quote(room)}/send/m.room.message/{number}", said)
        return str(answer["event_id"])

    def change(self, room: str, event: str, body: str) -> str:
        """Give a message other words (m.replace)."""
        new = {"msgtype": "m.text", "body": body}
        relation = {"rel_type": "m.replace", "event_id": event}
        return self.say(room, f"* {body}", **{"m.new_content": new, "m.relates_to": relation})

    def take_back(self, room: str, event: str) -> None:
        path = f"/rooms/{quote(room)}/redact/{quote(event)}/r{next(self.sent)}"
        self.ask("PUT", path, {})

    def heard(self, room: str) -> list[dict[str, Any]]:
        """Every message of a room, the newest first."""
        found = self.ask("GET", f"/rooms/{quote(room)}/messages?dir=b&limit=1000")["chunk"]
        return [each for each in found if each["type"] == "m.room.message"]

    def bodies(self, room: str) -> list[str]:
        return [str(each["content"].get("body")) for each in self.heard(room)]

    def rooms(self) -> list[str]:
        return list(self.ask("GET", "/joined_rooms")["joined_rooms"])

    def encrypt(self, room: str) -> None:
        content = {"algorithm": "m.megolm.v1.aes-sha2"}
        self.ask("PUT", f"/rooms/{quote(room)}/state/m.room.encryption", content)


@dataclass
class Synapse:
    """A server that runs; every person is new to it."""

    top: Path
    port: int
    process: "subprocess.Popen[bytes]"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        return (self.top / "log").read_text("utf-8", "replace")[-3000:]

    def person(self, name: str) -> Person:
        """Somebody new whose id begins with this name."""
        user = f"{name.lower()}{next(_numbers)}"
        path = "/_synapse/admin/v1/register"
        nonce = asked(self.url, "GET", path)["nonce"]
        parts = "\0".join((nonce, user, PASSWORD, "notadmin"))
        mac = hmac.new(_SECRET.encode(), parts.encode(), hashlib.sha1).hexdigest()
        body = {"nonce": nonce, "username": user, "password": PASSWORD, "admin": False, "mac": mac}
        told = asked(self.url, "POST", path, json.dumps(body).encode())
        person = Person(self.url, told["user_id"], told["access_token"], told["device_id"])
        return person.named(name)


def asked(
    url: str,
    method: str,
    path: str,
    data: bytes = b"",
    headers: dict[str, str] | None = None,
    expect: int = 200,
) -> dict[str, Any]:
    """The JSON that a server answers."""
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=30)) as line:
        line.request(method, path, data, headers or {})
        answer = line.getresponse()
        text = answer.read()
    assert answer.status == expect, (method, path, answer.status, text)
    return dict(json.loads(text))


def python() -> Path:
    """The Python with Synapse in it; without one the tests are skipped, but not in CI."""
    kept = Path.home() / ".cache" / "askfirst-build" / f"synapse-{VERSION}" / "bin" / "python"
    path = Path(os.environ.get("ASKFIRST_SYNAPSE", kept))
    if not path.exists():
        reason = f"Synapse is not there ({path}); .ci/run shows how it is installed"
        missing(reason)
    return path


@contextmanager
def synapse(**settings: object) -> Iterator[Synapse]:
    """A server with other settings than the usual ones, as its configuration names them."""
    program = python()
    top = Path(tempfile.mkdtemp(prefix="askfirst-synapse-"))
    port = free_port()
    config = top / "homeserver.yaml"
    config.write_text(json.dumps({**_configured(top, port), **settings}))
    with (top / "log").open("wb") as log:
        command = [str(program), "-m", "synapse.app.homeserver", "-c", str(config)]
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=top)
    server = Synapse(top, port, process)
    try:
        _wait(server)
        yield server
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(top, ignore_errors=True)


def _configured(top: Path, port: int) -> dict[str, Any]:
    (top / "signing.key").write_text("ed25519 a_test " + "A" * 43 + "\n")
    (top / "log.yaml").write_text(
        json.dumps(
            {
                "version": 1,
                "handlers": {"console": {"class": "logging.StreamHandler"}},
                "root": {"level": "WARNING", "handlers": ["console"]},
            }
        )
    )
    listener = {
        "port": port,
        "bind_addresses": ["127.0.0.1"],
        "type": "http",
        "tls": False,
        "resources": [{"names": ["client"]}],
    }
    fast = {"per_second": 10_000, "burst_count": 10_000}
    return {
        **_CONFIG,
        **dict.fromkeys(_RATES, fast),
        "rc_login": {"address": fast, "account": fast, "failed_attempts": fast},
        "rc_joins": {"local": fast, "remote": fast},
        "rc_invites": {"per_room": fast, "per_user": fast, "per_issuer": fast},
        "rc_room_creation": fast,
        "listeners": [listener],
        "pid_file": str(top / "pid"),
        "database": {"name": "sqlite3", "args": {"database": str(top / "homeserver.db")}},
        "media_store_path": str(top / "media"),
        "signing_key_path": str(top / "signing.key"),
        "log_config": str(top / "log.yaml"),
        "public_baseurl": f"http://127.0.0.1:{port}/",
    }


def _wait(server: Synapse) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert server.process.poll() is None, server.log
        try:
            asked(server.url, "GET", "/_matrix/client/versions")
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"Synapse did not start: {server.log}")
