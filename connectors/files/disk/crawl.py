"""Walking the folders from the top down, without following a link or looking at hidden things."""

import os
import stat
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from connectors.files.disk.jail import Jail
from connectors.files.errors import Refused, refusal
from connectors.files.places import Place


class Kind(StrEnum):
    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"


ANY = frozenset(Kind)


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a folder; size in bytes, time of change in nanoseconds since the epoch."""

    name: bytes
    kind: Kind
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Listing:
    """What a folder holds, while its descriptor is open; `trouble` says why it could not be read."""

    folder: Place
    entries: tuple[Entry, ...] = ()
    descriptor: int = -1
    trouble: Refused | None = None


def kind_of(status: os.stat_result) -> Kind:
    if stat.S_ISREG(status.st_mode):
        return Kind.FILE
    if stat.S_ISDIR(status.st_mode):
        return Kind.FOLDER
    return Kind.LINK if stat.S_ISLNK(status.st_mode) else Kind.OTHER


def entry_of(name: bytes, status: os.stat_result) -> Entry:
    return Entry(name, kind_of(status), status.st_size, status.st_mtime_ns)


def entries(descriptor: int, *, hidden: bool = False) -> tuple[Entry, ...]:
    """What is in an open folder; a name that vanishes meanwhile is left out."""
    found: list[Entry] = []
    with os.scandir(descriptor) as scan:
        for item in scan:
            if item.name.startswith(".") and not hidden:
                continue
            try:
                status = item.stat(follow_symlinks=False)
            except OSError:
                continue
            found.append(entry_of(os.fsencode(item.name), status))
    return tuple(found)


def crawl(jail: Jail, start: Place, *, hidden: bool = False) -> Iterator[Listing]:
    """Every folder from `start` down, nearer ones first; one that cannot be read is told and passed over."""
    pending = deque([start])
    while pending:
        folder = pending.popleft()
        try:
            with jail.folder(folder) as descriptor:
                listing = Listing(folder, entries(descriptor, hidden=hidden), descriptor)
                yield listing
        except Refused as refused:
            yield Listing(folder, trouble=refused)
            continue
        except OSError as error:
            yield Listing(folder, trouble=refusal(error, folder.shown))
            continue
        pending.extend(folder.child(entry.name) for entry in listing.entries if entry.kind is Kind.FOLDER)
