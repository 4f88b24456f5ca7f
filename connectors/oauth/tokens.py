"""Tokens: for a code, for a refresh token, and how long one is good (RFC 6749 sections 4.1.3, 5.1 and 6)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from connectors.oauth.asking import NoAnswer, Web
from connectors.oauth.provider import Provider

_USUAL_SECONDS: Final = 3600.0
_EARLY: Final = 60.0


@dataclass(frozen=True, slots=True)
class Tokens:
    """An access token, by when to renew it (seconds of `Client.clock`), and what renews it, if told."""

    access: str
    until: float
    refresh: str = ""

    def __repr__(self) -> str:
        return "Tokens(hidden)"


@dataclass(frozen=True, slots=True)
class Client:
    """The person's app at a provider; `secret` fetches the app's own secret where it has one."""

    provider: Provider
    id: str
    clock: Callable[[], float]
    web: Web
    secret: Callable[[], str] | None = None

    def ask(self, grant: str, **form: str) -> Tokens:
        """Tokens for a grant. Raises Refused, NoAnswer or SecretError."""
        asked = self.clock()
        return _tokens(
            self.web.post(self.provider.token, {"grant_type": grant, **self.named(), **form}), asked
        )

    def named(self) -> dict[str, str]:
        """The app, as it names itself to the provider (RFC 6749 section 2.3.1)."""
        return {"client_id": self.id, **({"client_secret": self.secret()} if self.secret else {})}


def _tokens(answer: Mapping[str, Any], asked: float) -> Tokens:
    access, refresh, seconds = (answer.get(each) for each in ("access_token", "refresh_token", "expires_in"))
    kind = str(answer.get("token_type", "bearer")).lower()
    if not isinstance(access, str) or not _fit(access) or kind != "bearer":
        raise NoAnswer("The answer holds no token that can be used.")
    lasts = float(seconds) if isinstance(seconds, int | float | str) and _number(seconds) else _USUAL_SECONDS
    kept = refresh if isinstance(refresh, str) and _fit(refresh) else ""
    return Tokens(access, asked + max(lasts - _EARLY, 0.0), kept)


def _fit(token: str) -> bool:
    """Nothing but visible ASCII, as it goes into a line of a mail protocol (RFC 6750 section 2.1)."""
    return bool(token) and token.isascii() and token.isprintable() and " " not in token


def _number(text: float | str) -> bool:
    return not isinstance(text, str) or text.isdigit()
