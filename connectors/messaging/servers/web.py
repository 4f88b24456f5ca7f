"""Fetches the settings that a domain offers to mail programs, over HTTPS alone."""

import ssl
import urllib.error
import urllib.request
from collections.abc import Sequence
from email.message import Message
from http.client import HTTPException
from typing import IO, Final, Protocol
from urllib.parse import quote, urlsplit

from connectors.trust import tls

_LARGEST: Final = 100_000
_SECONDS: Final = 4.0
PLACES: Final = (
    "https://autoconfig.{domain}/mail/config-v1.1.xml?emailaddress={address}",
    "https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml",
)


class Settings(Protocol):
    """What gives the files with settings that a domain offers."""

    def files(self, address: str) -> Sequence[bytes]:
        """Those there are for an address; never raises."""
        ...


class Web:
    """Asks the domain's own web server; a redirection is only followed to another HTTPS address."""

    def __init__(self, places: Sequence[str] = PLACES, trusted: ssl.SSLContext | None = None) -> None:
        self._places = places
        handler = urllib.request.HTTPSHandler(context=trusted or tls())
        self._opener = urllib.request.build_opener(handler, _OnlyEncrypted())

    def files(self, address: str) -> Sequence[bytes]:
        domain = address.rpartition("@")[2].lower()
        urls = [each.format(domain=quote(domain), address=quote(address)) for each in self._places]
        found = (self._fetched(url) for url in urls)
        return [data for data in found if data is not None]

    def _fetched(self, url: str) -> bytes | None:
        try:
            with self._opener.open(url, timeout=_SECONDS) as answer:
                data: bytes = answer.read(_LARGEST + 1)
        except (OSError, HTTPException, ValueError):
            return None
        return data if len(data) <= _LARGEST else None


class _OnlyEncrypted(urllib.request.HTTPRedirectHandler):
    max_redirections = 3

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> urllib.request.Request | None:
        if urlsplit(newurl).scheme != "https":
            raise urllib.error.HTTPError(newurl, code, "not encrypted", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]
