"""What the server's answer to a request for a file, or for the rest of one, means."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from assistant.model.hub.words import Again, FetchError

_CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\*)")
_NUMBER = re.compile("[0-9]{1,18}")
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: the bytes from `have` on of a file of `size` bytes, known by this `etag`."""

    name: str
    have: int = 0
    size: int | None = None
    etag: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """The bytes that come begin at `start` in a file of `size` bytes, where that is known."""

    start: int
    size: int | None


class Afresh(Again):
    """What has come so far does not fit what the server has now; the file is fetched from its beginning."""


def body_of(status: int, headers: Mapping[str, str], asked: Asked, now: datetime) -> Body:
    """What the answer's body is.

    Raises Again or Afresh where another attempt may work, and FetchError where it will not.
    """
    if status == 206:
        return _rest(headers, asked)
    if status == 200:
        return _whole(headers, asked)
    raise _refusal(status, headers, asked, now)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """How many seconds the server asks to wait (RFC 9110, section 10.2.3); None where it does not say."""
    value = headers.get("retry-after", "").strip()
    if (seconds := _number(value)) is not None:
        return float(seconds)
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max((at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds(), 0.0)


def reason(status: int) -> str:
    """Why a status is no good, as a clause."""
    if status == 429:
        return "the hub has had too many requests"
    return f"the hub has a fault of its own (status {status})"


def is_transient(status: int) -> bool:
    """True if the same request may work in a moment."""
    return status in _TRANSIENT or status > 504


def _whole(headers: Mapping[str, str], asked: Asked) -> Body:
    _plain(headers, asked)
    size = _number(headers.get("content-length", ""))
    _same_size(size, asked)
    return Body(0, size if asked.size is None else asked.size)


def _rest(headers: Mapping[str, str], asked: Asked) -> Body:
    _plain(headers, asked)
    found = _CONTENT_RANGE.fullmatch(headers.get("content-range", "").strip())
    if found is None or int(found[1]) != asked.have:
        raise Afresh("the server sent another part of the file than was asked for")
    etag = headers.get("etag", "")
    if asked.etag and etag and etag != asked.etag:
        raise Afresh("the file has changed on the hub")
    size = _number(found[3])
    _same_size(size, asked)
    return Body(asked.have, size if asked.size is None else asked.size)


def _plain(headers: Mapping[str, str], asked: Asked) -> None:
    kind = headers.get("content-type", "").partition(";")[0].strip().casefold()
    if kind in ("text/html", "application/xhtml+xml"):
        raise FetchError(
            f"A web page came instead of {asked.name}. Does this network want a sign-in, or is the hub's "
            "address (hub.endpoint) another?"
        )
    if headers.get("content-encoding", "identity").strip().casefold() not in ("", "identity"):
        raise FetchError(f"The server packs {asked.name} in a way that was not asked for.")


def _same_size(size: int | None, asked: Asked) -> None:
    if size is not None and asked.size is not None and size != asked.size:
        raise FetchError(
            f"The hub says that {asked.name} has {asked.size:,} bytes, but {size:,} were to come. "
            "It was not taken."
        )


def _refusal(status: int, headers: Mapping[str, str], asked: Asked, now: datetime) -> Exception:
    if is_transient(status):
        return Again(reason(status), retry_after(headers, now))
    if status == 416:
        return Afresh("the server has less of the file than is here")
    if status in (401, 403):
        return FetchError(f"The hub does not give out {asked.name} without leave. {TOKEN_HINT}")
    if status in (404, 410):
        return FetchError(f"{asked.name} is on the hub's list but cannot be had there (status {status}).")
    return FetchError(f"The hub gave no file for {asked.name} but the status {status}.")


TOKEN_HINT = (
    "If you have a token for it, put it into HF_TOKEN or into the keyring as hub/token, and accept the "
    "model's terms on its page."
)


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None
