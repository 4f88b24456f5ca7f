"""Writes one item to a server: only over the version that was looked at, once, and read back."""

from urllib.parse import quote, urljoin, urlsplit

from connectors.calendar.agree import differences
from connectors.calendar.caldav.discovery import Remote
from connectors.calendar.caldav.faults import Gone, Moved, NoAnswer, Refused, Uncertain
from connectors.calendar.caldav.fetch import fetch_one
from connectors.calendar.caldav.mirror import Arrived, Kept
from connectors.calendar.caldav.quirks import Profile
from connectors.calendar.caldav.server import Reply, Server
from connectors.calendar.store import StoreError

_TYPE = {"Content-Type": "text/calendar; charset=utf-8"}


def create(server: Server, remote: Remote, profile: Profile, name: str, data: bytes) -> Arrived:
    """Put a new item under a name. Raises Moved where something is there already."""
    href = urlsplit(remote.url).path + quote(name)
    if profile.look_first and fetch_one(server, remote, href) is not None:
        raise Moved(f"Something of that name is on {server.name} already.")
    try:
        reply = server.ask("PUT", urljoin(remote.url, href), data, {**_TYPE, "If-None-Match": "*"})
    except NoAnswer as error:
        return _after_silence(server, remote, href, data, error)
    except Refused as error:
        raise _in_the_way(error, profile) from error
    return _read_back(server, remote, href, data, reply)


def replace(server: Server, remote: Remote, kept: Kept, data: bytes) -> Arrived:
    """Put other bytes over the version that is known. Raises Moved where it is another by now."""
    href = urljoin(remote.url, kept.href)
    try:
        reply = server.ask("PUT", href, data, {**_TYPE, "If-Match": _known(server, kept)})
    except NoAnswer as error:
        return _after_silence(server, remote, kept.href, data, error)
    except Gone as error:
        raise Moved(str(error)) from error
    return _read_back(server, remote, kept.href, data, reply)


def delete(server: Server, remote: Remote, kept: Kept) -> None:
    """Remove the version that is known. Raises Moved where it is another by now, or gone."""
    href = urljoin(remote.url, kept.href)
    try:
        server.ask("DELETE", href, "", {"If-Match": _known(server, kept)})
    except NoAnswer as error:
        if _look(server, remote, kept.href, error) is None:
            return
        raise _unknown(server, "It is still there.") from error
    except Gone as error:
        raise Moved(str(error)) from error
    if fetch_one(server, remote, kept.href) is not None:
        raise Refused(f"{server.name} said it was deleted, but it is still there.")


def _known(server: Server, kept: Kept) -> str:
    """The version for If-Match, which takes no weak one: what a proxy weakened is made strong again."""
    if not kept.etag:
        raise Refused(f"{server.name} does not say which version of it this is, so it is not changed.")
    return kept.etag.removeprefix("W/")


def _read_back(server: Server, remote: Remote, href: str, data: bytes, reply: Reply) -> Arrived:
    """What is kept now. Another's version that came at once after ours is not taken for ours."""
    found = fetch_one(server, remote, href)
    if found is None:
        raise Refused(f"{server.name} said it was written, but it is not there.")
    if differences(data, found.data) and _strong(reply.etag) != _strong(found.etag):
        return Arrived(found.name, href, "", data)
    return found


def _after_silence(server: Server, remote: Remote, href: str, data: bytes, error: NoAnswer) -> Arrived:
    """After a write without an answer: it is done if it can be read, else unknown, and never tried again."""
    found = _look(server, remote, href, error)
    if found is not None and not differences(data, found.data):
        return found
    raise _unknown(server, "It is not there now.") from error


def _look(server: Server, remote: Remote, href: str, error: NoAnswer) -> Arrived | None:
    try:
        return fetch_one(server, remote, href)
    except StoreError:
        raise _unknown(server, "It could not be looked up either.") from error


def _unknown(server: Server, seen: str) -> Uncertain:
    return Uncertain(f"{server.name} did not answer, so it is not known whether that was done. {seen}")


def _strong(etag: str) -> str:
    return etag.removeprefix("W/")


def _in_the_way(error: Refused, profile: Profile) -> Refused:
    if profile.trash_keeps_uid:
        return Refused(
            f"{error} If it was deleted before, it can be brought back in {profile.title}'s own trash."
        )
    return error
