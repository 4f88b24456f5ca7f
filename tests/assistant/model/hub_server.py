"""A hub on this machine that serves one repository, well or with faults on purpose."""

import contextlib
import hashlib
import json
import ssl
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

REPOSITORY = "qvac/BotPsy-0.8B-GGUF"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass(frozen=True, slots=True)
class Fault:
    """How one answer goes wrong; what is left as it is goes right.

    `cut` ends the connection after so many bytes of the body, `flip` changes the byte at this place of the
    file, `length` is added to the length that is said, `extra` bytes come behind the body, `pause` is waited
    before each `piece` of the body, `stall` sends nothing more after the head, or after the `cut`, until the
    server ends,
    `data` is sent as the file from now on.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    cut: int | None = None
    flip: int | None = None
    length: int = 0
    extra: bytes = b""
    pause: float = 0.0
    piece: int = 1 << 16
    stall: bool = False
    ignore_range: bool = False
    shift: int = 0
    data: bytes | None = None


def status(code: int, **headers: str) -> Fault:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Fault(status=code, headers=named, body=b'{"error": "no"}')


def web_page() -> Fault:
    return Fault(headers={"Content-Type": "text/html; charset=utf-8"}, body=b"<html>Sign in</html>")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request for a file: where, from which byte on, on what condition, with which token."""

    path: str
    range: str | None
    if_range: str | None
    authorization: str | None


class HubServer(ThreadingHTTPServer):
    """Serves `files` by name. Each request for a file takes the next of `faults`, if there is one; each for
    the list the next of `list_faults`.

    `redirect` sends on for a file to another path, or to `other`, a second server that has it;
    `list_redirect` for the list. With `secure` it speaks TLS.
    """

    daemon_threads = True

    def __init__(
        self,
        files: Mapping[str, bytes],
        *,
        sums: bool = True,
        repository: str = REPOSITORY,
        secure: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.secure = secure is not None
        if secure:
            self.socket = secure.wrap_socket(self.socket, server_side=True)
        self.files = dict(files)
        self.sums = sums
        self.repository = repository
        self.faults: list[Fault] = []
        self.list_faults: list[Fault] = []
        self.asked: list[Asked] = []
        self.listed: list[str | None] = []
        self.agents: list[str] = []
        self.redirect = ""
        self.list_redirect = ""
        self.other: HubServer | None = None
        self.need_token = ""
        self.version = 1
        self.requests = threading.Semaphore(0)
        self.lists = threading.Semaphore(0)
        self.over = threading.Event()

    @property
    def address(self) -> str:
        return f"http{'s' if self.secure else ''}://127.0.0.1:{self.server_address[1]}"

    def listing(self) -> bytes:
        siblings = []
        for name, data in self.files.items():
            entry: dict[str, object] = {"rfilename": name, "blobId": "b" * 40}
            if self.sums:
                sha256 = hashlib.sha256(data).hexdigest()
                entry |= {"size": len(data), "lfs": {"sha256": sha256, "size": len(data), "pointerSize": 134}}
            siblings.append(entry)
        return json.dumps({"id": self.repository, "sha": COMMIT, "siblings": siblings}).encode()


class _Handler(BaseHTTPRequestHandler):
    server: HubServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        hub, path = self.server, unquote(urlsplit(self.path).path)
        token = self.headers.get("Authorization")
        if path.startswith("/api/models/"):
            hub.listed.append(token)
            hub.lists.release()
            hub.agents.append(self.headers.get("User-Agent", ""))
            fault = hub.list_faults.pop(0) if hub.list_faults else Fault()
            if hub.list_redirect:
                self._answer(Fault(status=302, body=b""), b"", {"Location": hub.list_redirect + path})
                return
            self._list(fault, path)
        elif "/resolve/" in path or path.startswith("/cdn/"):
            asked = Asked(path, self.headers.get("Range"), self.headers.get("If-Range"), token)
            hub.asked.append(asked)
            hub.requests.release()
            self._file(asked)
        else:
            self._answer(Fault(status=404), b"", {})

    def _list(self, fault: Fault, path: str) -> None:
        hub = self.server
        if hub.need_token and self.headers.get("Authorization") != f"Bearer {hub.need_token}":
            fault = status(401)
        elif fault.status == 200 and not path.startswith(f"/api/models/{hub.repository}/revision/"):
            fault = status(404)
        elif fault.status == 200 and not path.endswith(("/main", COMMIT)):
            fault = status(404, X_Error_Code="RevisionNotFound")
        self._answer(fault, hub.listing(), {"Content-Type": "application/json"})

    def _file(self, asked: Asked) -> None:
        hub = self.server
        if "/resolve/" in asked.path and hub.redirect:
            name = asked.path.rpartition("/")[2]
            start = hub.other.address if hub.other else ""
            location = hub.redirect.format(start=start, name=name)
            self._answer(Fault(status=302, body=b""), b"", {"Location": location})
            return
        name = (
            asked.path.removeprefix("/cdn/").partition(f"/resolve/{COMMIT}/")[2]
            or asked.path.rpartition("/")[2]
        )
        fault = hub.faults.pop(0) if hub.faults else Fault()
        if fault.data is not None:
            hub.files[name] = fault.data
            hub.version += 1
        if name not in hub.files:
            self._answer(Fault(status=404), b"", {})
            return
        self._send(fault, hub.files[name], f'"v{hub.version}"', asked)

    def _send(self, fault: Fault, data: bytes, etag: str, asked: Asked) -> None:
        whole = len(data)
        if fault.flip is not None and whole:
            at = fault.flip % whole
            data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        headers = {"Content-Type": "application/octet-stream", "ETag": etag}
        good = asked.if_range in (None, etag)
        if asked.range and good and not fault.ignore_range and fault.status == 200 and fault.body is None:
            start = int(asked.range.removeprefix("bytes=").partition("-")[0])
            if start >= whole:
                self._answer(Fault(status=416), b"", {"Content-Range": f"bytes */{whole}"})
                return
            start = max(start - fault.shift, 0)
            headers["Content-Range"] = f"bytes {start}-{whole - 1}/{whole}"
            self._answer(fault, data[start:], headers, code=206)
        else:
            self._answer(fault, data, headers)

    def _answer(self, fault: Fault, data: bytes, headers: dict[str, str], code: int = 200) -> None:
        body = data if fault.body is None else fault.body
        self.send_response(code if fault.status == 200 else fault.status)
        said = {**headers, "Content-Length": str(len(body) + fault.length), **fault.headers}
        if fault != Fault():
            said["Connection"] = "close"
        for name, value in said.items():
            if value or name != "Content-Length":
                self.send_header(name, value)
        self.end_headers()
        body = (body + fault.extra)[: fault.cut]
        with contextlib.suppress(OSError):
            self._pour(fault, body)
        if fault != Fault():
            self.close_connection = True

    def _pour(self, fault: Fault, body: bytes) -> None:
        self.wfile.flush()
        if fault.stall and fault.cut is None:
            body = b""
        for at in range(0, len(body), fault.piece):
            if fault.pause and self.server.over.wait(fault.pause):
                return
            self.wfile.write(body[at : at + fault.piece])
            self.wfile.flush()
        if fault.stall:
            self.server.over.wait(20)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextlib.contextmanager
def serving(hub: HubServer) -> Iterator[HubServer]:
    thread = threading.Thread(target=hub.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield hub
    finally:
        hub.over.set()
        hub.shutdown()
        thread.join()
        hub.server_close()
