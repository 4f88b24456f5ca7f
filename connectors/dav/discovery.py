"""Finds a user's folders on a server (RFC 6764 6, RFC 4791 6.2.1, RFC 6352 7.1.1, RFC 5397)."""

import contextlib
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote, urljoin, urlsplit

from connectors.clean import clean_line
from connectors.dav import xml
from connectors.dav.accounts import Account
from connectors.dav.faults import Gone, NotDav, Refused
from connectors.dav.kind import Kind
from connectors.dav.quirks import Profile, profile_named, recognise
from connectors.dav.server import Reply, Server

_LONGEST_NAME = 60
_SAFE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,59}")
_WRITING = frozenset(f"{xml.DAV}{name}" for name in ("all", "write", "write-content"))


@dataclass(frozen=True, slots=True)
class Home:
    """Where a user's folders are: the folders they are in, the user's own address, what the server is."""

    urls: tuple[str, ...]
    me: str
    schedules: bool
    profile: Profile


@dataclass(frozen=True, slots=True)
class Remote:
    """One folder as a server lists it: a calendar, an address book.

    `components` are what it says it holds, such as VEVENT (none: anything); `token` changes whenever
    anything in it does (empty: unknown).
    """

    name: str
    url: str
    displayname: str
    read_only: bool
    components: frozenset[str]
    token: str
    can_sync: bool


def find_home(server: Server, account: Account) -> Home:
    """Where the folders of the account are. Raises NotDav where that cannot be found out."""
    first = _first_answer(server)
    row = xml.rows(first.tree)[0]
    schedules, headers = _options(server, first)
    profile = profile_named(account.profile) or recognise(first.url, headers)
    if server.kind.tag(server.kind.resource) in row.names(f"{xml.DAV}resourcetype"):
        return Home((first.url,), "", schedules or profile.mails, profile)
    principals = row.hrefs(f"{xml.DAV}current-user-principal")
    where = server.onward(first.url, principals[0]) if principals else first.url
    known = _only_row(server.propfind(where, xml.propfind(_of_user(server.kind), server.kind)))
    homes = known.hrefs(server.kind.tag(server.kind.home))
    if not homes:
        raise NotDav(f"{server.name} does not say where this user's {server.kind.folders} are.")
    mine = [each for each in known.hrefs(server.kind.tag("calendar-user-address-set")) if _is_mail(each)]
    return Home(
        tuple(server.onward(where, each) for each in homes),
        mine[0][len("mailto:") :] if mine else _own_address(account),
        schedules or profile.mails,
        profile,
    )


def list_folders(server: Server, home: Home, account: Account) -> list[Remote]:
    """The folders there are now. Raises NotDav for an answer that does not even list the folder."""
    found: dict[str, Remote] = {}
    for url in home.urls:
        reply = server.propfind(url, xml.propfind(xml.FOLDER + server.kind.of_folder, server.kind), depth=1)
        listed = xml.rows(reply.tree)
        if not listed:
            raise NotDav(f"{server.name} lists nothing, not even the folder of {server.kind.folders}.")
        for row in listed:
            if server.kind.tag(server.kind.resource) in row.names(f"{xml.DAV}resourcetype"):
                remote = _remote(server, urljoin(url, row.href), row, home, found)
                if _wanted(remote, account.chosen):
                    found[remote.name] = remote
    return list(found.values())


def _first_answer(server: Server) -> Reply:
    """The answer of the address given, or else of the well-known one, or else of the root (RFC 6764 6)."""
    others = (f"/.well-known/{server.kind.well_known}", "/")
    addresses = (server.address, *(urljoin(server.address, each) for each in others))
    for address in dict.fromkeys(addresses):
        try:
            reply = server.propfind(address, xml.propfind(xml.PRINCIPAL))
        except (Gone, Refused):
            continue
        if xml.rows(reply.tree):
            return reply
    raise NotDav(f"{server.name} answers, but has no {server.kind.folders} at that address.")


def _options(server: Server, first: Reply) -> tuple[bool, dict[str, str]]:
    """Whether the server mails invitations itself (RFC 6638 2), and all its headers."""
    headers = {**first.headers}
    with contextlib.suppress(Gone, Refused):
        headers |= dict(server.ask("OPTIONS", first.url).headers)
    said = " ".join(value for name, value in headers.items() if name.lower() == "dav").lower()
    return "calendar-auto-schedule" in said, headers


def _of_user(kind: Kind) -> str:
    return f"<k:{kind.home}/>{kind.of_user}"


def _only_row(reply: Reply) -> xml.Row:
    found = xml.rows(reply.tree)
    if not found:
        raise NotDav("The server says nothing of this user.")
    return found[0]


def _is_mail(address: str) -> bool:
    return address.lower().startswith("mailto:")


def _own_address(account: Account) -> str:
    return account.user if "@" in account.user else ""


def _remote(server: Server, url: str, row: xml.Row, home: Home, taken: Iterable[str]) -> Remote:
    privileges = row.names(f"{xml.DAV}current-user-privilege-set")
    kinds = row.props.get(server.kind.tag("supported-calendar-component-set"))
    names = (
        {each.get("name", "").upper() for each in kinds.iter() if each.get("name")}
        if kinds is not None
        else set()
    )
    path = unquote(urlsplit(url).path)
    shown = clean_line(row.text(f"{xml.DAV}displayname") or path.rstrip("/").rpartition("/")[2])
    reports = row.names(f"{xml.DAV}supported-report-set")
    token = row.text(f"{xml.DAV}sync-token") or row.text(f"{xml.CALENDARSERVER}getctag")
    return Remote(
        name=_name(server.name, path, set(taken)),
        url=url if url.endswith("/") else f"{url}/",
        displayname=shown if len(shown) <= _LONGEST_NAME else shown[: _LONGEST_NAME - 1] + "…",
        read_only=bool(privileges) and not privileges & _WRITING,
        components=frozenset(names),
        token=token,
        can_sync=home.profile.sync_token and f"{xml.DAV}sync-collection" in reports,
    )


def _name(account: str, path: str, taken: set[str]) -> str:
    """The name of a folder: the account's and the last part of the path, or something made from it."""
    last = path.rstrip("/").rpartition("/")[2]
    slug = last if _SAFE.fullmatch(last) else hashlib.sha256(path.encode()).hexdigest()[:8]
    name = f"{account}~{slug}"
    return f"{name}-{hashlib.sha256(path.encode()).hexdigest()[:4]}" if name in taken else name


def _wanted(remote: Remote, names: tuple[str, ...]) -> bool:
    path = urlsplit(remote.url).path
    own = {remote.name.partition("~")[2], remote.displayname, path, path.rstrip("/"), remote.url}
    return not names or any(name in own for name in names)
