"""What a file would say after a change: the exact bytes, and the difference for a person to read."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff

from connectors.base import Needs
from connectors.clean import clean_line
from connectors.files.errors import Refused
from connectors.files.text import Text, decode


@dataclass(frozen=True, slots=True)
class Edited:
    """A file's new bytes, and its text before and after."""

    data: bytes
    before: Text
    after: str


def edited(old: bytes, text: str, *, add: bool, shown: str) -> Edited:
    """The file with its text replaced or added to, in its own encoding and with its own line ends.

    Raises Refused for a file that is no text, and for text that its encoding cannot hold.
    """
    before = decode(old)
    if before is None:
        raise Refused(Needs.UNSUPPORTED, f"“{shown}” is not text, and only text can be written.")
    text = f"{text}\n"
    if add and before.text and not before.text.endswith(("\n", "\r")):
        text = f"\n{text}"
    piece = before.with_line_ends(text)
    start, said = (old, before.text) if add else (before.mark, "")
    return Edited(start + encoded(piece, before, shown), before, said + piece)


def encoded(text: str, like: Text, shown: str) -> bytes:
    """Text in a file's encoding. Raises Refused, naming the first character that cannot be kept."""
    if "\0" in text:
        raise Refused(Needs.INVALID, f"The text for “{shown}” holds a zero byte, which no text has.")
    try:
        return like.encode(text)
    except UnicodeEncodeError as error:
        character = clean_line(text[error.start])
        reason = f"“{shown}” is kept in {like.encoding_name}, which has no “{character}”."
        raise Refused(Needs.INVALID, f"{reason} Nothing was written.") from None


def difference(before: str, after: str, name: str) -> str:
    """A unified diff of two texts, in clean lines; a last line without an end is marked as diff(1) does."""
    lines = unified_diff(_lines(before), _lines(after), f"{name} (now)", f"{name} (after)")
    return "".join(lines)


def _lines(text: str) -> list[str]:
    return list(_marked(text.replace("\r\n", "\n").replace("\r", "\n")))


def _marked(text: str) -> Iterator[str]:
    *whole, last = text.split("\n")
    yield from (clean_line(line) + "\n" for line in whole)
    if last:
        yield f"{clean_line(last)}\n\\ No newline at end of file\n"
