"""How a Maildir++ mailbox names its folders and messages, and how we name them to others."""

import base64
import binascii
import os
import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import quote, unquote

INBOX: Final = "INBOX"
DRAFTS: Final = "Drafts"
SENT: Final = "Sent"
TRASH: Final = "Trash"
ARCHIVE: Final = "Archive"

SEEN: Final = "S"
DRAFT: Final = "D"
FLAGGED: Final = "F"

Subdir = Literal["new", "cur"]

_HANDLE: Final = "message:"
_PLAIN: Final = "!$&'()*+,;=:@~-._"
_FILE_NAME = re.compile(r"(?P<unique>.*?)(?::2,(?P<flags>[A-Za-z]*))?", re.DOTALL)
_UTF7_RUN = re.compile(r"&([A-Za-z0-9+,]*)-")


@dataclass(frozen=True, slots=True)
class Entry:
    """One message file: its folder, its unique name, and what its file name and `stat` say.

    `flags` are the Maildir letters in order (S seen, D draft, F flagged, R replied, P passed, T trashed);
    `size` is in bytes.
    """

    folder: str
    unique: str
    subdir: Subdir
    flags: str
    size: int
    mtime_ns: int
    suffix: str

    @property
    def handle(self) -> str:
        return handle(self.folder, self.unique)

    @property
    def file_name(self) -> str:
        return self.unique + self.suffix

    @property
    def unread(self) -> bool:
        return SEEN not in self.flags


def handle(folder: str, unique: str) -> str:
    """The name of a message that stays the same while its flags change: `message:<folder>/<unique name>`."""
    return f"{_HANDLE}{_quoted(folder)}/{_quoted(unique)}"


def is_handle(text: str) -> bool:
    return text.startswith(_HANDLE)


def place(text: str) -> tuple[str, str] | None:
    """The folder and unique name that a handle stands for, or None if it is no handle."""
    folder, slash, unique = text.removeprefix(_HANDLE).partition("/")
    if not (is_handle(text) and folder and slash and unique):
        return None
    return _unquoted(folder), _unquoted(unique)


def split(file_name: str) -> tuple[str, str, str]:
    """The unique name, the sorted flags, and the suffix of a message's file name."""
    match = _FILE_NAME.fullmatch(file_name)
    if match is None or not match["unique"]:
        return file_name, "", ""
    unique = match["unique"]
    return unique, "".join(sorted(match["flags"] or "")), file_name[len(unique) :]


def suffix(flags: str) -> str:
    """The end of a file name that says these flags."""
    return ":2," + "".join(sorted(set(flags)))


def shown(folder: str) -> str:
    """A folder's name as people write it: `Archive.2024` is Archive/2024, modified UTF-7 is decoded.

    The encoding is that of RFC 3501 section 5.1.3; a name that does not follow it is left as it is.
    """
    if folder == INBOX:
        return "Inbox"
    try:
        return _UTF7_RUN.sub(_utf7_run, folder).replace(".", "/")
    except (binascii.Error, UnicodeDecodeError):
        return folder.replace(".", "/")


def _utf7_run(match: re.Match[str]) -> str:
    run = match[1].replace(",", "/")
    if not run:
        return "&"
    return base64.b64decode(run + "=" * (-len(run) % 4)).decode("utf-16-be")


def _quoted(name: str) -> str:
    return quote(os.fsencode(name), safe=_PLAIN)


def _unquoted(name: str) -> str:
    return unquote(name, encoding="utf-8", errors="surrogateescape")
