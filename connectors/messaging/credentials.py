"""What signs in at the servers of an account: its password, or a token that is renewed by itself."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from connectors.messaging.config import Account, Config
from connectors.oauth.asking import Web
from connectors.oauth.settings import OAuth
from connectors.oauth.signed import SignedIn
from connectors.oauth.tokens import Client
from connectors.secrets.base import Secret, SecretError
from connectors.secrets.settings import FindSecret

REFRESH: Final = "messaging/oauth"
"""The name under which the token that renews others is kept."""
APP: Final = "messaging/oauth-client"
"""The name under which the secret of the person's app is kept, if it has one."""

KeepSecret = Callable[[str, Secret], str]
"""Keeps a secret under a name, and says where. Raises OSError."""


def cannot_keep(name: str, secret: Secret) -> str:
    """Where there is no place for secrets."""
    raise SecretError(f"There is no place to keep {name}.")


@dataclass(frozen=True, slots=True)
class Credentials:
    """What fetches the secret of each server, each time it is needed."""

    config: Config
    find: FindSecret
    signed: SignedIn | None = None

    def mailbox(self, imap: Account) -> Callable[[], str]:
        return self._of("messaging/imap", imap)

    def sending(self, smtp: Account) -> Callable[[], str]:
        """The mailbox's, where the same user signs in and no other password is named."""
        imap = self.config.imap
        same = imap is not None and (imap.user, imap.login) == (smtp.user, smtp.login)
        if imap and same and not smtp.password.model_fields_set:
            return self.mailbox(imap)
        return self._of("messaging/smtp", smtp)

    def _of(self, name: str, account: Account) -> Callable[[], str]:
        if self.signed and account.login == "oauth":
            return self.signed.token
        source = account.password if account.password.model_fields_set else None
        return lambda: self.find(name, source).reveal()


def credentials(config: Config, find: FindSecret, keep: KeepSecret = cannot_keep) -> Credentials:
    """Those of the settings; all that sign in at a provider share one token."""
    if config.oauth is None:
        return Credentials(config, find)
    client = client_of(config.oauth, find)
    return Credentials(
        config, find, SignedIn(client, lambda: find(REFRESH, None), lambda secret: keep(REFRESH, secret))
    )


def client_of(oauth: OAuth, find: FindSecret) -> Client:
    """The person's app at its provider."""
    source = oauth.client_secret
    if source is None:
        return Client(oauth.server, oauth.client_id, time.monotonic, Web())
    said = source if source.model_fields_set else None
    return Client(oauth.server, oauth.client_id, time.monotonic, Web(), lambda: find(APP, said).reveal())
