"""A DNS server on loopback that answers what it was told to, and remembers what it was asked."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

from connectors.discovery import Dns

_SECONDS = 0.3


@dataclass
class DnsServer:
    """Records by name and type, such as `("_imaps._tcp.example.org", "SRV")`; a name with none is unknown.

    `silent` answers nothing, `broken` with bytes that are no answer.
    """

    port: int = 0
    records: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    silent: bool = False
    broken: bool = False

    def name(self, service: str, domain: str, *hosts: str, path: str = "") -> None:
        """Name hosts for a service, each as `priority weight port host.`."""
        name = f"_{service}._tcp.{domain}"
        self.records[name, "SRV"] = hosts
        if path:
            self.records[name, "TXT"] = (f'"path={path}"',)

    @property
    def lookup(self) -> Dns:
        """What asks this server and no other."""
        return Dns(("127.0.0.1",), self.port, _SECONDS)

    def answer(self, data: bytes) -> bytes:
        query = dns.message.from_wire(data)
        question = query.question[0]
        name, kind = question.name.to_text(omit_final_dot=True), dns.rdatatype.to_text(question.rdtype)
        self.asked.append((name, kind))
        reply = dns.message.make_response(query)
        reply.flags |= dns.flags.RA
        if (name, kind) in self.records:
            reply.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *self.records[name, kind]))
        elif not any(known == name for known, _ in self.records):
            reply.set_rcode(dns.rcode.NXDOMAIN)
        return b"not DNS" if self.broken else reply.to_wire()


@contextmanager
def dns_server() -> Iterator[DnsServer]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        server = DnsServer(listener.getsockname()[1])
        thread = threading.Thread(target=_serve, args=(listener, server), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            listener.sendto(b"", ("127.0.0.1", server.port))
            thread.join(timeout=5)


def _serve(listener: socket.socket, server: DnsServer) -> None:
    while True:
        data, whom = listener.recvfrom(4096)
        if not data:
            return
        answer = server.answer(data)
        if not server.silent:
            with suppress(OSError):
                listener.sendto(answer, whom)
