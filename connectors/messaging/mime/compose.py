"""A message of our own, built to the byte: what is shown is what leaves, and no header can be smuggled in."""

from dataclasses import dataclass
from datetime import datetime
from email import policy
from email.header import Header
from email.message import EmailMessage
from email.utils import format_datetime, formataddr
from typing import Final

from connectors.clean import clean_line
from connectors.messaging.mime.headers import Correspondent, bare
from connectors.messaging.mime.letter import Letter
from connectors.people import is_address

_POLICY: Final = policy.default.clone(cte_type="7bit")
_LONGEST_PLAIN: Final = 900
_MOST_REFERENCES: Final = 20
_REPLY_MARKS: Final = ("re:", "aw:", "sv:", "antw:")
NO_DOMAIN: Final = "askfirst.invalid"
"""The right side of our message ids: it names no machine (RFC 2606)."""


class ComposeError(ValueError):
    """A message that must not be written; the text is a plain sentence for a person."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """All that goes into a message of our own; `references` is the thread, the answered message last.

    Without an address of the sender there is no From line, which only a draft may do without.
    """

    sender: Correspondent
    recipients: tuple[Correspondent, ...]
    subject: str
    body: str
    message_id: str
    date: datetime
    references: tuple[str, ...] = ()


def compose(outgoing: Outgoing) -> bytes:
    """The message as ASCII bytes with LF line ends (RFC 5322, MIME).

    Raises ComposeError for a header with control characters, and for text that is not Unicode.
    """
    lines = [f"From: {_mailbox(outgoing.sender)}"] if outgoing.sender.address else []
    if outgoing.recipients:
        lines.append("To: " + ",\n ".join(map(_mailbox, outgoing.recipients)))
    if outgoing.subject:
        lines.append(f"Subject: {_text(checked_subject(outgoing.subject))}")
    lines += [f"Date: {format_datetime(outgoing.date)}", f"Message-ID: {outgoing.message_id}"]
    if outgoing.references:
        lines.append(f"In-Reply-To: {outgoing.references[-1]}")
        lines.append("References: " + "\n ".join(outgoing.references))
    return "\n".join(lines).encode("ascii") + b"\n" + _content(checked_body(outgoing.body))


def checked_subject(subject: str) -> str:
    """The subject, if it may stand in a header. Raises ComposeError."""
    if any(ord(character) < 32 or ord(character) == 127 for character in subject):
        raise ComposeError("The subject has a line break or control character in it, so it was not used.")
    return _unicode(subject, "subject")


def checked_body(body: str) -> str:
    """The text with plain line ends, if it is Unicode. Raises ComposeError."""
    return _unicode(body.replace("\r\n", "\n").replace("\r", "\n"), "text")


def message_id(key: str, sender: str) -> str:
    """The message id that belongs to a key, at the sender's domain, which says nothing of this machine."""
    return f"<{key}@{sender.rpartition('@')[2] or NO_DOMAIN}>"


def thread(parent: Letter) -> tuple[str, ...]:
    """The References of an answer, by RFC 5322 section 3.6.4; of a long thread its beginning and its end."""
    if not parent.message_id:
        return ()
    earlier = parent.references or (parent.in_reply_to if len(parent.in_reply_to) == 1 else ())
    known = [each for each in dict.fromkeys(earlier) if each != parent.message_id]
    if len(known) >= _MOST_REFERENCES:
        known = [known[0], *known[2 - _MOST_REFERENCES :]]
    return (*known, parent.message_id)


def answered(subject: str) -> str:
    """The subject of an answer: one Re: and no more, also where another language's mark is there."""
    return subject if subject.casefold().startswith(_REPLY_MARKS) else f"Re: {subject}".strip()


def _mailbox(person: Correspondent) -> str:
    name = bare(person.name)
    if not name or "@" in name or not is_address(person.address):
        return _addr_spec(person.address)
    return f"{_text(name)} <{person.address}>" if _odd(name) else formataddr((name, person.address))


def _addr_spec(address: str) -> str:
    if not is_address(address):
        raise ComposeError(f"{clean_line(address, 80)} is not an e-mail address that can be written to.")
    return address


def _text(line: str) -> str:
    # A typed "=?...?=" must not be taken for an encoded word, so odd text is encoded whole.
    return Header(line, "utf-8", maxlinelen=72).encode(linesep="\n") if _odd(line) else line


def _odd(line: str) -> bool:
    return not line.isascii() or "=?" in line or len(line) > _LONGEST_PLAIN or line != line.strip()


def _content(body: str) -> bytes:
    message = EmailMessage(policy=_POLICY)
    message.set_content(body, charset="utf-8", cte="quoted-printable")
    return message.as_bytes()


def _unicode(text: str, what: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ComposeError(f"The {what} has a character in it that cannot be written.") from error
    return text
