"""The XML that servers are asked in, and what is read out of their answers (RFC 4918, 4791, 6352, 6578)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from connectors.dav.kind import Kind

DAV = "{DAV:}"
CALENDARSERVER = "{http://calendarserver.org/ns/}"
_NAMESPACES = 'xmlns:d="DAV:" xmlns:s="http://calendarserver.org/ns/"'

_HEAD = '<?xml version="1.0" encoding="utf-8"?>'

PRINCIPAL = "<d:current-user-principal/><d:resourcetype/>"
FOLDER = (
    "<d:displayname/><d:resourcetype/><d:sync-token/><s:getctag/><d:current-user-privilege-set/>"
    "<d:supported-report-set/>"
)
VERSION = "<d:getetag/>"


@dataclass(frozen=True, slots=True)
class Row:
    """One resource of a multistatus answer: its address as the server wrote it, status, known properties."""

    href: str
    status: int
    props: dict[str, Any]

    def text(self, name: str) -> str:
        """The text of a property, or empty."""
        element = self.props.get(name)
        return (element.text or "").strip() if element is not None else ""

    def hrefs(self, name: str) -> tuple[str, ...]:
        """The addresses in a property."""
        element = self.props.get(name)
        found = element.iter(f"{DAV}href") if element is not None else ()
        return tuple(each.text.strip() for each in found if each.text)

    def names(self, name: str) -> frozenset[str]:
        """The names of all elements inside a property."""
        element = self.props.get(name)
        return frozenset(str(each.tag) for each in element.iter()) if element is not None else frozenset()


def propfind(props: str, kind: Kind | None = None) -> str:
    """Ask for properties, some of which may be of a kind's own namespace."""
    own = f' xmlns:k="{kind.namespace}"' if kind else ""
    return f"{_HEAD}<d:propfind {_NAMESPACES}{own}><d:prop>{props}</d:prop></d:propfind>"


def sync_collection(token: str) -> str:
    """Ask what changed since a token; an empty one asks for everything (RFC 6578 3.2)."""
    return (
        f"{_HEAD}<d:sync-collection {_NAMESPACES}>"
        f"<d:sync-token>{escape(token)}</d:sync-token><d:sync-level>1</d:sync-level>"
        f"<d:prop>{VERSION}</d:prop></d:sync-collection>"
    )


def multiget(kind: Kind, hrefs: Iterable[str]) -> str:
    """Ask for items by their addresses (RFC 4791 7.9, RFC 6352 8.7)."""
    listed = "".join(f"<d:href>{escape(each)}</d:href>" for each in hrefs)
    return (
        f'{_HEAD}<k:{kind.multiget} {_NAMESPACES} xmlns:k="{kind.namespace}">'
        f"<d:prop>{VERSION}<k:{kind.data}/></d:prop>{listed}</k:{kind.multiget}>"
    )


def rows(tree: Any) -> list[Row]:
    """The resources of a multistatus answer, in its order."""
    return [] if tree is None else [_row(each) for each in tree.iter(f"{DAV}response")]


def sync_token(tree: Any) -> str:
    """The token that a sync answer ends with, or empty."""
    found = tree.find(f"{DAV}sync-token") if tree is not None else None
    return (found.text or "").strip() if found is not None else ""


def failures(tree: Any) -> frozenset[str]:
    """The conditions that an error answer names (RFC 4918 16)."""
    if tree is None or tree.tag != f"{DAV}error":
        return frozenset()
    return frozenset(str(each.tag) for each in tree)


def _row(response: Any) -> Row:
    href = response.find(f"{DAV}href")
    props: dict[str, Any] = {}
    for propstat in response.findall(f"{DAV}propstat"):
        if _status(propstat.find(f"{DAV}status")) == 200:
            props |= {str(each.tag): each for prop in propstat.findall(f"{DAV}prop") for each in prop}
    status = response.find(f"{DAV}status")
    address = (href.text or "").strip() if href is not None else ""
    return Row(address, _status(status), props)


def _status(element: Any) -> int:
    words: Sequence[str] = (element.text or "").split() if element is not None else ()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 200
