"""Writes one item to a server: only over the version that was looked at, once, and read back."""

from urllib.parse import quote, urljoin, urlsplit

from connectors.dav.discovery import Remote
from connectors.dav.faults import Gone, Moved, NoAnswer, Refused, Uncertain, Unwell
from connectors.dav.fetch import fetch_one
from connectors.dav.mirror import Arrived, Kept
from connectors.dav.quirks import Profile
from connectors.dav.server import Reply, Server
from connectors.stores import StoreError

# After each of these the write may have been done; only looking tells.
_SILENCE = (NoAnswer, Unwell)
_SOMETHING_ELSE = "Something else is there now."


def create(server: Server, remote: Remote, profile: Profile, name: str, data: bytes) -> Arrived:
    """Put a new item under a name. Raises Moved where something is there already."""
    href = urlsplit(remote.url).path + quote(name)
    if profile.look_first and fetch_one(server, remote, href) is not None:
        raise Moved(f"Something of that name is on {server.name} already.")
    try:
        reply = server.ask("PUT", urljoin(remote.url, href), data, {**_type(server), "If-None-Match": "*"})
    except _SILENCE as error:
        return _after_silence(server, remote, href, data, error, None)
    except Refused as error:
        raise _in_the_way(error, profile) from error
    if _is_page(reply):
        return _after_silence(server, remote, href, data, _page(server), None)
    return _read_back(server, remote, href, data, reply)


def replace(server: Server, remote: Remote, kept: Kept, data: bytes) -> Arrived:
    """Put other bytes over the version that is known. Raises Moved where it is another by now."""
    href = urljoin(remote.url, kept.href)
    try:
        reply = server.ask("PUT", href, data, {**_type(server), "If-Match": _known(server, kept)})
    except _SILENCE as error:
        return _after_silence(server, remote, kept.href, data, error, kept.data)
    except Gone as error:
        raise Moved(str(error)) from error
    if _is_page(reply):
        return _after_silence(server, remote, kept.href, data, _page(server), kept.data)
    return _read_back(server, remote, kept.href, data, reply)


def delete(server: Server, remote: Remote, kept: Kept) -> None:
    """Remove the version that is known. Raises Moved where it is another by now, or gone."""
    href = urljoin(remote.url, kept.href)
    try:
        server.ask("DELETE", href, "", {"If-Match": _known(server, kept)})
    except _SILENCE as error:
        found = _look(server, remote, kept.href)
        if found is None:
            return
        if not server.kind.same(kept.data, found.data):
            raise _unknown(server, _SOMETHING_ELSE) from error
        raise _undone(server, error, "It is still there.") from error
    except Gone as error:
        raise Moved(str(error)) from error
    if _check(server, remote, kept.href) is not None:
        raise Refused(f"{server.name} said it was deleted, but it is still there.")


def _is_page(reply: Reply) -> bool:
    """True for a page to look at, as a gateway that wants a sign-in gives instead of passing a write on."""
    return "html" in reply.headers.get("Content-Type", "").lower()


def _page(server: Server) -> StoreError:
    return NoAnswer(f"{server.name} answers with a page.")


def _known(server: Server, kept: Kept) -> str:
    """The version for If-Match, which takes no weak one: what a proxy weakened is made strong again."""
    if not kept.etag:
        raise Refused(f"{server.name} does not say which version of it this is, so it is not changed.")
    return kept.etag.removeprefix("W/")


def _read_back(server: Server, remote: Remote, href: str, data: bytes, reply: Reply) -> Arrived:
    """What is kept now. Another's version that came at once after ours is not taken for ours."""
    found = _check(server, remote, href)
    if found is None:
        raise Refused(f"{server.name} said it was written, but it is not there.")
    if not server.kind.same(data, found.data) and _strong(reply.etag) != _strong(found.etag):
        return Arrived(found.name, href, "", data)
    return found


def _check(server: Server, remote: Remote, href: str) -> Arrived | None:
    """Look at what a server said it did; its word alone is not enough."""
    try:
        return fetch_one(server, remote, href)
    except StoreError as error:
        raise Uncertain(f"{server.name} says it was done, but it could not be read back: {error}") from error


def _after_silence(
    server: Server, remote: Remote, href: str, data: bytes, error: StoreError, before: bytes | None
) -> Arrived:
    """After a write without a good answer: it is done if it can be read; it is never tried again.

    Only where what was there `before` still is, has it certainly not been done: a page instead of the item
    tells nothing.
    """
    found = _look(server, remote, href)
    if found is not None and server.kind.same(data, found.data):
        return found
    if found is not None and (before is None or not server.kind.same(before, found.data)):
        raise _unknown(server, _SOMETHING_ELSE) from error
    raise _undone(server, error, "It is not there now.") from error


def _look(server: Server, remote: Remote, href: str) -> Arrived | None:
    try:
        return fetch_one(server, remote, href)
    except StoreError as error:
        raise _unknown(server, "It could not be looked up either.") from error


def _undone(server: Server, error: StoreError, seen: str) -> StoreError:
    """What to say of a write that cannot be seen: who failed has failed, who is silent may yet do it."""
    return error if isinstance(error, Unwell) else _unknown(server, seen)


def _unknown(server: Server, seen: str) -> Uncertain:
    return Uncertain(f"{server.name} did not answer, so it is not known whether that was done. {seen}")


def _type(server: Server) -> dict[str, str]:
    return {"Content-Type": f"{server.kind.media}; charset=utf-8"}


def _strong(etag: str) -> str:
    return etag.removeprefix("W/")


def _in_the_way(error: Refused, profile: Profile) -> Refused:
    if profile.trash_keeps_uid:
        return Refused(
            f"{error} If it was deleted before, it can be brought back in {profile.title}'s own trash."
        )
    return error
