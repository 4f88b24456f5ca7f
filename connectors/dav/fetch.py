"""Fetches items from a server, many at a time, each with the version that goes with its bytes."""

import hashlib
import re
from collections.abc import Sequence
from urllib.parse import unquote, urljoin, urlsplit

from connectors.dav import xml
from connectors.dav.discovery import Remote
from connectors.dav.faults import Gone, NotDav
from connectors.dav.mirror import Arrived
from connectors.dav.server import Server

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_@+=,-][A-Za-z0-9_@+=,. -]{0,75}")


def fetch(server: Server, remote: Remote, hrefs: Sequence[str]) -> list[Arrived]:
    """The items at these addresses that are there; what the server forgot to send is asked for once more."""
    reply = server.report(remote.url, xml.multiget(server.kind, hrefs), depth=1)
    found: dict[str, Arrived] = {}
    absent: set[str] = set()
    for row in xml.rows(reply.tree):
        data, etag = row.text(server.kind.tag(server.kind.data)), row.text(f"{xml.DAV}getetag")
        if row.status in (404, 410):
            absent.add(path_of(row.href))
        elif data and etag:
            name = item_name(row.href, server.kind.suffix)
            found[path_of(row.href)] = Arrived(name, row.href, etag, crlf(data))
    for href in hrefs:
        path = path_of(href)
        if path not in found and path not in absent and (single := fetch_one(server, remote, href)):
            found[path] = single
    # An item keeps the address it was listed under, however the server spells it in its answer.
    spelled = {path_of(href): href for href in hrefs}
    return [
        Arrived(each.name, spelled[path], each.etag, each.data)
        for path, each in found.items()
        if path in spelled
    ]


def fetch_one(server: Server, remote: Remote, href: str) -> Arrived | None:
    """One item with its version (empty where the server gives none), or None where there is none."""
    url = urljoin(remote.url, href)
    try:
        # The library asks for calendars unless it is told otherwise, and some servers hold it to that.
        reply = server.ask("GET", url, "", {"Accept": f"{server.kind.media}, */*;q=0.1"})
        if "html" in reply.headers.get("Content-Type", "").lower():
            raise NotDav(f"{server.name} answers with a page instead of what was asked for.")
        etag = reply.etag or _version(server, url)
    except Gone:
        return None
    return Arrived(item_name(href, server.kind.suffix), href, etag, reply.body)


def item_name(href: str, suffix: str) -> str:
    """The name of an item here: the last part of its address, or something made from it."""
    last = unquote(urlsplit(href).path).rpartition("/")[2]
    if last.endswith(suffix) and _PLAIN_NAME.fullmatch(last.removesuffix(suffix)):
        return last
    return hashlib.sha256(href.encode()).hexdigest()[:16] + suffix


def crlf(text: str) -> bytes:
    """Data out of XML, which knows no carriage returns, with line ends of RFC 5545 3.1 and RFC 6350 3.2."""
    return text.replace("\r\n", "\n").replace("\n", "\r\n").encode() + (
        b"" if text.endswith("\n") else b"\r\n"
    )


def _version(server: Server, url: str) -> str:
    rows = xml.rows(server.propfind(url, xml.propfind(xml.VERSION)).tree)
    return rows[0].text(f"{xml.DAV}getetag") if rows else ""


def path_of(href: str) -> str:
    """The path of an address in one spelling."""
    return unquote(urlsplit(href).path)
