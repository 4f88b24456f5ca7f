"""What a server says of a message (RFC 9051 section 2.3.2) in the letters of a Maildir, and back."""

from collections.abc import Iterable
from typing import Final

_LETTERS: Final = {
    b"\\seen": "S",
    b"\\answered": "R",
    b"\\flagged": "F",
    b"\\draft": "D",
    b"\\deleted": "T",
    b"$forwarded": "P",
}
_FLAGS: Final = {
    "S": rb"\Seen",
    "R": rb"\Answered",
    "F": rb"\Flagged",
    "D": rb"\Draft",
    "T": rb"\Deleted",
    "P": rb"$Forwarded",
}


def letters(flags: Iterable[bytes]) -> str:
    """The Maildir letters of a server's flags; those that no letter stands for are left out."""
    return "".join(sorted({_LETTERS[flag.lower()] for flag in flags if flag.lower() in _LETTERS}))


def flags(letters_: str) -> list[bytes]:
    """The server's flags for Maildir letters."""
    return [_FLAGS[letter] for letter in letters_ if letter in _FLAGS]
