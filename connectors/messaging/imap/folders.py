"""Which folder of a server is for sent mail, drafts or the trash; and how its folders are called here."""

from collections.abc import Iterable
from dataclasses import dataclass

from imapclient import imap_utf7

from connectors.messaging.maildir.names import ARCHIVE, DRAFTS, INBOX, SENT, TRASH

JUNK = "Junk"

_BY_USE = {
    b"\\sent": SENT,
    b"\\drafts": DRAFTS,
    b"\\trash": TRASH,
    b"\\archive": ARCHIVE,
    b"\\junk": JUNK,
}
# What the special folders are called by servers that do not say which they are (RFC 6154 came late).
_BY_NAME = {
    "sent": SENT,
    "sent items": SENT,
    "sent messages": SENT,
    "drafts": DRAFTS,
    "trash": TRASH,
    "deleted items": TRASH,
    "deleted messages": TRASH,
    "archive": ARCHIVE,
    "archives": ARCHIVE,
    "junk": JUNK,
    "junk e-mail": JUNK,
    "spam": JUNK,
}
# `\All` and `\Flagged` show messages of other folders once more.
_NOT_LOOKED_INTO = frozenset({b"\\noselect", b"\\nonexistent", b"\\all", b"\\flagged"})


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of a server's LIST: its attributes, the delimiter, and the decoded name."""

    flags: tuple[bytes, ...]
    delimiter: str
    name: str


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of a server by our names for them, and how new ones are named there."""

    names: dict[str, str]
    prefix: str
    delimiter: str

    def there(self, folder: str) -> str:
        """The server's name for a folder, also for one that has yet to be made."""
        if folder in self.names:
            return self.names[folder]
        parts = (imap_utf7.decode(part.encode("ascii", "replace")) for part in folder.split("."))
        return self.prefix + (self.delimiter or "/").join(parts)


def named(listed: Iterable[Listed], prefix: str = "") -> Folders:
    """Name the folders: the usual ones by their use or else their usual names, the rest by their own."""
    usable = [each for each in listed if not _NOT_LOOKED_INTO & {flag.lower() for flag in each.flags}]
    names: dict[str, str] = {}
    for each in usable:
        if each.name.upper() == INBOX:
            names[INBOX] = each.name
    for each in usable:
        for flag in each.flags:
            if use := _BY_USE.get(flag.lower()):
                names.setdefault(use, each.name)
    for each in usable:
        if each.name not in names.values() and (use := _BY_NAME.get(_bare(each, prefix).lower())):
            names.setdefault(use, each.name)
    for each in usable:
        if each.name not in names.values():
            names.setdefault(_ours(_bare(each, prefix), each.delimiter), each.name)
    delimiter = next((each.delimiter for each in usable if each.delimiter), "/")
    return Folders(names, prefix, delimiter)


def _bare(listed: Listed, prefix: str) -> str:
    return listed.name.removeprefix(prefix)


def _ours(name: str, delimiter: str) -> str:
    """A name as Maildir++ has it: parts in modified UTF-7, a dot between them and none within."""
    parts = name.split(delimiter) if delimiter else [name]
    return ".".join(imap_utf7.encode(part).decode("ascii").replace(".", "&AC4-") for part in parts)
