"""A package index on this machine that can cut the line, and wheels to put on it."""

import contextlib
import hashlib
import os
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO

PROJECT = "askfirst-stand-in"
FILE = "askfirst_stand_in-1.0-py3-none-any.whl"


def wheel(files: dict[str, bytes]) -> bytes:
    """A wheel of the stand-in project with these files in it, not compressed."""
    about = "askfirst_stand_in-1.0.dist-info"
    whole = {
        **files,
        f"{about}/METADATA": b"Metadata-Version: 2.1\nName: askfirst-stand-in\nVersion: 1.0\n",
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/RECORD": b"",
    }
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in whole.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Index(ThreadingHTTPServer):
    """Serves one wheel; the first `cuts` answers end after `keep` bytes.

    `asked` holds the ranges that were asked for, None where it was the whole.
    """

    daemon_threads = True

    def __init__(self, data: bytes, *, cuts: int = 0, keep: int = 0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.data = data
        self.cuts = cuts
        self.keep = keep
        self.asked: list[str | None] = []
        self.begun = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/simple/"


class _Handler(BaseHTTPRequestHandler):
    server: Index

    def do_GET(self) -> None:
        if self.path == f"/simple/{PROJECT}/":
            page = f'<!DOCTYPE html><html><body><a href="/files/{FILE}">{FILE}</a></body></html>'.encode()
            self._answer(200, page, {"Content-Type": "text/html"})
        elif self.path == f"/files/{FILE}":
            self._file()
        else:
            self.send_error(404)

    def _file(self) -> None:
        index, wanted = self.server, self.headers.get("Range")
        index.asked.append(wanted)
        start = int(wanted.removeprefix("bytes=").partition("-")[0]) if wanted else 0
        headers = {"Accept-Ranges": "bytes", "ETag": '"one"', "Content-Type": "application/octet-stream"}
        if wanted:
            headers["Content-Range"] = f"bytes {start}-{len(index.data) - 1}/{len(index.data)}"
        self._answer(206 if wanted else 200, index.data[start:], headers, cut=index.cuts > 0)

    def _answer(self, code: int, body: bytes, headers: dict[str, str], cut: bool = False) -> None:
        self.send_response(code)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if cut:
            self.server.cuts -= 1
            body = body[: self.server.keep]
        with contextlib.suppress(OSError):
            self.wfile.write(body)
            self.wfile.flush()
            self.server.begun.set()
        self.close_connection = True

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextlib.contextmanager
def serving(index: Index) -> Iterator[Index]:
    thread = threading.Thread(target=index.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield index
    finally:
        index.shutdown()
        thread.join()
        index.server_close()


def pip_environment(index_url: str) -> dict[str, str]:
    """Settings under which pip knows this index and no other."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PIP_") and "proxy" not in k.casefold()}
    return {**kept, "PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": index_url, "PIP_RETRIES": "1"}
