"""Speaks HTTP with one account's server: every request has a timeout, is encrypted, and is sent once."""

import contextlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

import niquests
import wassima
from caldav.davclient import DAVClient
from caldav.lib import error as dav
from lxml import etree
from niquests import exceptions as http

from connectors.clean import clean_line
from connectors.dav.accounts import Account, is_secure
from connectors.dav.faults import (
    Busy,
    Elsewhere,
    Forbidden,
    Full,
    Gone,
    Moved,
    NoAnswer,
    NotDav,
    Refused,
    SignedOut,
    TokenTooOld,
    Unencrypted,
    Unreachable,
    Unwell,
)
from connectors.dav.kind import Kind
from connectors.dav.xml import DAV, failures
from connectors.secrets.base import Secret
from connectors.stores import StoreError
from connectors.trust import besides

_MOST_REDIRECTS = 5
_SHORT_LABEL = 3
_SHOWN = 80
_REDIRECTS = (301, 302, 307, 308)
# Said by a gateway: what stands behind it may have done what it was asked.
_GATEWAYS = (502, 504)
_READING = frozenset({"GET", "PROPFIND", "REPORT", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's answer that was not an error; `tree` is its XML if it is any."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    tree: Any
    url: str

    @property
    def etag(self) -> str:
        """The version the answer names, or empty."""
        return self.headers.get("ETag", "") or ""


class Server:
    """One account's connection; for one thread at a time. `name` is what the account is called."""

    def __init__(self, name: str, account: Account, secret: Secret, kind: Kind) -> None:
        self.name = name
        self.kind = kind
        self._account = account
        self._client = _client(account, secret)

    @property
    def address(self) -> str:
        return self._account.url

    def close(self) -> None:
        self._client.close()

    def propfind(self, url: str, body: str, depth: int = 0) -> Reply:
        return self._listing("PROPFIND", url, body, depth)

    def report(self, url: str, body: str, depth: int = 0) -> Reply:
        return self._listing("REPORT", url, body, depth)

    def ask(
        self, method: str, url: str, body: str | bytes = "", headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Send one request; redirects are followed for reading only. Raises the errors in `faults`."""
        for _ in range(_MOST_REDIRECTS):
            self._refuse_unencrypted(url)
            reply = self._send(method, url, body, headers or {})
            if reply.status not in _REDIRECTS:
                return reply
            if method not in _READING:
                raise Refused(f"{self.name} has moved this {self.kind.folder}, so nothing was changed.")
            url = self.onward(url, reply.headers.get("Location", ""))
        raise NotDav(f"{self.name} sends in circles and never answers.")

    def _refuse_unencrypted(self, url: str) -> None:
        if not is_secure(url, self._account.plain_http):
            raise Unencrypted(f"{self.name} leads to {_host(url)} unencrypted, so nothing was sent there.")

    def _listing(self, method: str, url: str, body: str, depth: int) -> Reply:
        reply = self.ask(method, url, body, {"Depth": str(depth)})
        if reply.tree is None or reply.tree.tag != f"{DAV}multistatus":
            raise _garbled(self.name, self.kind)
        return reply

    def _send(self, method: str, url: str, body: str | bytes, headers: Mapping[str, str]) -> Reply:
        with _translated(self.name, method, self.kind):
            found = self._client.request(url, method, body, headers)  # type: ignore[arg-type]
            raw = found._raw_body or (
                found._raw if isinstance(found._raw, bytes) else str(found._raw).encode("utf-8")
            )
            reply = Reply(found.status, found.headers, raw, found.tree, url)
        if problem := _problem(self.name, reply, self.kind):
            raise problem
        return reply

    def onward(self, url: str, location: str) -> str:
        """Where an address leads on to from another. Raises Elsewhere for another site, and Unencrypted."""
        target = urljoin(url, location)
        self._refuse_unencrypted(target)
        if not related(url, target):
            raise Elsewhere(
                f"{self.name} sends on to {_host(target)}, another site; set that address if it is right.",
                target,
            )
        return target


def related(url: str, other: str) -> bool:
    """True where two addresses belong to one site, so that a password may go from one to the other."""
    one, two = _host(url), _host(other)
    return one == two or (not one[-1:].isdigit() and _site(one) == _site(two) != ())


def _site(host: str) -> tuple[str, ...]:
    """The registered name a host's ends with: two labels, or three after one as short as in co.uk."""
    labels = host.split(".")
    needed = 3 if len(labels) > 1 and len(labels[-2]) <= _SHORT_LABEL else 2
    return tuple(labels[-needed:]) if len(labels) >= needed else ()


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _client(account: Account, secret: Secret) -> DAVClient:
    # The library logs whole answers, and with a variable set writes requests to files, passwords and all.
    logging.getLogger("caldav").setLevel(logging.ERROR)
    dav.debug_dump_communication = False
    # Explicit in everything: no environment, no configuration files, no .netrc, no DNS discovery.
    client = DAVClient(
        url=account.url,
        username=account.user,
        password=secret.reveal(),
        auth_type=account.auth,
        timeout=account.timeout,
        ssl_verify_cert=_trusted(account),
        enable_rfc6764=False,
        rate_limit_handle=False,
        huge_tree=True,
    )
    session = niquests.Session(disable_http3=True, retries=0)
    session.trust_env = False
    client.session = _Still(session)  # type: ignore[assignment]
    return client


def _trusted(account: Account) -> bool | str:
    """The library takes a bundle of certificates in place of the system's, so that both go into one."""
    return besides(wassima.generate_ca_bundle(), account.authority) if account.authority else True


class _Still:
    """A session that follows no redirect by itself: where a password goes is for `Server` to say."""

    def __init__(self, session: niquests.Session) -> None:
        self._session = session

    def request(self, method: str, url: str, **options: Any) -> niquests.Response:
        return self._session.request(method, url, **options, allow_redirects=False)

    def close(self) -> None:
        self._session.close()


@contextlib.contextmanager
def _translated(name: str, method: str, kind: Kind) -> Any:
    """Raise what the libraries raise as our own."""
    try:
        yield
    except dav.RateLimitError as error:
        seconds = error.retry_after_seconds or 0
        later = f" in {seconds:g} seconds" if seconds else " later"
        raise Busy(f"{name} has too much to do and asks to come back{later}.", seconds) from error
    except dav.AuthorizationError as error:
        if error.status == 403 and f"{DAV}valid-sync-token" in error.preconditions:
            raise TokenTooOld(f"{name} cannot say what has changed since.") from error
        if named := _said_no(frozenset(error.preconditions), kind):
            raise Refused(f"{name} does not take it ({named}).") from error
        if error.status == 403:
            raise Forbidden(f"{name} does not allow this user to do that.") from error
        raise SignedOut(f"{name} does not accept the user and password; sign in again.") from error
    except (http.ConnectTimeout, http.SSLError) as error:
        raise _unreachable(name, error) from error
    except http.ConnectionError as error:
        raise (_unreachable(name, error) if _never_connected(error) else _no_answer(name)) from error
    except (http.RequestException, OSError) as error:
        raise _no_answer(name) from error
    except (etree.XMLSyntaxError, dav.DAVError) as error:
        raise (_no_answer(name) if method not in _READING else _garbled(name, kind)) from error


def _unreachable(name: str, error: Exception) -> StoreError:
    if isinstance(error, http.SSLError):
        return Unreachable(f"{name} cannot be reached safely: its certificate is not trusted.")
    return Unreachable(f"{name} cannot be reached.")


def _never_connected(error: Exception) -> bool:
    """True where not even a connection came about, so that the server cannot have got anything."""
    said = repr(error)
    return any(word in said for word in ("NewConnectionError", "NameResolutionError", "ConnectTimeout"))


def _no_answer(name: str) -> StoreError:
    return NoAnswer(f"{name} did not answer.")


def _garbled(name: str, kind: Kind) -> StoreError:
    return NotDav(f"{name} answers with something that is not {kind.protocol}.")


def _said_no(conditions: frozenset[str], kind: Kind) -> str:
    """What a server finds wrong with an item itself (RFC 4791 5.3.2.1, RFC 6352 6.3.2.1), or nothing."""
    own = kind.tag("")
    found = sorted(each.removeprefix(own) for each in conditions if each.startswith(own))
    return clean_line(", ".join(found), _SHOWN)


def _problem(name: str, reply: Reply, kind: Kind) -> StoreError | None:
    """The error that an answer means, or None."""
    status = reply.status
    if status < 400:
        return None
    named = failures(reply.tree)
    if f"{DAV}valid-sync-token" in named:
        return TokenTooOld(f"{name} cannot say what has changed since.")
    if no := _said_no(named, kind):
        return Refused(f"{name} does not take it ({no}).")
    if status in (404, 410):
        return Gone(f"There is nothing there on {name} any more.")
    if status == 412:
        return Moved(f"It has changed on {name} meanwhile.")
    if status == 507 or f"{DAV}quota-not-exceeded" in named:
        return Full(f"There is no room left on {name}.")
    if status in _GATEWAYS:
        return NoAnswer(f"{name} did not answer the gateway in front of it.")
    if status >= 500:
        return Unwell(f"{name} is not well (it answered {status}).")
    if status == 409:
        return Refused(f"{name} does not take it: another {kind.item} stands in its way (it answered 409).")
    return Refused(f"{name} does not take it (it answered {status}).")
