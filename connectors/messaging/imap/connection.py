"""One connection to a mail server that is opened when it is needed, and what its failures mean."""

import imaplib
import re
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError

from connectors.base import Needs
from connectors.clean import clean_line
from connectors.messaging.errors import MailboxError
from connectors.messaging.imap.folders import Folders, Listed, named
from connectors.messaging.server import Server
from connectors.secrets.base import SecretError

_FULL = "OVERQUOTA"
# After so many seconds without a word it is asked whether the server is still there.
_SILENT = 10.0
_UNANSWERED = "did not answer, so it is not known whether it was done."
_SPELLED = re.compile(r"b['\"](.*)['\"]")


class Connection:
    """A signed-in client, shared by threads one at a time; a broken one is thrown away.

    `secret` fetches the password or token each time it is needed. `validity` is the UIDVALIDITY of the
    folder that was opened last. Every method may raise MailboxError.
    """

    def __init__(self, server: Server, secret: Callable[[], str], tls: ssl.SSLContext) -> None:
        self._server = server
        self._secret = secret
        self._tls = tls
        self._client: IMAPClient | None = None
        self._folders: Folders | None = None
        self._used = 0.0
        self._open = False
        self._lock = threading.RLock()
        self.validity = 0

    @contextmanager
    def client(self) -> Iterator[IMAPClient]:
        """The client, for one thing to be done with it; nothing is tried twice."""
        with self._lock, self._explained():
            fresh = self._client is None
            client = self._client = self._client or self._signed_in()
            if not fresh and (self._open or time.monotonic() - self._used > _SILENT):
                client = self._client = self._alive(client)
            yield client
            self._used = time.monotonic()

    @contextmanager
    def folder(self, folder: str, *, write: bool = False) -> Iterator[IMAPClient]:
        """The client with a folder open, for reading only unless said otherwise."""
        with self.client() as client:
            # It is opened anew each time: that alone shows what others have changed in it.
            told = client.select_folder(self.folders(client).there(folder), readonly=not write)
            self._open = True
            self.validity = int(told.get(b"UIDVALIDITY", 0))
            yield client
            self._leave(client)

    @contextmanager
    def deed(self) -> Iterator[None]:
        """A command that changes something: where the line breaks, nobody knows if it was carried out."""
        try:
            yield
        except MailboxError:
            raise
        except (imaplib.IMAP4.abort, OSError) as error:
            self._drop()
            raise MailboxError(Needs.TIMEOUT, f"{self._server.shown} {_UNANSWERED}") from error

    def folders(self, client: IMAPClient, *, anew: bool = False) -> Folders:
        """The folders there are."""
        if self._folders is None or anew:
            listed = [
                Listed(flags, (delimiter or b"").decode(), name) for flags, delimiter, name in _list(client)
            ]
            self._folders = named(listed, _prefix(client))
        return self._folders

    def close(self) -> None:
        with self._lock:
            self._drop()

    def _leave(self, client: IMAPClient) -> None:
        """Close the folder; left open it would tell of itself as it was (RFC 9051 section 6.3.11).

        What was done in it is done, also where this fails.
        """
        if not client.has_capability("UNSELECT"):
            return
        try:
            client.unselect_folder()
            self._open = False
        except (IMAPClientError, OSError):
            self._drop()

    def _alive(self, client: IMAPClient) -> IMAPClient:
        """The client, or another where the server has hung up meanwhile."""
        try:
            client.noop()
        except (IMAPClientError, OSError):
            self._drop()
            return self._signed_in()
        return client

    def _signed_in(self) -> IMAPClient:
        server = self._server
        client = IMAPClient(
            server.host,
            server.port,
            ssl=server.security == "tls",
            ssl_context=self._tls if server.security == "tls" else None,
            timeout=server.timeout,
        )
        try:
            if server.security == "starttls":
                client.starttls(self._tls)
            _log_in(client, server, self._secret())
        except BaseException:
            with suppress(Exception):
                client.shutdown()
            raise
        return client

    def _drop(self) -> None:
        client, self._client, self._folders, self._open = self._client, None, None, False
        if client:
            with suppress(Exception):
                client.shutdown()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what goes wrong into words; after an answer that is a plain no, the connection lives on."""
        shown = self._server.shown
        try:
            yield
        except MailboxError:
            raise
        except SecretError as error:
            raise MailboxError(Needs.SIGNED_OUT, str(error)) from error
        except LoginError as error:
            self._drop()
            text = f"{shown} does not accept the sign-in ({_said(error)})."
            raise MailboxError(Needs.SIGNED_OUT, text) from error
        except ssl.SSLCertVerificationError as error:
            self._drop()
            text = f"The certificate of {shown} is not to be trusted ({error.verify_message})."
            raise MailboxError(Needs.UNAVAILABLE, text) from error
        except (imaplib.IMAP4.abort, OSError, ssl.SSLError) as error:
            self._drop()
            raise MailboxError(Needs.OFFLINE, f"{shown} cannot be reached.") from error
        except (IMAPClientError, imaplib.IMAP4.error) as error:
            raise _refused(shown, _said(error)) from error


def _log_in(client: IMAPClient, server: Server, secret: str) -> None:
    if not server.bearer:
        client.login(server.user, secret)
    elif client.has_capability("AUTH=OAUTHBEARER") and not client.has_capability("AUTH=XOAUTH2"):
        client.oauthbearer_login(server.user, secret)
    else:
        client.oauth2_login(server.user, secret)


def _refused(shown: str, said: str) -> MailboxError:
    if _FULL in said.upper():
        return MailboxError(Needs.MAILBOX_FULL, f"The mailbox on {shown} is full.")
    return MailboxError(Needs.UNAVAILABLE, f"{shown} refused ({said}).")


def _said(error: Exception) -> str:
    """The server's words, which the library gives as the spelling of a bytes object."""
    text = str(error)
    inner = _SPELLED.search(text)
    return clean_line(inner[1] if inner else text, 200).rstrip(".")


def _list(client: IMAPClient) -> list[tuple[tuple[bytes, ...], bytes | None, str]]:
    return [(tuple(flags), delimiter, str(name)) for flags, delimiter, name in client.list_folders()]


def _prefix(client: IMAPClient) -> str:
    """What the names of a person's own folders begin with, such as `INBOX.` (RFC 2342)."""
    if not client.has_capability("NAMESPACE"):
        return ""
    personal = client.namespace().personal
    return str(personal[0][0]) if personal else ""
