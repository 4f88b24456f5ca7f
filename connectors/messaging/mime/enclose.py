"""Puts files into a message of our own (MIME, RFC 2045, 2046, 2183, 2231)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from typing import Final

from connectors.messaging.records import short_hash

_POLICY: Final = policy.default.clone(cte_type="7bit")
_OF_CONTENT: Final = ("content-", "mime-version")
# A message or another multipart must not be packed (RFC 2046), and a text may have line ends of its own.
_AS_IT_IS: Final = ("message/", "multipart/", "text/")


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A file that goes along: its name, its MIME type and its bytes."""

    name: str
    media: str
    data: bytes


def enclose(message: bytes, files: Sequence[Enclosed]) -> bytes:
    """A message by `compose` with files behind its text; the same files make the same bytes."""
    if not files:
        return message
    head, _, text = message.partition(b"\n\n")
    lines = list(_unfolded(head))
    of_content = [line for line in lines if line.lower().startswith(tuple(n.encode() for n in _OF_CONTENT))]
    others = [line for line in lines if line not in of_content]
    # Only the message's own text could hold the border, and it cannot be made to fit its own digest.
    border = f"=_{short_hash(message, *(each.data for each in files))}".encode()
    inner = b"\n".join(line for line in of_content if not line.lower().startswith(b"mime-version"))
    parts = [inner + b"\n\n" + text, *(_part(each) for each in files)]
    top = b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="' + border + b'"'
    body = b"".join(b"--" + border + b"\n" + part + b"\n" for part in parts)
    return b"\n".join([*others, top]) + b"\n\n" + body + b"--" + border + b"--\n"


def size_of(message: bytes, sizes: Sequence[int]) -> int:
    """About how many bytes a message will have with files of these sizes: base64 makes four of three."""
    return len(message) + sum(size * 4 // 3 + size // 57 + 400 for size in sizes)


def _unfolded(head: bytes) -> Iterator[bytes]:
    """Header fields, each with its continuation lines."""
    field = b""
    for line in head.split(b"\n"):
        if line[:1] in (b" ", b"\t"):
            field += b"\n" + line
            continue
        if field:
            yield field
        field = line
    yield field


def _part(file: Enclosed) -> bytes:
    media = "application/octet-stream" if file.media.startswith(_AS_IT_IS) else file.media
    maintype, _, subtype = media.partition("/")
    part = EmailMessage(policy=_POLICY)
    part.set_content(
        file.data,
        maintype,
        subtype or "octet-stream",
        filename=file.name,
        disposition="attachment",
        cte="base64",
    )
    del part["MIME-Version"]
    return part.as_bytes().rstrip(b"\n")
