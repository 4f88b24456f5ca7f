"""What may be set for the mailbox."""

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from connectors.base import Effect
from connectors.dav.accounts import AccountName
from connectors.messaging.matrix.config import Account as MatrixAccount
from connectors.messaging.server import Login, Security, Server, is_loopback
from connectors.mode import EVERYTHING, LEAVING, Mode, forbidden, narrowed
from connectors.oauth.settings import OAuth
from connectors.people import is_address
from connectors.people.accounts import Account as ContactsAccount
from connectors.secrets.settings import SecretSource
from connectors.trust import Authority

__all__ = ["Account", "Config", "Mode", "stops"]


class Account(BaseModel):
    """A mail server, `[imap]` or `[smtp]`.

    `security` is tls (from the first byte), starttls, or none; none only for this very machine or the one
    host named in `plain_text`. `port` is by default the usual one. `user` is by default the address. With
    `login = "xoauth2"` the secret is an access token, with `login = "oauth"` one is had as `[oauth]` says.
    `keeps_copies` says of `[smtp]` that the server itself puts what it sends into Sent, as Google and
    Microsoft do. `authority` is a file with certificates to trust besides the system's; `timeout` is in
    seconds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = Field(min_length=1, max_length=253, pattern=r"^[A-Za-z0-9.:_-]+$")
    port: int | None = Field(None, ge=1, le=65535)
    security: Security = "tls"
    user: str = ""
    password: SecretSource = SecretSource()
    login: Login = "password"
    plain_text: str = ""
    keeps_copies: bool = False
    authority: Authority | None = None
    timeout: float = Field(15.0, gt=0, le=120)

    @model_validator(mode="after")
    def _is_encrypted(self) -> Self:
        if self.security == "none" and not is_loopback(self.host) and self.host != self.plain_text:
            raise ValueError(
                "without encryption anybody on the way can read the mail and the password; use tls or"
                " starttls, or name this host in plain_text if you trust the network"
            )
        return self

    def server(self, ports: dict[Security, int], address: str) -> Server:
        """The server to connect to, with the usual port of its kind where none is set."""
        port = self.port or ports[self.security]
        return Server(self.host, port, self.security, self.user or address, self.login, self.timeout)


class Config(BaseModel):
    """`connectors/messaging.toml`.

    `name` and `address` are what the person's own messages are from; without an address nothing can be sent.
    `oauth` is where to sign in for accounts with `login = "oauth"`. `imap` is where the mailbox is (none: a
    folder of this machine); `smtp`, or `sendmail`, a program and its arguments, is how messages leave (none:
    they cannot). `contacts` are accounts with address books, besides the folder of contacts on this machine.
    `matrix` is an account with conversations beside the mail. `most_messages` and `most_bytes` are the
    mailbox's quota, the trash not counted (None: no quota). `most_attached` is how many bytes of files may
    go along with one message, `most_saved` how many a file may have that is saved from one. `send_timeout` is
    in seconds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    address: str = ""
    mode: Mode = Mode.FULL
    oauth: OAuth | None = None
    imap: Account | None = None
    smtp: Account | None = None
    sendmail: tuple[str, ...] = ()
    contacts: dict[AccountName, ContactsAccount] = {}
    matrix: MatrixAccount | None = None
    most_messages: int | None = Field(None, ge=1)
    most_bytes: int | None = Field(None, ge=1)
    most_attached: int = Field(10_000_000, ge=1)
    most_saved: int = Field(50_000_000, ge=1)
    send_timeout: float = Field(25.0, gt=0)

    @field_validator("address")
    @classmethod
    def _address_is_one(cls, value: str) -> str:
        if value and not is_address(value):
            raise ValueError("must be an e-mail address in plain letters, such as you@example.org")
        return value

    @field_validator("name")
    @classmethod
    def _name_is_a_line(cls, value: str) -> str:
        if not value.isprintable():
            raise ValueError("must be one line without control characters")
        return value

    @model_validator(mode="after")
    def _has_where_to_sign_in(self) -> Self:
        accounts = (self.imap, self.smtp)
        if self.oauth is None and any(each and each.login == "oauth" for each in accounts):
            raise ValueError('login = "oauth" needs a table [oauth] that says where to sign in')
        return self

    @model_validator(mode="after")
    def _one_way_out(self) -> Self:
        if self.smtp and self.sendmail:
            raise ValueError("messages leave by smtp or by sendmail, not by both")
        if (self.smtp or self.sendmail) and not self.address:
            raise ValueError("to send, the address that messages are from is needed")
        return self


def stops(before: Config, now: Config) -> frozenset[Effect]:
    """What a change of the settings rules out at once: all, where the mailbox is another by now."""
    if (before.imap, before.address) != (now.imap, now.address):
        return EVERYTHING
    if _of_matrix(before) != _of_matrix(now):
        return EVERYTHING
    leaves = (before.smtp, before.sendmail) != (now.smtp, now.sendmail)
    found = forbidden(now.mode) | narrowed(before.contacts, now.contacts)
    return found | LEAVING if leaves else found


def _of_matrix(config: Config) -> tuple[object, ...]:
    """What must be as it was for a call that waits: the account, its rooms, and what may be done there."""
    account = config.matrix
    return (account.homeserver, account.user, account.rooms, account.mode) if account else ()
