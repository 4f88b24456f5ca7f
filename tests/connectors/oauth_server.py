"""An authorization server on loopback (RFC 6749, 7636, 8628) that checks what it is given, and can refuse."""

import base64
import hashlib
import http.server
import itertools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from connectors.oauth.provider import Provider

CLIENT = "askfirst-of-robin"
_DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


class No(Exception):
    """An error code of RFC 6749 or RFC 8628."""


@dataclass
class OAuthServer:
    """What a provider knows: codes, tokens, and who has said yes.

    `approved` is whether the person has typed the code of a device; `rotates` gives a new refresh token with
    each renewal, after which the old one is good no more. `access` is the token that it gives, or else each
    is another. `fails` is an HTTP code with which it answers all that is asked for tokens.
    """

    port: int = 0
    approved: bool = False
    slow_down: int = 0
    rotates: bool = False
    revoked: bool = False
    lasts: int = 3600
    access: str = ""
    secret: str = ""
    fails: int = 0
    asked: list[dict[str, str]] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    refresh: set[str] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def provider(self) -> Provider:
        base = f"http://127.0.0.1:{self.port}"
        return Provider("home", f"{base}/authorize", f"{base}/token", f"{base}/device", ("mail", "offline"))

    def authorize(self, query: dict[str, str]) -> str:
        """The person says yes in the browser: where that is sent."""
        assert query["response_type"] == "code"
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        code = f"code-{next(self._numbers)}"
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def device(self, form: dict[str, str]) -> dict[str, Any]:
        self._known(form)
        where = f"http://127.0.0.1:{self.port}/activate"
        return {
            "device_code": "device-1",
            "user_code": "WDJB-MJHT",
            "verification_uri": where,
            "expires_in": 600,
            "interval": 5,
        }

    def token(self, form: dict[str, str]) -> dict[str, Any]:
        self._known(form)
        match form["grant_type"]:
            case "authorization_code":
                self._check_code(form)
            case "refresh_token":
                return self._renewed(form["refresh_token"])
            case grant if grant == _DEVICE:
                self._check_device(form)
            case _:
                raise No("unsupported_grant_type")
        return {**self._access(), "refresh_token": self._new_refresh()}

    def _known(self, form: dict[str, str]) -> None:
        self.asked.append(form)
        if form.get("client_id") != CLIENT or form.get("client_secret", "") != self.secret:
            raise No("invalid_client")

    def _check_code(self, form: dict[str, str]) -> None:
        begun = self.codes.pop(form["code"], None)
        if begun is None or begun["redirect_uri"] != form["redirect_uri"]:
            raise No("invalid_grant")
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != begun["code_challenge"]:
            raise No("invalid_grant")

    def _check_device(self, form: dict[str, str]) -> None:
        if form["device_code"] != "device-1":
            raise No("invalid_grant")
        if self.slow_down:
            self.slow_down -= 1
            raise No("slow_down")
        if not self.approved:
            raise No("authorization_pending")

    def _renewed(self, refresh: str) -> dict[str, Any]:
        if self.revoked or refresh not in self.refresh:
            raise No("invalid_grant")
        if not self.rotates:
            return self._access()
        self.refresh.remove(refresh)
        return {**self._access(), "refresh_token": self._new_refresh()}

    def _access(self) -> dict[str, Any]:
        token = self.access or f"access-{next(self._numbers)}"
        return {"access_token": token, "token_type": "Bearer", "expires_in": self.lasts}

    def _new_refresh(self) -> str:
        token = f"refresh-{next(self._numbers)}"
        self.refresh.add(token)
        return token


@contextmanager
def oauth_server() -> Iterator[OAuthServer]:
    """A server that is running."""
    known = OAuthServer()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            self._answer(302, b"", known.authorize(query))

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            form = {name: values[0] for name, values in parse_qs(data.decode()).items()}
            if known.fails:
                self._answer(known.fails, b"<html>not now</html>")
                return
            try:
                told = known.device(form) if self.path == "/device" else known.token(form)
                self._answer(200, json.dumps(told).encode())
            except No as no:
                self._answer(400, json.dumps({"error": str(no)}).encode())

        def _answer(self, code: int, body: bytes, location: str = "") -> None:
            self.send_response(code)
            if location:
                self.send_header("Location", location)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    known.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield known
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
