"""Sending by a submission server: at most once, and the truth about every way it can end."""

import smtplib
import ssl
from collections.abc import Callable, Iterator

import pytest
import trustme

from connectors.base import Needs
from connectors.messaging.server import Server, is_loopback, tls
from connectors.messaging.smtp.transport import SmtpTransport
from connectors.messaging.transport import Delivery, Obstacle
from tests.connectors.messaging.post_office import PASSWORD, TOKEN, USER, PostOffice, free_port, post_office

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

ANA, BEN = "ana@post.example", "ben@post.example"
MESSAGE = b"From: robin@home.example\nSubject: Friday\nMessage-ID: <1@a>\n\nSee you.\n.hidden dot\n"


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = tls()
    authority.configure_trust(context)
    return context


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with post_office() as office:
        yield office


def transport(
    office: PostOffice, secret: Callable[[], str] = lambda: PASSWORD, **more: object
) -> SmtpTransport:
    return SmtpTransport(server(office, **more), USER, secret, tls())


def server(office: PostOffice, **more: object) -> Server:
    told = {"security": "none", "host": "127.0.0.1", "timeout": 10.0, **more}
    return Server(port=office.port, user=USER, **told)


async def test_a_message_is_sent_once_with_the_very_bytes_that_were_approved(office: PostOffice) -> None:
    assert await transport(office).send(MESSAGE, [ANA, BEN]) == Delivery()
    (envelope,) = office.mail
    assert (envelope.mail_from, envelope.rcpt_tos) == (USER, [ANA, BEN])
    assert envelope.content == MESSAGE.replace(b"\n", b"\r\n")


async def test_an_address_that_is_refused_is_told_and_the_others_get_it(office: PostOffice) -> None:
    office.refuse[BEN] = "550 5.1.1 no such user"
    delivery = await transport(office).send(MESSAGE, [ANA, BEN])
    assert delivery == Delivery(((BEN, "5.1.1 no such user"),))
    assert office.mail[0].rcpt_tos == [ANA]


async def test_where_every_address_is_refused_nothing_is_sent(office: PostOffice) -> None:
    office.refuse = {ANA: "550 no", BEN: "452 mailbox full"}
    delivery = await transport(office).send(MESSAGE, [ANA, BEN])
    assert delivery.refused == ((ANA, "no"), (BEN, "mailbox full"))
    assert office.mail == []


@pytest.mark.parametrize(
    ("answer", "needs"),
    [("451 4.3.0 try later", Needs.UNAVAILABLE), ("552 5.3.4 too big", Needs.INVALID)],
)
async def test_a_message_that_is_not_taken_has_reached_nobody(
    office: PostOffice, answer: str, needs: Needs
) -> None:
    office.refuse_data = answer
    delivery = await transport(office).send(MESSAGE, [ANA])
    assert delivery.obstacle is not None
    assert delivery.obstacle.needs is needs
    assert answer[4:] in delivery.obstacle.text


@pytest.mark.parametrize("kept", [True, False])
async def test_no_answer_after_the_text_is_neither_a_yes_nor_a_no(office: PostOffice, kept: bool) -> None:
    office.hang_up_after_data, office.keep_before_hanging_up = True, kept
    with pytest.raises((smtplib.SMTPServerDisconnected, OSError)):
        await transport(office).send(MESSAGE, [ANA])
    assert len(office.mail) == kept


async def test_a_sender_that_is_refused_is_told(office: PostOffice) -> None:
    office.refuse_sender = "553 5.7.1 not your address"
    delivery = await transport(office).send(MESSAGE, [ANA])
    assert delivery.obstacle == Obstacle(
        Needs.UNAVAILABLE,
        "The mail server refuses mail from robin@home.example (5.7.1 not your address).",
    )


async def test_a_message_larger_than_the_server_takes_is_not_begun() -> None:
    with post_office(size=1000) as office:
        delivery = await transport(office).send(MESSAGE + b"x" * 2000, [ANA])
    assert delivery.obstacle is not None
    assert delivery.obstacle.needs is Needs.INVALID
    assert office.mail == []


async def test_a_wrong_password_is_a_sign_in_that_is_needed(office: PostOffice) -> None:
    found = await transport(office, lambda: "wrong").obstacle()
    assert found is not None
    assert found.needs is Needs.SIGNED_OUT
    assert "wrong" not in found.text


async def test_a_server_that_is_not_there_is_offline(office: PostOffice) -> None:
    nowhere = Server("127.0.0.1", free_port(), "none", USER)
    found = await SmtpTransport(nowhere, USER, lambda: PASSWORD, tls()).obstacle()
    assert found == Obstacle(Needs.OFFLINE, f"{nowhere.shown} cannot be reached, so nothing can be sent.")


async def test_a_token_signs_in(office: PostOffice) -> None:
    good = transport(office, lambda: TOKEN, login="xoauth2")
    assert await good.obstacle() is None
    assert await good.send(MESSAGE, [ANA]) == Delivery()
    stale = await transport(office, lambda: "old", login="xoauth2").obstacle()
    assert stale is not None
    assert stale.needs is Needs.SIGNED_OUT


@pytest.mark.parametrize(("security", "starttls"), [("tls", False), ("starttls", True)])
async def test_a_server_whose_certificate_is_trusted_is_used(
    authority: trustme.CA, trusting: ssl.SSLContext, security: str, starttls: bool
) -> None:
    with post_office(authority, starttls=starttls) as office:
        told = server(office, security=security, host="localhost")
        assert await SmtpTransport(told, USER, lambda: PASSWORD, trusting).send(MESSAGE, [ANA]) == Delivery()
    assert len(office.mail) == 1


async def test_a_certificate_that_is_not_trusted_gets_no_password(authority: trustme.CA) -> None:
    asked: list[str] = []
    with post_office(authority) as office:
        told = server(office, security="tls", host="localhost")
        found = await SmtpTransport(told, USER, lambda: asked.append("asked") or PASSWORD, tls()).obstacle()
    assert found is not None
    assert "is not to be trusted" in found.text
    assert asked == []


async def test_a_server_that_does_not_encrypt_gets_no_password(office: PostOffice) -> None:
    found = await transport(office, security="starttls").obstacle()
    assert found is not None
    assert found.text == "127.0.0.1 offers no encryption (STARTTLS), so nothing was said to it."


async def test_a_good_sign_in_is_believed_for_half_a_minute_and_no_longer(office: PostOffice) -> None:
    now = [0.0]
    asked: list[float] = []

    def secret() -> str:
        asked.append(now[0])
        return PASSWORD

    sender = SmtpTransport(server(office), USER, secret, tls(), lambda: now[0])
    for moment in (0.0, 29.0, 31.0):
        now[0] = moment
        assert await sender.obstacle() is None
    assert asked == [0.0, 31.0]


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("mail.example", False),
        ("localhost.evil.example", False),
        ("10.0.0.1", False),
    ],
)
def test_only_this_machine_is_loopback(host: str, here: bool) -> None:
    assert is_loopback(host) is here
