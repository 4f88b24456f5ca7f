"""A proxy in front of a mail server that breaks the line at a chosen command, before or after it is heard."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field

_LINGER = 0.15


@dataclass(slots=True)
class Cut:
    """Break the connection at the client's `line`-th line (from 1; 0: never).

    Before the server has it, or once the server has had a moment to act on it while its answer gets lost.
    `meanwhile` is what somebody else does each time before the server gets a line. Afterwards nobody gets
    through any more, unless it `heals`. `alter` is what the server hears instead of a line.
    """

    line: int = 0
    heard: bool = False
    meanwhile: Callable[[bytes], None] = lambda line: None
    heals: bool = False
    alter: Callable[[bytes], bytes] = bytes
    lines: int = field(default=0, init=False)
    said: list[bytes] = field(default_factory=list, init=False)

    @property
    def reached(self) -> bool:
        """True if the line was broken."""
        return 0 < self.line <= self.lines


@contextmanager
def cutting(port: int, cut: Cut) -> Iterator[int]:
    """A proxy for a port of this machine; yields its own port."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        threading.Thread(target=_serve, args=(listener, port, cut), daemon=True).start()
        yield listener.getsockname()[1]
        # Closing alone does not wake a thread that waits for a connection.
        listener.shutdown(socket.SHUT_RDWR)


def _serve(listener: socket.socket, port: int, cut: Cut) -> None:
    with suppress(OSError):
        while True:
            client, _ = listener.accept()
            if cut.reached and not cut.heals:
                client.close()
                continue
            server = socket.create_connection(("127.0.0.1", port))
            broken = threading.Event()
            threading.Thread(target=_answers, args=(server, client, broken), daemon=True).start()
            threading.Thread(target=_commands, args=(client, server, cut, broken), daemon=True).start()


def _answers(server: socket.socket, client: socket.socket, broken: threading.Event) -> None:
    with suppress(OSError):
        while data := server.recv(65536):
            if broken.is_set():
                continue
            client.sendall(data)
    _end(client, server)


def _commands(client: socket.socket, server: socket.socket, cut: Cut, broken: threading.Event) -> None:
    rest = b""
    with suppress(OSError):
        while data := client.recv(65536):
            *whole, rest = (rest + data).split(b"\r\n")
            for line in whole:
                cut.lines += 1
                cut.said.append(line)
                cut.meanwhile(line)
                if cut.lines == cut.line:
                    broken.set()
                    if cut.heard:
                        server.sendall(line + b"\r\n")
                        # The server acts while nobody listens to it any more.
                        threading.Event().wait(_LINGER)
                    _end(client, server)
                    return
                server.sendall(cut.alter(line) + b"\r\n")
    _end(client, server)


def _end(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
