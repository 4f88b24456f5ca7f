"""Brings the mirror up to date: one question for all folders, then only what changed (RFC 6578)."""

import json
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from urllib.parse import urljoin

from connectors.dav import xml
from connectors.dav.accounts import Account
from connectors.dav.discovery import Home, Remote, find_home, list_folders
from connectors.dav.faults import (
    Forbidden,
    Gone,
    Moved,
    NotDav,
    Refused,
    TokenTooOld,
    Unwell,
)
from connectors.dav.fetch import fetch, path_of
from connectors.dav.mirror import Mirror
from connectors.dav.quirks import UNKNOWN, profile_named
from connectors.dav.server import Server

_AT_ONCE = 200
_MOST_PAGES = 1000
# What servers answer to a token they have forgotten, besides what RFC 6578 says.
_FORGOTTEN = (TokenTooOld, Refused, Moved, Unwell, Gone, Forbidden)


def sync(server: Server, mirror: Mirror, account: Account, now: datetime) -> None:
    """Make the mirror as the server is now. Raises the errors in `faults`; what was fetched by then stays."""
    home = home_of(mirror) or learn_home(server, mirror, account)
    try:
        listed = list_folders(server, home, account)
    except Gone:
        listed = list_folders(server, learn_home(server, mirror, account), account)
    known = {each.name: each.token for each in mirror.folders()}
    mirror.keep_folders(listed)
    left_out: list[str] = []
    for remote in listed:
        token = known.get(remote.name, "")
        if not token or not remote.token or token != remote.token:
            left_out += sync_folder(server, mirror, remote, token)
    mirror.remember(synced=now.isoformat(), left_out=json.dumps(left_out))


def home_of(mirror: Mirror) -> Home | None:
    """Where the folders were found before."""
    facts = mirror.facts()
    if "home" not in facts:
        return None
    profile = profile_named(facts.get("profile", "")) or UNKNOWN
    return Home(tuple(json.loads(facts["home"])), facts["me"], facts["schedules"] == "yes", profile)


def learn_home(server: Server, mirror: Mirror, account: Account) -> Home:
    home = find_home(server, account)
    mirror.remember(
        home=json.dumps(home.urls),
        me=home.me,
        schedules="yes" if home.schedules else "no",
        profile=home.profile.name,
    )
    return home


def sync_folder(server: Server, mirror: Mirror, remote: Remote, token: str) -> list[str]:
    """Bring one folder up to date; returns the items that had to be left out."""
    if remote.can_sync:
        for start in dict.fromkeys((token, "")):
            with suppress(*_FORGOTTEN):
                return _by_token(server, mirror, remote, start)
    return _by_comparing(server, mirror, remote)


def _by_token(server: Server, mirror: Mirror, remote: Remote, token: str) -> list[str]:
    """Ask what changed since a token; with none, for everything, which also shows what is gone."""
    everything = not token
    seen: set[str] = set()
    left_out: list[str] = []
    for _ in range(_MOST_PAGES):
        tree = server.report(remote.url, xml.sync_collection(token)).tree
        following = xml.sync_token(tree)
        if not following:
            raise NotDav(f"{server.name} answers a sync with no token.")
        rows = [each for each in xml.rows(tree) if not _is_folder(remote, each)]
        gone = [each.href for each in rows if each.status in (404, 410)]
        versions = {
            each.href: each.text(f"{xml.DAV}getetag") for each in rows if each.status not in (404, 410)
        }
        seen |= versions.keys()
        left_out += _take(server, mirror, remote, versions, gone, None)
        cut = any(each.status == 507 for each in xml.rows(tree))
        if not cut or following == token:
            break
        token = following
    vanished = set(mirror.versions(remote.name)) - seen if everything else ()
    mirror.update(remote.name, gone=vanished, token=following)
    return left_out


def _by_comparing(server: Server, mirror: Mirror, remote: Remote) -> list[str]:
    """Compare the version of every item, for servers that cannot say what changed."""
    tree = server.propfind(remote.url, xml.propfind(xml.VERSION + "<d:resourcetype/>"), depth=1).tree
    rows = xml.rows(tree)
    if not rows:
        raise NotDav(f"{server.name} lists nothing, not even the {server.kind.folder} itself.")
    versions = {
        each.href: each.text(f"{xml.DAV}getetag")
        for each in rows
        if not _is_folder(remote, each) and f"{xml.DAV}collection" not in each.names(f"{xml.DAV}resourcetype")
    }
    gone = set(mirror.versions(remote.name)) - versions.keys()
    return _take(server, mirror, remote, versions, gone, remote.token)


def _take(
    server: Server,
    mirror: Mirror,
    remote: Remote,
    versions: dict[str, str],
    gone: Iterable[str],
    token: str | None,
) -> list[str]:
    """Fetch the items whose version is another than here, and take all over."""
    known = mirror.versions(remote.name)
    wanted = [href for href, etag in versions.items() if not etag or known.get(href) != etag]
    left_out: list[str] = []
    for first in range(0, len(wanted), _AT_ONCE):
        hrefs = wanted[first : first + _AT_ONCE]
        arrived = fetch(server, remote, hrefs)
        mirror.update(remote.name, arrived)
        left_out += [each.name for each in arrived if not each.etag]
    mirror.update(remote.name, gone=gone, token=token)
    return left_out


def _is_folder(remote: Remote, row: xml.Row) -> bool:
    return path_of(urljoin(remote.url, row.href)).rstrip("/") == path_of(remote.url).rstrip("/")
