"""Header lines read as they are, not as they should be: raw bytes, odd encoded words, several senders."""

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email import policy
from email.errors import HeaderParseError
from email.header import decode_header
from email.headerregistry import Address
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Final

from connectors.clean import clean_line

LIMIT: Final = 20_000
# The library's parser takes time that grows with the square of the length, or worse.
_LONGEST_PARSED: Final = 2_000
_NO_CHARSETS: Final = frozenset({"unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined"})
_FOLD = re.compile(r"\r?\n[ \t]*|\r")
_ENCODED_WORD = r"=\?[^?\s]+\?[bBqQ]\?[^?]*\?="
# Words that follow each other are one run: a character may be cut between them.
_ENCODED_WORDS = re.compile(rf"{_ENCODED_WORD}(?:\s+{_ENCODED_WORD})*")
# The usual shape of a From line, taken apart without the slow parser.
_SIMPLE = re.compile(
    r"""(?P<quote>"?)(?P<name>[\w '.-]*)(?P=quote)\s*<(?P<angle>[\w.+-]+@[\w.-]+)>"""
    r"""|(?P<bare>[\w.+-]+@[\w.-]+)""",
    re.ASCII,
)
_ADDRESSES = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,255}", re.ASCII)
_MESSAGE_ID = re.compile(r"<[!-;=?-~](?:[ -;=?-~]{0,248}[!-;=?-~])?>")


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Somebody named in a message; both parts are decoded but not cleaned, and either may be empty."""

    name: str
    address: str


def header(message: Message, name: str) -> str:
    """The first header of this name as one unfolded line, its bytes made text; empty if there is none.

    At most `LIMIT` characters, since a sender may write a header of any length.
    """
    lines = headers(message, name)
    return lines[0] if lines else ""


def headers(message: Message, name: str) -> tuple[str, ...]:
    """Every header of this name, each as by `header`."""
    wanted = name.lower()
    return tuple(_line(str(value)) for key, value in message.raw_items() if key.lower() == wanted)


def decoded(line: str) -> str:
    """A header line with its encoded words (RFC 2047) decoded; those that cannot be stay as they are."""
    return _ENCODED_WORDS.sub(lambda run: _words(run.group()), line) if "=?" in line else line


def correspondents(line: str) -> tuple[Correspondent, ...]:
    """The people in an address header, groups opened; names are decoded after the line is taken apart.

    So an encoded word cannot add an address (RFC 2047 section 5). Of a very long line only the addresses are
    read.
    """
    if not line.strip():
        return ()
    people = _taken_apart(line) or (Correspondent(decoded(line), ""),)
    return tuple(each for each in people if each.name or each.address)


def message_ids(line: str) -> tuple[str, ...]:
    """Every message id in a header, brackets included, whole even with a space in it."""
    return tuple(_MESSAGE_ID.findall(line))


def moment(line: str) -> datetime | None:
    """The instant a Date header names as UTC, or None if it is no date."""
    try:
        found = parsedate_to_datetime(line)
        aware = found if found.tzinfo else found.replace(tzinfo=UTC)
        return aware.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def bare(text: str) -> str:
    """Text on one line without control characters, fit to be written into a header of ours."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def cleaned(who: Correspondent) -> Correspondent:
    """Somebody as a message names them, made fit to be shown."""
    return Correspondent(clean_line(who.name, 80).strip(), clean_line(who.address))


def _line(value: str) -> str:
    # The parser keeps bytes outside ASCII as lone surrogates; what they are is for us to find out.
    value = value[:LIMIT]
    if not value.isascii():
        value = text_of(value.encode("utf-8", "surrogateescape"))
    return _FOLD.sub(" ", value).strip()


def text_of(data: bytes, charset: str = "utf-8") -> str:
    """Bytes as text: by the charset if it exists and fits, else UTF-8, else Windows-1252."""
    for candidate in (charset, "utf-8"):
        try:
            return _decode(data, candidate)
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", "replace")


def _decode(data: bytes, charset: str) -> str:
    # Python knows codecs that are no charsets: they would undo escapes, or break names apart.
    if codecs.lookup(charset).name.replace("_", "-") in _NO_CHARSETS:
        raise LookupError(charset)
    return data.decode(charset)


def _words(run: str) -> str:
    try:
        parts = decode_header(run)
        text = "".join(_decode(part, (charset or "ascii").partition("*")[0]) for part, charset in parts)
        return text or run
    except (HeaderParseError, LookupError, ValueError):
        return run


def _taken_apart(line: str) -> tuple[Correspondent, ...]:
    if len(line) > _LONGEST_PARSED:
        return tuple(Correspondent("", address) for address in _ADDRESSES.findall(line))
    simple = _SIMPLE.fullmatch(line)
    if simple is not None:
        return (Correspondent((simple["name"] or "").strip(), simple["angle"] or simple["bare"]),)
    # The registry's parser is strict about structure, yet some broken lines make it raise almost anything.
    try:
        found: Sequence[Address] = policy.default.header_factory("to", line).addresses
    except Exception:
        return ()
    return tuple(_correspondent(decoded(each.display_name), _addr_spec(each)) for each in found)


def _correspondent(name: str, address: str) -> Correspondent:
    if "@" in address and not any(character.isspace() or character in '<>"' for character in address):
        return Correspondent(name.strip(), address)
    return Correspondent(f"{name} {address}".strip(' "<>'), "")


def _addr_spec(address: Address) -> str:
    try:
        return address.addr_spec
    except Exception:
        return f"{address.username}@{address.domain}"
