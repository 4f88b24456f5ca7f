"""A real submission server on loopback that can be told to fail at any step."""

import asyncio
import socket
import ssl
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

USER, PASSWORD, TOKEN = "robin@home.example", "correct horse", "ya29.token"


@dataclass(slots=True)
class PostOffice:
    """What a server took, and how it is to fail; an answer is an SMTP reply line."""

    mail: list[Envelope] = field(default_factory=list)
    refuse_sender: str = ""
    refuse: dict[str, str] = field(default_factory=dict)
    refuse_data: str = ""
    hang_up_after_data: bool = False
    keep_before_hanging_up: bool = True
    port: int = 0
    token: str = TOKEN

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.refuse_sender:
            return self.refuse_sender
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refuse:
            return self.refuse[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.hang_up_after_data:
            if self.keep_before_hanging_up:
                self.mail.append(envelope)
            server.transport.abort()
            await asyncio.sleep(0)
            return "421 gone"
        if self.refuse_data:
            return self.refuse_data
        self.mail.append(envelope)
        return "250 taken"

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:
        given = args[1] if len(args) > 1 else ""
        login = await server.challenge_auth("") if not given else b64decode(given)
        wanted = f"user={USER}\1auth=Bearer {self.token}\1\1".encode()
        return AuthResult(success=login == wanted, handled=False)

    async def auth_OAUTHBEARER(self, server: SMTP, args: list[str]) -> AuthResult:
        given = args[1] if len(args) > 1 else ""
        login = await server.challenge_auth("") if not given else b64decode(given)
        wanted = f"n,a={USER},\1host=127.0.0.1\1port={self.port}\1auth=Bearer {self.token}\1\1".encode()
        return AuthResult(success=login == wanted, handled=False)


def free_port() -> int:
    """A TCP port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _authenticator(password: str) -> Callable[[SMTP, Session, Envelope, str, object], AuthResult]:
    def check(server: SMTP, session: Session, envelope: Envelope, kind: str, data: object) -> AuthResult:
        right = LoginPassword(USER.encode(), password.encode())
        return AuthResult(success=data == right, handled=False)

    return check


@contextmanager
def post_office(
    authority: trustme.CA | None = None,
    *,
    starttls: bool = False,
    size: int = 33_554_432,
    password: str = PASSWORD,
    without: tuple[str, ...] = (),
) -> Iterator[PostOffice]:
    """A server that is running: TLS from the first byte with an authority, or by STARTTLS, or plain.

    It knows all ways to sign in but those of `without`.
    """
    office = PostOffice(port=free_port())
    context = None
    if authority:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost").configure_cert(context)
    controller = Controller(
        office,
        hostname="127.0.0.1",
        port=office.port,
        ssl_context=None if starttls else context,
        tls_context=context if starttls else None,
        require_starttls=starttls,
        authenticator=_authenticator(password),
        auth_required=True,
        auth_require_tls=False,
        auth_exclude_mechanism=without,
        data_size_limit=size,
        ready_timeout=20,
    )
    controller.start()
    try:
        yield office
    finally:
        controller.stop()
