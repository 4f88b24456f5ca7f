"""An access token whenever one is needed, renewed by itself; the token that renews it is kept as a secret."""

import threading
from collections.abc import Callable
from typing import Final

from connectors.oauth.asking import NoAnswer, Refused
from connectors.oauth.tokens import Client, Tokens
from connectors.secrets.base import Secret, SecretError

_OVER: Final = frozenset({"invalid_grant", "invalid_client", "unauthorized_client", "interaction_required"})


class SignedIn:
    """Gives the token of one account; used by several threads.

    `find` gives the refresh token, `keep` takes another where the provider changes it.
    """

    def __init__(self, client: Client, find: Callable[[], Secret], keep: Callable[[Secret], object]) -> None:
        self._client = client
        self._find = find
        self._keep = keep
        self._lock = threading.Lock()
        self._tokens: Tokens | None = None
        self._refused: Secret | None = None

    def token(self) -> str:
        """An access token that is good now. Raises SecretError, whose text says what is to be done."""
        with self._lock:
            if self._tokens is None or self._client.clock() >= self._tokens.until:
                self._tokens = self._renewed()
            return self._tokens.access

    def _renewed(self) -> Tokens:
        host, refresh = self._client.provider.host, self._find()
        if refresh == self._refused:
            raise SecretError(_again(host))
        try:
            tokens = self._client.ask("refresh_token", refresh_token=refresh.reveal())
        except Refused as refused:
            if refused.code not in _OVER:
                raise SecretError(f"{host} gives no token now ({refused.code}).") from refused
            # It is not asked again with what it refused: only the person can change that.
            self._refused = refresh
            raise SecretError(_again(host)) from refused
        except NoAnswer as error:
            raise SecretError(f"No token could be had: {error}") from error
        if tokens.refresh and tokens.refresh != refresh.reveal():
            self._kept(tokens.refresh)
        return tokens

    def _kept(self, refresh: str) -> None:
        try:
            self._keep(Secret(refresh))
        except (OSError, SecretError):
            # The token at hand is good; the next renewal will say what is missing.
            return


def _again(host: str) -> str:
    return f"You are not signed in at {host} any more; sign in again with askfirst connect messaging."
