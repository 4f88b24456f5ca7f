"""A proxy in front of a real server that fails on command: between, before or after what is asked of it."""

import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum

_PATIENCE = 30.0


class Fault(StrEnum):
    """What goes wrong with one request."""

    NONE = "none"
    NEVER_ARRIVES = "the connection breaks before the server has the request"
    NO_ANSWER = "the server does it and the connection breaks"
    HALF_AN_ANSWER = "the server does it and half of its answer arrives"
    SLOW = "the server does it and its answer takes too long"
    SIGN_IN = "401"
    CHANGED = "412"
    TOO_MANY = "429"
    BROKEN = "500"
    BROKEN_AFTER = "the server does it and answers 500"
    GATEWAY = "the server does it and the gateway answers 504"
    LOGIN_PAGE = "a login page instead of an answer"


_ANSWERS = {
    Fault.SIGN_IN: b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\n",
    Fault.CHANGED: b"HTTP/1.1 412 Precondition Failed\r\n",
    Fault.TOO_MANY: b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\n",
    Fault.BROKEN: b"HTTP/1.1 500 Internal Server Error\r\n",
    Fault.BROKEN_AFTER: b"HTTP/1.1 500 Internal Server Error\r\n",
    Fault.GATEWAY: b"HTTP/1.1 504 Gateway Timeout\r\n",
}
_PAGE = b"<!DOCTYPE html><html><body><form>Please sign in<br></form></body></html>"
_AFTER = frozenset(
    {Fault.NO_ANSWER, Fault.HALF_AN_ANSWER, Fault.SLOW, Fault.BROKEN_AFTER, Fault.GATEWAY, Fault.NONE}
)


def no_fault(method: str, path: str) -> Fault:
    return Fault.NONE


def as_it_is(method: str, path: str, answer: bytes) -> bytes:
    return answer


@dataclass
class FaultProxy:
    """Passes requests on to `target`; `choose` says what goes wrong with one, `alter` rewrites its answer."""

    target: tuple[str, int]
    choose: Callable[[str, str], Fault] = no_fault
    alter: Callable[[str, str, bytes], bytes] = as_it_is
    seconds: float = 1.5
    seen: list[tuple[str, str]] = field(default_factory=list)
    port: int = 0
    _over: threading.Event = field(default_factory=threading.Event)

    def writes(self) -> list[str]:
        """The methods of the requests so far that change something."""
        return [method for method, _ in self.seen if method in ("PUT", "DELETE", "POST", "MOVE")]

    def serve(self, listener: socket.socket) -> None:
        while not self._over.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                # Somebody who does not trust the certificate goes away; others may come.
                continue
            threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        with closing(connection), suppress(OSError):
            connection.settimeout(_PATIENCE)
            request = _whole(connection)
            if not request:
                return
            method, path = request.split(b" ", 2)[:2]
            self.seen.append((method.decode(), path.decode()))
            fault = self.choose(method.decode(), path.decode())
            answer = self._pass_on(request) if fault in _AFTER else b""
            answer = _measured(self.alter(method.decode(), path.decode(), answer))
            self._answer(connection, fault, answer)

    def _answer(self, connection: socket.socket, fault: Fault, answer: bytes) -> None:
        match fault:
            case Fault.NEVER_ARRIVES | Fault.NO_ANSWER:
                return
            case Fault.HALF_AN_ANSWER:
                head, _, body = answer.partition(b"\r\n\r\n")
                connection.sendall(
                    head + b"\r\n\r\n" + body[: len(body) // 2] if body else answer[: len(answer) // 2]
                )
            case Fault.SLOW:
                self._over.wait(self.seconds)
                connection.sendall(answer)
            case Fault.LOGIN_PAGE:
                length = str(len(_PAGE)).encode()
                connection.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: "
                    + length
                    + b"\r\nConnection: close\r\n\r\n"
                    + _PAGE
                )
            case Fault.NONE:
                connection.sendall(answer)
            case _:
                connection.sendall(_ANSWERS[fault] + b"Content-Length: 0\r\nConnection: close\r\n\r\n")

    def _pass_on(self, request: bytes) -> bytes:
        """The server's whole answer, as one that closes the connection."""
        head, _, body = request.partition(b"\r\n\r\n")
        # An answer that is packed could not be rewritten.
        lines = [
            each
            for each in head.split(b"\r\n")
            if not each.lower().startswith((b"connection:", b"accept-enc"))
        ]
        with closing(socket.create_connection(self.target, timeout=_PATIENCE)) as server:
            server.sendall(b"\r\n".join([*lines, b"Connection: close"]) + b"\r\n\r\n" + body)
            parts = []
            while part := server.recv(65536):
                parts.append(part)
        head, _, body = b"".join(parts).partition(b"\r\n\r\n")
        lines = [each for each in head.split(b"\r\n") if not each.lower().startswith(b"connection:")]
        return b"\r\n".join([*lines, b"Connection: close"]) + b"\r\n\r\n" + body

    def stop(self) -> None:
        self._over.set()


@contextmanager
def fault_proxy(host: str, port: int, tls: ssl.SSLContext | None = None) -> Iterator[FaultProxy]:
    """A proxy on a port of its own, in front of a server; with `tls` only the proxy speaks that."""
    proxy = FaultProxy((host, port))
    plain = socket.create_server(("127.0.0.1", 0))
    with tls.wrap_socket(plain, server_side=True) if tls else plain as listener:
        proxy.port = listener.getsockname()[1]
        thread = threading.Thread(target=proxy.serve, args=(listener,), daemon=True)
        thread.start()
        yield proxy
        proxy.stop()
        # A listener that is only closed may leave its thread waiting for ever.
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", proxy.port), timeout=1).close()
    thread.join(timeout=5)


def _measured(answer: bytes) -> bytes:
    """An answer whose length is as it says."""
    head, gap, body = answer.partition(b"\r\n\r\n")
    length = b"\r\nContent-Length: " + str(len(body)).encode()
    return re.sub(rb"(?i)\r\ncontent-length:[^\r]*", length, head) + gap + body


def _whole(connection: socket.socket) -> bytes:
    """One request with all of its body, or nothing where the client goes away."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            return b""
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        (int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
    )
    while len(body) < length:
        part = connection.recv(65536)
        if not part:
            return b""
        body += part
    return head + b"\r\n\r\n" + body
