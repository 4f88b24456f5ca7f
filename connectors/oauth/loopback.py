"""Signing in in the browser of this machine, which comes back to a port of it (RFC 8252, RFC 7636)."""

import base64
import hashlib
import hmac
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from connectors.clean import clean_line
from connectors.oauth.asking import Refused
from connectors.oauth.tokens import Client, Tokens

_LONGEST_LINE: Final = 8_000
_SECONDS: Final = 5.0
_DONE: Final = b"<!doctype html><title>Askfirst</title><p>You can close this page and go back to Askfirst."
_NOT_DONE: Final = b"<!doctype html><title>Askfirst</title><p>You are not signed in. Go back to Askfirst."


@dataclass(slots=True)
class BrowserSignIn:
    """A sign-in that has begun: the person opens `url`."""

    client: Client
    url: str
    redirect: str
    _verifier: str
    _state: str
    _answered: threading.Event = field(default_factory=threading.Event)
    _answer: dict[str, str] = field(default_factory=dict)

    def ask(self, seconds: float) -> Tokens | None:
        """The tokens, or None where the browser has not come back within so many seconds.

        Raises Refused, NoAnswer or SecretError.
        """
        if not self._answered.wait(seconds):
            return None
        if "code" not in self._answer:
            raise Refused(clean_line(self._answer.get("error", "access_denied"), 100))
        return self.client.ask(
            "authorization_code",
            code=self._answer["code"],
            redirect_uri=self.redirect,
            code_verifier=self._verifier,
        )

    def came_back(self, answer: dict[str, str]) -> bool:
        """Take what the browser brings, once and only if it belongs to this sign-in; True if it was taken.

        Any page can send the browser here, so that `state` must be ours (RFC 6749 section 10.12).
        """
        ours = hmac.compare_digest(answer.get("state", "").encode(), self._state.encode())
        if not ours or self._answered.is_set() or not {"code", "error"} & answer.keys():
            return False
        self._answer = answer
        self._answered.set()
        return True


@contextmanager
def begin(client: Client) -> Iterator[BrowserSignIn]:
    """Listen on a free port of this machine, and on no other, as long as the sign-in goes on."""
    verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
    with _Listener(("127.0.0.1", 0), _Handler) as server:
        redirect = f"http://127.0.0.1:{server.server_address[1]}/"
        sign_in = BrowserSignIn(client, _url(client, redirect, verifier, state), redirect, verifier, state)
        server.sign_in = sign_in
        thread = threading.Thread(target=server.serve_forever, args=(0.1,), name="sign-in", daemon=True)
        thread.start()
        try:
            yield sign_in
        finally:
            server.shutdown()
            thread.join(_SECONDS)


def _url(client: Client, redirect: str, verifier: str, state: str) -> str:
    digest = hashlib.sha256(verifier.encode("ascii")).digest()
    query = {
        "response_type": "code",
        "client_id": client.id,
        "redirect_uri": redirect,
        "scope": " ".join(client.provider.scopes),
        "state": state,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
        # Without these Google gives no token for renewing.
        "access_type": "offline",
        "prompt": "consent",
    }
    joint = "&" if urlsplit(client.provider.authorize).query else "?"
    return f"{client.provider.authorize}{joint}{urlencode(query)}"


class _Listener(HTTPServer):
    sign_in: BrowserSignIn | None = None


class _Handler(BaseHTTPRequestHandler):
    timeout = _SECONDS

    def do_GET(self) -> None:
        parts = urlsplit(self.path[:_LONGEST_LINE])
        answer = {name: values[0] for name, values in parse_qs(parts.query).items()}
        sign_in = self.server.sign_in if isinstance(self.server, _Listener) else None
        taken = parts.path == "/" and sign_in is not None and sign_in.came_back(answer)
        page = _DONE if taken and "code" in answer else _NOT_DONE
        self.send_response(200 if taken else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:
        """The code in the address belongs in no log."""
