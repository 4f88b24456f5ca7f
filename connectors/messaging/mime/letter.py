"""A message taken apart: who, when, what it says and carries; however broken, something is shown."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.parser import BytesParser
from email.policy import Compat32
from typing import Final, cast

from connectors.messaging.mime.flowed import unflowed
from connectors.messaging.mime.headers import (
    LIMIT,
    Correspondent,
    correspondents,
    decoded,
    header,
    headers,
    message_ids,
    moment,
    text_of,
)
from connectors.messaging.mime.html import text_of_html

_DEEPEST: Final = 20


class _Bounded(Compat32):
    """The older policy, which a hostile Content-Type cannot hold up for minutes; headers are cut."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:LIMIT]


_POLICY: Final = _Bounded()


@dataclass(frozen=True, slots=True)
class Attachment:
    """Something a message carries beside its text; `name` is the last part of what the sender wrote."""

    name: str
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class Letter:
    """A message as it was written, decoded but not cleaned; `faults` says in our words what is wrong.

    `notes` are lines, each with a title, of what else is to be known of it; mail has none.
    """

    senders: tuple[Correspondent, ...]
    recipients: tuple[Correspondent, ...]
    reply_to: tuple[Correspondent, ...]
    subject: str
    sent: datetime | None
    message_id: str
    in_reply_to: tuple[str, ...]
    references: tuple[str, ...]
    text: str
    attachments: tuple[Attachment, ...]
    faults: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def sender(self) -> Correspondent:
        return self.senders[0] if self.senders else Correspondent("", "")


def parse(data: bytes) -> Letter:
    """Take a message apart (RFC 5322, MIME); whatever its bytes are, this raises nothing."""
    try:
        message = BytesParser(policy=_POLICY).parsebytes(data)
        text, attachments = _contents(message)
        faults = _faults(message)
    except Exception:
        # The standard parser is not proof against every broken message; then the top lines have to do.
        head, _, body = data.replace(b"\r\n", b"\n").partition(b"\n\n")
        message = BytesParser(policy=_POLICY).parsebytes(head[:100_000], True)
        text, attachments, faults = text_of(body[:100_000]), (), ("its parts could not be told apart",)
    return _letter(message, text, attachments, faults)


def carried(data: bytes) -> tuple[tuple[Attachment, bytes], ...]:
    """What a message carries, each with its bytes, in the order of `Letter.attachments`."""
    try:
        message = BytesParser(policy=_POLICY).parsebytes(data)
        return tuple((_attachment(part), _bytes(part)) for part in _leaves(message, 0) if not _is_text(part))
    except Exception:
        # What cannot be taken apart is shown without attachments too.
        return ()


def _letter(
    message: Message, text: str, attachments: tuple[Attachment, ...], faults: tuple[str, ...]
) -> Letter:
    ids = message_ids(header(message, "message-id"))
    recipients = [
        each
        for name in ("to", "cc", "bcc")
        for line in headers(message, name)
        for each in correspondents(line)
    ]
    return Letter(
        senders=tuple(each for line in headers(message, "from") for each in correspondents(line)),
        recipients=tuple(recipients),
        reply_to=correspondents(header(message, "reply-to")),
        subject=decoded(header(message, "subject")),
        sent=moment(header(message, "date")),
        message_id=ids[0] if ids else "",
        in_reply_to=message_ids(header(message, "in-reply-to")),
        references=message_ids(header(message, "references")),
        text=text,
        attachments=attachments,
        faults=faults,
    )


def _faults(message: Message) -> tuple[str, ...]:
    faults = []
    if len(headers(message, "from")) > 1:
        faults.append("it names its sender more than once; the first is shown")
    if message.is_multipart() is False and message.get_content_maintype() == "multipart":
        faults.append("its parts could not be told apart")
    return tuple(faults)


def _contents(message: Message) -> tuple[str, tuple[Attachment, ...]]:
    texts: list[str] = []
    attachments: list[Attachment] = []
    for part in _leaves(message, 0):
        if _is_text(part):
            texts.append(_text(part))
        else:
            attachments.append(_attachment(part))
    readable = [text for text in texts if text.strip()] or texts[:1]
    return "\n\n".join(readable).strip("\n"), tuple(attachments)


def _leaves(part: Message, depth: int) -> Iterator[Message]:
    if not part.is_multipart() or part.get_content_maintype() == "message" or depth > _DEEPEST:
        yield part
        return
    children = [cast(Message, child) for child in cast(list[object], part.get_payload())]
    if part.get_content_subtype() == "alternative":
        yield from _best(children, depth)
        return
    for child in children:
        yield from _leaves(child, depth + 1)


def _best(alternatives: list[Message], depth: int) -> Iterator[Message]:
    # Plain text says the same with less to hide in; an empty one is no alternative. Invitations come along.
    groups = [list(_leaves(each, depth + 1)) for each in alternatives]
    readable = [group for group in groups if any(_is_text(leaf) and _text(leaf).strip() for leaf in group)]
    plain = [group for group in readable if any(leaf.get_content_type() == "text/plain" for leaf in group)]
    chosen = (plain or readable or groups)[:1]
    others = [leaf for group in groups if group not in chosen for leaf in group if not _is_text(leaf)]
    yield from (leaf for group in chosen for leaf in group)
    yield from others


def _is_text(part: Message) -> bool:
    if part.get_content_disposition() == "attachment":
        return False
    kind = part.get_content_type()
    unsplit = part.get_content_maintype() == "multipart" and not part.is_multipart()
    return unsplit or kind in ("text/plain", "text/html") or (kind.startswith("text/") and not _named(part))


def _named(part: Message) -> bool:
    return part.get_content_subtype() == "calendar" or bool(part.get_filename())


def _text(part: Message) -> str:
    text = text_of(_bytes(part), part.get_content_charset("utf-8"))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if part.get_content_subtype() == "html":
        return text_of_html(text)
    if str(part.get_param("format", "")).lower() == "flowed":
        return unflowed(text, delete_space=str(part.get_param("delsp", "")).lower() == "yes")
    return text


def _bytes(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    if isinstance(payload, bytes):
        return payload
    if part.get_content_maintype() == "message" and part.is_multipart():
        return b"\n".join(cast(Message, each).as_bytes() for each in cast(list[object], part.get_payload()))
    return b""


def _attachment(part: Message) -> Attachment:
    name = decoded(str(part.get_filename() or ""))
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    kind = part.get_content_type()
    unnamed = "a message" if kind == "message/rfc822" else "without a name"
    return Attachment(last or unnamed, kind, len(_bytes(part)))
