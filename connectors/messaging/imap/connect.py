"""Sets up a mail account by a few questions: finds the servers and signs in at both."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from connectors.asking import Asker, GivenUp, need
from connectors.base import Needs
from connectors.clean import clean_line
from connectors.config import toml_string
from connectors.messaging.config import Account, Config, Mode
from connectors.messaging.errors import MailboxError
from connectors.messaging.imap.connection import Connection
from connectors.messaging.providers import provider_of
from connectors.messaging.server import IMAP_PORTS, SMTP_PORTS, Security, is_loopback, tls
from connectors.messaging.smtp.transport import SmtpTransport
from connectors.people import is_address
from connectors.secrets.base import Secret

_SECURE: Final[tuple[Security, ...]] = ("tls", "starttls")

Trial = Callable[[Account, str, Secret], MailboxError | None]
"""Signs in at a server, as an address, with a password; why it could not, or None."""


@dataclass(frozen=True, slots=True)
class Connected:
    """An account that works: what is said first in the settings, the tables behind it, and the password."""

    head: str
    tables: str
    secret: Secret


def connect(person: Asker, before: Config) -> Connected:
    """Ask until an account works. Raises GivenUp."""
    address = _address(person, before.address)
    name = need(person.ask("Your name, as others will see it:", before.name))
    provider = provider_of(address)
    if provider.sign_in:
        person.say(provider.sign_in)
    imap, secret = _signed_in(person, address, provider.imap)
    smtp = _way_out(person, address, provider.smtp, secret)
    head, tables = _lines(name, address, _mode(person), imap, smtp)
    return Connected(head, tables, secret)


def _address(person: Asker, usual: str) -> str:
    while True:
        address = need(person.ask("Your mail address:", usual))
        if is_address(address):
            return address
        person.say("That is no mail address, such as you@example.org.")


def _signed_in(person: Asker, address: str, usual: str) -> tuple[Account, Secret]:
    """The server where the mailbox is, and the password that it took."""
    while True:
        host = need(person.ask("Server of the mailbox (IMAP):", usual))
        user = need(person.ask("User:", address))
        secret = person.ask_secret("Password (not shown): ")
        if secret is None:
            raise GivenUp
        found = _tried(person, host, user if user != address else "", address, secret, _try_imap)
        if found:
            return found, secret
        usual = host


def _way_out(person: Asker, address: str, usual: str, secret: Secret) -> Account | None:
    while True:
        host = need(person.ask("Server for sending (SMTP), or - for none:", usual))
        if host == "-":
            return None
        found = _tried(person, host, "", address, secret, _try_smtp)
        if found:
            return found
        usual = host


def _tried(person: Asker, host: str, user: str, address: str, secret: Secret, trial: Trial) -> Account | None:
    """The first way of encrypting that the server takes, or None once the person knows why there is none."""
    trouble: MailboxError | None = None
    for settings in _ways(host):
        try:
            account = Account.model_validate({**settings, **({"user": user} if user else {})})
        except ValueError:
            person.say(f"“{clean_line(host, 80)}” is no server's name.")
            return None
        error = trial(account, address, secret)
        if error is None:
            person.say(f"Signed in at {account.host} ({account.security}).")
            return account
        trouble = error if trouble is None or error.needs is Needs.SIGNED_OUT else trouble
        if error.needs is Needs.SIGNED_OUT:
            break
    person.say(f"{trouble.text if trouble else 'It did not work.'} Try again; to give up changes nothing.")
    return None


def _ways(said: str) -> Iterator[dict[str, object]]:
    """The ways to reach a server that was named with or without a port, the safest first."""
    host, colon, port = said.rpartition(":")
    named = {"host": host, "port": port} if colon and port.isdigit() else {"host": said}
    for security in _SECURE:
        yield {**named, "security": security}
    if "port" in named and is_loopback(str(named["host"])):
        yield {**named, "security": "none"}


def _try_imap(account: Account, address: str, secret: Secret) -> MailboxError | None:
    connection = Connection(account.server(IMAP_PORTS, address), secret.reveal, tls())
    try:
        with connection.client():
            return None
    except MailboxError as error:
        return error
    finally:
        connection.close()


def _try_smtp(account: Account, address: str, secret: Secret) -> MailboxError | None:
    transport = SmtpTransport(account.server(SMTP_PORTS, address), address, secret.reveal, tls())
    obstacle = asyncio.run(transport.obstacle())
    return MailboxError(obstacle.needs, obstacle.text) if obstacle else None


def _mode(person: Asker) -> Mode:
    choices = ", ".join(mode.value for mode in Mode)
    while True:
        said = need(person.ask(f"What may be done when you say yes? ({choices})", Mode.FULL.value))
        if said in list(Mode):
            return Mode(said)


def _lines(name: str, address: str, mode: Mode, imap: Account, smtp: Account | None) -> tuple[str, str]:
    """The settings: what stands first in the file, and the tables behind it."""
    head = (
        f"name = {toml_string(name)}\naddress = {toml_string(address)}\n"
        f'mode = "{mode.value}"  # off, read-only, draft-only or full\n'
    )
    tables = _table("imap", imap)
    if smtp:
        tables += "\n" + _table("smtp", smtp)
    return head, tables


def _table(name: str, account: Account) -> str:
    lines = [f"[{name}]", f"host = {toml_string(account.host)}"]
    if account.port:
        lines.append(f"port = {account.port}")
    lines.append(f'security = "{account.security}"')
    if account.user:
        lines.append(f"user = {toml_string(account.user)}")
    return "\n".join(lines) + "\n"
