"""One conversation with a submission server (RFC 5321, RFC 6409), step by step.

Up to the message's text nothing has left, so every failure is an obstacle. From the end of the text to the
server's answer nobody knows: what goes wrong there is raised, and never tried again.
"""

import smtplib
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from connectors.base import Needs
from connectors.clean import clean_line
from connectors.messaging.server import Server
from connectors.messaging.transport import Delivery, Obstacle
from connectors.secrets.base import SecretError

# What the server is told of this machine: its real name is nobody's business.
_OURSELVES = "[127.0.0.1]"
_GO_AHEAD = 354
_TOO_LARGE = 552


class Stopped(Exception):
    """The conversation ended before anything left."""

    def __init__(self, needs: Needs, text: str) -> None:
        super().__init__(text)
        self.obstacle = Obstacle(needs, text)


@contextmanager
def signed_in(server: Server, secret: Callable[[], str], tls: ssl.SSLContext) -> Iterator[smtplib.SMTP]:
    """A connection on which the person is known. Raises Stopped."""
    with _explained(server):
        connection = _connected(server, tls)
    try:
        with _explained(server):
            _greet(connection, server, tls)
            _log_in(connection, server, secret)
        yield connection
    finally:
        with suppress(smtplib.SMTPException, OSError):
            connection.quit()
        connection.close()


def hand_over(connection: smtplib.SMTP, sender: str, recipients: Sequence[str], message: bytes) -> Delivery:
    """Send these bytes (lines end in LF) to these addresses, once.

    Raises Stopped while nothing has left, and whatever happened where nobody knows.
    """
    data = _on_the_wire(message)
    refused = _envelope(connection, sender, recipients, len(data))
    if len(refused) == len(recipients):
        return Delivery(refused)
    with _explained(None):
        code, answer = connection.docmd("DATA")
    if code != _GO_AHEAD:
        raise Stopped(Needs.UNAVAILABLE, f"The mail server did not take the message ({_said(answer)}).")
    connection.send(data)
    code, answer = connection.getreply()
    if code == _TOO_LARGE:
        raise Stopped(Needs.INVALID, f"The mail server found the message too large ({_said(answer)}).")
    if code >= 400:
        raise Stopped(Needs.UNAVAILABLE, f"The mail server did not take the message ({_said(answer)}).")
    return Delivery(refused)


def largest(connection: smtplib.SMTP) -> int | None:
    """The most bytes of a message that the server takes, where it says so (RFC 1870)."""
    said = connection.esmtp_features.get("size", "").strip()
    return int(said) or None if said.isascii() and said.isdigit() else None


def _connected(server: Server, tls: ssl.SSLContext) -> smtplib.SMTP:
    if server.security == "tls":
        return smtplib.SMTP_SSL(server.host, server.port, _OURSELVES, timeout=server.timeout, context=tls)
    return smtplib.SMTP(server.host, server.port, _OURSELVES, timeout=server.timeout)


def _greet(connection: smtplib.SMTP, server: Server, tls: ssl.SSLContext) -> None:
    connection.ehlo_or_helo_if_needed()
    if server.security != "starttls":
        return
    if not connection.has_extn("starttls"):
        text = f"{server.host} offers no encryption (STARTTLS), so nothing was said to it."
        raise Stopped(Needs.UNAVAILABLE, text)
    connection.starttls(context=tls)
    connection.ehlo()


def _log_in(connection: smtplib.SMTP, server: Server, secret: Callable[[], str]) -> None:
    if not server.user or not connection.has_extn("auth"):
        return
    if not server.bearer:
        connection.login(server.user, secret())
        return
    connection.user, connection.password = server.user, ""
    offered = connection.esmtp_features["auth"].upper().split()
    if "OAUTHBEARER" in offered and "XOAUTH2" not in offered:
        answer = f"n,a={server.user},\1host={server.host}\1port={server.port}\1auth=Bearer {secret()}\1\1"
        # A refusal is to be acknowledged before the reason is told (RFC 7628 section 3.2.3).
        connection.auth("OAUTHBEARER", lambda challenge=None: answer if challenge is None else "\1")
        return
    answer = f"user={server.user}\1auth=Bearer {secret()}\1\1"
    # A refusal comes as a challenge, to be answered with nothing before the reason is told.
    connection.auth("XOAUTH2", lambda challenge=None: answer if challenge is None else "")


def _envelope(
    connection: smtplib.SMTP, sender: str, recipients: Sequence[str], size: int
) -> tuple[tuple[str, str], ...]:
    """Say who writes and to whom; the addresses that are refused, with the server's reasons."""
    with _explained(None):
        options = [f"SIZE={size}"] if connection.has_extn("size") else []
        code, answer = connection.mail(sender, options)
        if code == _TOO_LARGE:
            raise Stopped(Needs.INVALID, f"The message is too large for the mail server ({_said(answer)}).")
        if code >= 400:
            raise Stopped(Needs.UNAVAILABLE, f"The mail server refuses mail from {sender} ({_said(answer)}).")
        refused = []
        for address in recipients:
            code, answer = connection.rcpt(address)
            if code >= 400:
                refused.append((address, _said(answer)))
        return tuple(refused)


def _on_the_wire(message: bytes) -> bytes:
    """Lines that end in CRLF, a dot before every dot that begins one, and the dot that ends it all."""
    lines = message.replace(b"\r\n", b"\n").rstrip(b"\n").split(b"\n")
    return b"\r\n".join(b"." + line if line[:1] == b"." else line for line in lines) + b"\r\n.\r\n"


def _said(answer: bytes) -> str:
    return clean_line(answer.decode("utf-8", "replace"), 200).rstrip(".")


@contextmanager
def _explained(server: Server | None) -> Iterator[None]:
    """Turn what goes wrong before anything has left into words."""
    where = server.shown if server else "The mail server"
    try:
        yield
    except SecretError as error:
        raise Stopped(Needs.SIGNED_OUT, str(error)) from error
    except smtplib.SMTPAuthenticationError as error:
        text = f"{where} does not accept the sign-in ({_said(_bytes(error.smtp_error))})."
        raise Stopped(Needs.SIGNED_OUT, text) from error
    except ssl.SSLCertVerificationError as error:
        text = f"The certificate of {where} is not to be trusted ({error.verify_message}); nothing was sent."
        raise Stopped(Needs.UNAVAILABLE, text) from error
    except ssl.SSLError as error:
        text = f"{where} does not speak TLS as it should ({clean_line(error.reason or 'no reason')})."
        raise Stopped(Needs.UNAVAILABLE, text) from error
    except smtplib.SMTPResponseException as error:
        text = f"{where} refused to go on ({_said(_bytes(error.smtp_error))})."
        raise Stopped(Needs.UNAVAILABLE, text) from error
    except smtplib.SMTPServerDisconnected as error:
        raise Stopped(Needs.UNAVAILABLE, f"{where} hung up before the message was sent.") from error
    except smtplib.SMTPException as error:
        raise Stopped(Needs.UNAVAILABLE, f"{where}: {clean_line(str(error), 200)}") from error
    except OSError as error:
        raise Stopped(Needs.OFFLINE, f"{where} cannot be reached, so nothing can be sent.") from error


def _bytes(text: bytes | str) -> bytes:
    return text.encode() if isinstance(text, str) else text
