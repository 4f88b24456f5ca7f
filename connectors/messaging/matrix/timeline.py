"""What an event of a room means to us: something said, changed or removed. Events may hold anything."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_LONGEST_TEXT: Final = 200_000
_LATEST: Final = 253_402_300_799_000
_FILES: Final = frozenset({"m.image", "m.file", "m.audio", "m.video"})
# Clients that do not know answers see the answered text quoted first (rich replies).
_FALLBACK = re.compile(r"\A(?:> [^\n]*\n)+\n?")
ENCRYPTED: Final = (
    "(This message is encrypted, and Askfirst cannot read it. Read it in a Matrix app that has your keys.)"
)


@dataclass(frozen=True, slots=True)
class File:
    """A file that was sent, which is not fetched; `size` is in bytes, 0 where it is not told."""

    name: str
    media: str
    size: int


@dataclass(frozen=True, slots=True)
class Said:
    """A message as it was first sent; `stamp` and `removed` are in milliseconds since 1970, 0 for not.

    `answers` is the id of the event it replies to, `transaction` is only told of one's own.
    """

    id: str
    room: str
    sender: str
    stamp: int
    text: str
    answers: str = ""
    file: File | None = None
    transaction: str = ""
    removed: int = 0


@dataclass(frozen=True, slots=True)
class Edit:
    """New words for an earlier message, which hold if they are from the same sender."""

    id: str
    room: str
    sender: str
    stamp: int
    target: str
    text: str


@dataclass(frozen=True, slots=True)
class Removal:
    """A message or an edit was taken back."""

    room: str
    stamp: int
    target: str


Change = Said | Edit | Removal


def change_of(event: Mapping[str, object], room: str) -> Change | None:
    """What an event (client-server API, ClientEvent) means, None for what is nothing to be read."""
    id, sender, stamp = _text(event.get("event_id")), _text(event.get("sender")), _stamp(event)
    if not id.startswith("$") or not sender:
        return None
    content = _mapping(event.get("content"))
    match event.get("type"):
        case "m.room.redaction":
            target = _text(event.get("redacts")) or _text(content.get("redacts"))
            return Removal(room, stamp, target) if target else None
        case "m.room.message" | "m.sticker":
            return _said(event, content, Said(id, room, sender, stamp, ""))
        case "m.room.encrypted":
            return _with_unsigned(event, Said(id, room, sender, stamp, ENCRYPTED))
        case _:
            return None


def content_of(text: str, answers: str) -> dict[str, object]:
    """The content of a message of ours (`m.room.message`), perhaps as an answer."""
    content: dict[str, object] = {"msgtype": "m.text", "body": text}
    if answers:
        content["m.relates_to"] = {"m.in_reply_to": {"event_id": answers}}
    return content


def transaction_of(event: Mapping[str, object]) -> str:
    """The transaction by which this very device sent an event, empty where it is not told."""
    return _text(_mapping(event.get("unsigned")).get("transaction_id"))


def _said(event: Mapping[str, object], content: Mapping[str, object], said: Said) -> Change | None:
    relation = _mapping(content.get("m.relates_to"))
    if relation.get("rel_type") == "m.replace":
        target, words = _text(relation.get("event_id")), _words(_mapping(content.get("m.new_content")))
        return Edit(said.id, said.room, said.sender, said.stamp, target, words) if target else None
    answers = _text(_mapping(relation.get("m.in_reply_to")).get("event_id"))
    text = _words(content)
    if answers:
        text = _FALLBACK.sub("", text)
    kind = "m.sticker" if event.get("type") == "m.sticker" else _text(content.get("msgtype"))
    if kind == "m.emote":
        text = f"* {text}"
    file = _file(content) if kind in _FILES or kind == "m.sticker" else None
    told = Said(said.id, said.room, said.sender, said.stamp, text, answers, file)
    return _with_unsigned(event, told)


def _with_unsigned(event: Mapping[str, object], said: Said) -> Said:
    unsigned = _mapping(event.get("unsigned"))
    removed = 0
    if "redacted_because" in unsigned or "redacted_by" in unsigned:
        removed = _stamp(_mapping(unsigned.get("redacted_because"))) or said.stamp or 1
    return Said(
        said.id,
        said.room,
        said.sender,
        said.stamp,
        said.text,
        said.answers,
        said.file,
        transaction_of(event),
        removed,
    )


def _words(content: Mapping[str, object]) -> str:
    return _text(content.get("body"))[:_LONGEST_TEXT]


def _file(content: Mapping[str, object]) -> File:
    info = _mapping(content.get("info"))
    size = info.get("size")
    name = _text(content.get("filename")) or _text(content.get("body"))
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    whole = size if isinstance(size, int) and 0 <= size < 2**53 else 0
    return File(last or "without a name", _text(info.get("mimetype")) or "application/octet-stream", whole)


def _stamp(event: Mapping[str, object]) -> int:
    stamp = event.get("origin_server_ts")
    return stamp if isinstance(stamp, int) and 0 <= stamp <= _LATEST else 0


def _text(value: object) -> str:
    if not isinstance(value, str):
        return ""
    # JSON may hold halves of characters, which no file takes.
    return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
