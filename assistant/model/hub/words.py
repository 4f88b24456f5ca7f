"""What a hub is asked for, what it has, and how it can fail."""

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from assistant.model.base import ModelUnusable

DEFAULT_ENDPOINT = "https://huggingface.co"


@dataclass(frozen=True, slots=True)
class Hub:
    """A hub by its address; `token` gives the person's token for it, or None."""

    endpoint: str = DEFAULT_ENDPOINT
    token: Callable[[], str | None] = lambda: None

    @property
    def host(self) -> str:
        return _split(self.endpoint)[1] or self.endpoint

    def need_secure(self, scheme: str) -> None:
        """FetchError where a hub at a secure address sends on to one that is not."""
        if _split(self.endpoint)[0] == "https" and scheme != "https":
            raise FetchError(
                f"{self.host} sends on to an address that is not secure (http). Nothing was taken."
            )

    def allowed_token(self) -> str | None:
        """The token, unless it would go over the network for everybody to read."""
        scheme, _, name = _split(self.endpoint)
        return self.token() if scheme == "https" or _is_here(name) else None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a model is published: a repository such as `qvac/BotPsy-0.8B-GGUF`, the name or a pattern of a
    file in it, and a branch, tag or commit.
    """

    key: str
    repository: str
    file: str
    revision: str = "main"


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file in a repository; its size in bytes and SHA-256 in hex are None where the hub does not say."""

    name: str
    size: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """What a repository holds at one commit."""

    commit: str
    files: tuple[RemoteFile, ...]


class FetchError(ModelUnusable):
    """A model cannot be fetched; the text is a plain sentence for the person.

    FetchError
     └─ Interrupted   what has come stays, and the next attempt goes on from there
    """


class Interrupted(FetchError):
    """The line broke for good or the hub has no time; what has come stays."""


class Again(Exception):
    """It may well work in a moment, or after `wait` seconds where the hub says so; the text is a clause."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


def _split(address: str) -> tuple[str, str, str]:
    """The scheme of an address, its host with the port, and without; empty where it is none."""
    try:
        parts = urlsplit(address)
        return parts.scheme, parts.netloc, parts.hostname or ""
    except ValueError:
        return "", "", ""


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
