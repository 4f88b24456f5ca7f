"""The mailbox and the way out that the settings name."""

import asyncio
import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from connectors.account_state import AccountState
from connectors.lending import Exchange, FileFinder, FileTaker
from connectors.messaging.config import Config, Mode
from connectors.messaging.connector import MessagingConnector
from connectors.messaging.conversations import beside
from connectors.messaging.credentials import Credentials, KeepSecret, cannot_keep, credentials
from connectors.messaging.mailbox import Box
from connectors.messaging.maildir.mailbox import Mailbox
from connectors.messaging.matrix.missing import INSTALL
from connectors.messaging.report import Report, Watching
from connectors.messaging.sendmail import SendmailTransport
from connectors.messaging.server import SMTP_PORTS, tls
from connectors.messaging.smtp.transport import SmtpTransport
from connectors.messaging.transport import NoTransport, Transport
from connectors.people import AddressBook
from connectors.people.accounts import opened
from connectors.people.book import Shelf
from connectors.secrets.settings import FindSecret

_PATIENCE: Final = 5.0
"""How long a look at the account may take, in seconds."""


@dataclass(frozen=True, slots=True)
class MailState:
    """How the account is doing, in one word and in one line; `synced` is when it was last in step (ISO)."""

    name: str
    word: str
    detail: str
    mode: str = ""
    synced: str = ""
    server: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mail:
    """The messaging service, the watch over its server where there is one, and the accounts of contacts."""

    service: MessagingConnector
    config: Config
    watch: Watching | None = None
    shelves: tuple[Shelf, ...] = ()
    chat: Watching | None = None

    @property
    def background(self) -> tuple[Watching | Shelf, ...]:
        """What goes on beside the calls."""
        return (*self._watches, *self.shelves)

    @property
    def states(self) -> tuple[AccountState, ...]:
        """How each account is doing, as far as it is known without asking it."""
        return (*self._of_mail, *self._of_chat, *(each.state for each in self.shelves))

    @property
    def _watches(self) -> tuple[Watching, ...]:
        return tuple(each for each in (self.watch, self.chat) if each)

    @property
    def _of_mail(self) -> tuple[MailState, ...]:
        if self.watch is None or self.config.imap is None:
            return ()
        name = f"mail {self.config.address}".strip()
        return (_state(name, self.watch.report, self.config.mode, self.config.imap.host),)

    @property
    def _of_chat(self) -> tuple[MailState, ...]:
        account = self.config.matrix
        if account is None or account.mode is Mode.OFF:
            return ()
        report = self.chat.report if self.chat else Report(None, INSTALL)
        mode = account.mode if self.config.mode is Mode.FULL else self.config.mode
        return (_state(f"matrix {account.user}", report, mode, urlsplit(account.homeserver).netloc),)

    async def check(self) -> None:
        """Ask every server how its account is doing, and wait a moment for what it says."""
        looks = [asyncio.to_thread(each.refresh) for each in self.shelves]
        looks += [asyncio.to_thread(self._settle, each) for each in self._watches]
        await asyncio.gather(*looks)

    @staticmethod
    def _settle(watch: Watching) -> None:
        watch.settle(_PATIENCE)


def _state(name: str, report: Report, mode: Mode, server: str) -> MailState:
    known = f"in step since {report.known:%a %-d %b %Y %H:%M}" if report.known else "never read yet"
    word = "unavailable" if report.trouble else mode.value if mode is not Mode.FULL else "ready"
    detail = "; ".join(filter(None, (server, known, report.trouble)))
    return MailState(name, word, detail, mode.value, report.known.isoformat() if report.known else "", server)


def messaging(
    folder: Path,
    state: Path,
    config: Config,
    book: AddressBook,
    secrets: FindSecret,
    exchange: Exchange | None = None,
    keep: KeepSecret = cannot_keep,
) -> Mail:
    """The service with the mailbox on its server, or else in `folder`. Nothing is connected to yet.

    The book is given the accounts with contacts; what is known of them is kept in `state`. `exchange` is for
    files that go along with messages and that are saved from them; `keep` keeps the secrets that a provider
    changes.
    """
    known = credentials(config, secrets, keep)
    transport = way_out(config, known)
    accounts = {} if config.mode is Mode.OFF else opened(config.contacts, state / "contacts", secrets)
    book.use(accounts)
    shelves = tuple(accounts.values())
    box: Box = Mailbox(folder)
    watch: Watching | None = None
    if config.imap is not None and config.mode is not Mode.OFF:
        # Loaded only here: the library takes longer to load than the rest of the service.
        account = importlib.import_module("connectors.messaging.imap.account")
        box, watch = account.opened(state, config, known.mailbox(config.imap))
    box, chat = beside(box, state, config, secrets)
    service = MessagingConnector(box, state, config, book, transport, *_both(exchange))
    return Mail(service, config, watch, shelves, chat)


def local(
    folder: Path,
    state: Path,
    config: Config,
    book: AddressBook,
    transport: Transport,
    exchange: Exchange | None = None,
) -> MessagingConnector:
    """The service with a Maildir on this machine, whatever way out it has."""
    return MessagingConnector(Mailbox(folder), state, config, book, transport, *_both(exchange))


def way_out(config: Config, known: Credentials) -> Transport:
    """How messages leave."""
    if config.sendmail:
        return SendmailTransport(config.sendmail, config.address)
    if config.smtp is None:
        return NoTransport()
    server = config.smtp.server(SMTP_PORTS, config.address)
    context = tls(config.smtp.authority)
    return SmtpTransport(server, config.address, known.sending(config.smtp), context)


def _both(exchange: Exchange | None) -> tuple[FileFinder, FileTaker]:
    exchange = exchange or Exchange()
    return exchange.files, exchange.taker
