"""Signs in at the servers that a person named, the safest way of encrypting first."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from connectors.asking import Asker
from connectors.base import Needs
from connectors.clean import clean_line
from connectors.messaging.config import Account
from connectors.messaging.errors import MailboxError
from connectors.messaging.imap.connection import Connection
from connectors.messaging.server import IMAP_PORTS, SMTP_PORTS, Login, Security, is_loopback, tls
from connectors.messaging.smtp.transport import SmtpTransport

_SECURE: Final[tuple[Security, ...]] = ("tls", "starttls")


@dataclass(frozen=True, slots=True)
class Known:
    """As whom somebody signs in: their address, and what gives the password or token each time."""

    address: str
    secret: Callable[[], str]
    login: Login = "password"


Trial = Callable[[Account, Known], MailboxError | None]
"""Signs in at a server; why it could not, or None."""


def tried(person: Asker, host: str, known: Known, trial: Trial, more: Mapping[str, object]) -> Account | None:
    """The first way of encrypting that the server takes, or None once the person knows why there is none.

    `more` are further settings of the account.
    """
    trouble: MailboxError | None = None
    for settings in _ways(host):
        try:
            account = Account.model_validate({**settings, **more, "login": known.login})
        except ValueError:
            person.say(f"“{clean_line(host, 80)}” is no server's name.")
            return None
        error = trial(account, known)
        if error is None:
            person.say(f"Signed in at {account.host} ({account.security}).")
            return account
        trouble = error if trouble is None or error.needs is Needs.SIGNED_OUT else trouble
        if error.needs is Needs.SIGNED_OUT:
            break
    person.say(f"{trouble.text if trouble else 'It did not work.'} Try again; to give up changes nothing.")
    return None


def try_imap(account: Account, known: Known) -> MailboxError | None:
    connection = Connection(account.server(IMAP_PORTS, known.address), known.secret, tls(account.authority))
    try:
        with connection.client():
            return None
    except MailboxError as error:
        return error
    finally:
        connection.close()


def try_smtp(account: Account, known: Known) -> MailboxError | None:
    server = account.server(SMTP_PORTS, known.address)
    obstacle = asyncio.run(
        SmtpTransport(server, known.address, known.secret, tls(account.authority)).obstacle()
    )
    return MailboxError(obstacle.needs, obstacle.text) if obstacle else None


def _ways(said: str) -> Iterator[dict[str, object]]:
    """The ways to reach a server that was named with or without a port, the safest first."""
    host, colon, port = said.rpartition(":")
    named = {"host": host, "port": port} if colon and port.isdigit() else {"host": said}
    for security in _SECURE:
        yield {**named, "security": security}
    if "port" in named and is_loopback(str(named["host"])):
        yield {**named, "security": "none"}
