"""The file in which a domain tells mail programs its servers (Thunderbird's autoconfiguration 1.1)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from connectors.messaging.server import Security
from connectors.messaging.servers.offer import Offer, Said, Use

_SERVERS: Final = {("incomingServer", "imap"): Use.MAILBOX, ("outgoingServer", "smtp"): Use.SENDING}
_ENCRYPTED: Final[dict[str, Security]] = {"ssl": "tls", "starttls": "starttls"}
_HOST: Final = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
_DEEPEST: Final = 12
_MOST_TEXT: Final = 500
_MOST_SERVERS: Final = 20


class NotSettings(Exception):
    """The file is no such file, or holds what none may hold."""


def offers_in(data: bytes, address: str) -> tuple[Offer, ...]:
    """The servers with encryption that the file names, in its order. Raises NotSettings.

    Nothing in it is fetched or expanded: a document type, and so every entity, is refused.
    """
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.begin
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.ExternalEntityRefHandler = _refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise NotSettings(
            f"it is not well-formed ({expat.errors.messages.get(error.code, 'XML')})"
        ) from error
    except (LookupError, ValueError) as error:
        raise NotSettings("it is in an encoding that is not known") from error
    return tuple(_offers(reader.servers, address))


@dataclass(slots=True)
class _Server:
    use: Use
    said: dict[str, str] = field(default_factory=dict)


class _Reader:
    """Collects the servers of `clientConfig/emailProvider`; whatever else stands there is passed over."""

    def __init__(self) -> None:
        self.servers: list[_Server] = []
        self._path: list[str] = []
        self._server: _Server | None = None
        self._text = ""

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        if len(self._path) > _DEEPEST or len(self.servers) > _MOST_SERVERS:
            raise NotSettings("it holds more than such a file does")
        self._text = ""
        if self._path[:-1] == ["clientConfig", "emailProvider"]:
            use = _SERVERS.get((name, attributes.get("type", "").lower()))
            self._server = _Server(use) if use else None

    def end(self, name: str) -> None:
        depth = len(self._path)
        self._path.pop()
        if self._server is None:
            return
        if depth == 4:
            # Of several ways to sign in the first counts, as of everything that stands there twice.
            self._server.said.setdefault(name, self._text.strip())
        elif depth == 3:
            self.servers.append(self._server)
            self._server = None

    def text(self, data: str) -> None:
        self._text = (self._text + data)[:_MOST_TEXT]


def _refuse(*_: object) -> int:
    raise NotSettings("it declares a document type")


def _offers(servers: list[_Server], address: str) -> Iterator[Offer]:
    for server in servers:
        host, port = server.said.get("hostname", "").lower(), server.said.get("port", "")
        security = _ENCRYPTED.get(server.said.get("socketType", "").lower())
        good = _HOST.fullmatch(host) and port.isascii() and port.isdigit() and 0 < int(port[:6]) <= 65535
        if good and security:
            user = _user(server.said.get("username", ""), address)
            yield Offer(server.use, host, int(port), security, Said.SETTINGS, user)


def _user(template: str, address: str) -> str:
    """The name to sign in as; a template with what nobody can fill in is none."""
    local, _, domain = address.rpartition("@")
    for name, value in (("ADDRESS", address), ("LOCALPART", local), ("DOMAIN", domain)):
        template = template.replace(f"%EMAIL{name}%", value)
    return template if "%" not in template and template.isprintable() else ""
