"""The files of a Maildir++ mailbox: looked through, delivered, moved and marked, each step atomic."""

import itertools
import os
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from connectors.atomic import sync_folder
from connectors.messaging.mailbox import Handles, Limit
from connectors.messaging.maildir.names import INBOX, SEEN, Entry, Subdir, place, split, suffix

_SUBDIRS: Final[tuple[Subdir, ...]] = ("new", "cur")
_deliveries = itertools.count()


class Mailbox:
    """A Maildir++ folder; what is missing reads as empty, and is made by the first write only.

    Every method may raise OSError.
    """

    trouble = ""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def folders(self) -> tuple[str, ...]:
        """The folders there are, the inbox first; the others by name without the leading dot."""
        try:
            names = sorted(entry.name for entry in os.scandir(self._folder) if entry.is_dir())
        except FileNotFoundError:
            return ()
        others = [name[1:] for name in names if name[:1] == "." and name.strip(".")]
        inbox = [INBOX] if any(subdir in names for subdir in _SUBDIRS) else []
        return (*inbox, *(name for name in others if (self._path(name) / "cur").is_dir()))

    def entries(self, folders: Iterable[str] | None = None) -> tuple[Entry, ...]:
        """Every message file of these folders (None: of all), in no order."""
        chosen = self.folders() if folders is None else folders
        places = itertools.product(chosen, _SUBDIRS)
        return tuple(entry for folder, subdir in places for entry in self._scan(folder, subdir))

    def look_again(self, folder: str) -> None:
        """Its files are looked at each time."""

    def locate(self, handle: str) -> Entry | None:
        """The message a handle stands for, under whatever flags it has now; None if it is gone."""
        where = place(handle)
        if where is None or where[0] not in self.folders():
            return None
        return next((entry for entry in self.entries([where[0]]) if entry.unique == where[1]), None)

    def read(self, entry: Entry) -> bytes:
        return self._file(entry).read_bytes()

    def head(self, entry: Entry) -> bytes:
        """The whole of it: the text is to be found too."""
        return self.read(entry)

    def search(self, words: Sequence[Sequence[str]], among: Handles | None = None) -> frozenset[str]:
        return frozenset()

    def limits(self) -> tuple[Limit, ...]:
        """A folder of this machine says nothing of how much it may hold."""
        return ()

    def new_name(self, data: bytes) -> str:
        return unique_name()

    def deliver(self, folder: str, data: bytes, flags: str, unique: str = "") -> Entry:
        """Put a new message into a folder, wholly or not at all; without flags it is new mail."""
        path = self._made(folder)
        unique = unique or unique_name()
        subdir: Subdir = "cur" if flags else "new"
        file_name = unique + (suffix(flags) if flags else "")
        written = path / "tmp" / unique
        try:
            _write(written, data)
            os.rename(written, path / subdir / file_name)
        except OSError:
            with suppress(OSError):
                written.unlink()
            raise
        sync_folder(path / subdir)
        return self._entry(folder, subdir, file_name)

    def name_in(self, entry: Entry, folder: str) -> str:
        """The unique name a message gets in another folder: its own, unless that is taken there."""
        taken = {other.unique for other in self.entries([folder])}
        return unique_name() if entry.unique in taken else entry.unique

    def move(self, entry: Entry, folder: str, unique: str, subdir: Subdir) -> Entry:
        """Put a message into another folder with its flags, under a name from `name_in`."""
        return self._rename(entry, folder, self._made(folder), subdir, unique + entry.suffix)

    def mark(self, entry: Entry, flags: str) -> Entry:
        """Give a message these flags; a flagged message is no longer new."""
        path = self._path(entry.folder)
        return self._rename(entry, entry.folder, path, "cur", entry.unique + suffix(flags))

    def put_back(self, entry: Entry, subdir: Subdir, file_suffix: str) -> Entry:
        """Undo `mark`: the message gets back the exact file name it had."""
        path = self._path(entry.folder)
        return self._rename(entry, entry.folder, path, subdir, entry.unique + file_suffix)

    def remove(self, entry: Entry) -> None:
        """Delete a message file for good."""
        self._file(entry).unlink()
        sync_folder(self._file(entry).parent)

    def _scan(self, folder: str, subdir: Subdir) -> Iterator[Entry]:
        try:
            found = list(os.scandir(self._path(folder) / subdir))
        except FileNotFoundError:
            return
        for file in found:
            if file.name.startswith(".") or not file.is_file(follow_symlinks=False):
                continue
            with suppress(FileNotFoundError):
                yield self._entry(folder, subdir, file.name, file.stat(follow_symlinks=False))

    def _entry(
        self, folder: str, subdir: Subdir, file_name: str, stat: os.stat_result | None = None
    ) -> Entry:
        stat = stat or os.stat(self._path(folder) / subdir / file_name)
        unique, flags, file_suffix = split(file_name)
        return Entry(folder, unique, subdir, flags, stat.st_size, stat.st_mtime_ns, file_suffix)

    def _rename(self, entry: Entry, folder: str, path: Path, subdir: Subdir, file_name: str) -> Entry:
        source = self._file(entry)
        os.rename(source, path / subdir / file_name)
        sync_folder(path / subdir)
        if source.parent != path / subdir:
            sync_folder(source.parent)
        unique, flags, file_suffix = split(file_name)
        return replace(entry, folder=folder, unique=unique, subdir=subdir, flags=flags, suffix=file_suffix)

    def _made(self, folder: str) -> Path:
        path = self._path(folder)
        for subdir in ("cur", "new", "tmp"):
            (path / subdir).mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder != INBOX:
            self._made(INBOX)
            # Maildir++ marks its subfolders by this empty file, so that deliveries look above for the quota.
            (path / "maildirfolder").touch(mode=0o600)
        return path

    def _path(self, folder: str) -> Path:
        if folder == INBOX:
            return self._folder
        if "/" in folder or "\0" in folder or not folder.strip("."):
            raise ValueError(f"not a folder name: {folder!r}")
        return self._folder / f".{folder}"

    def _file(self, entry: Entry) -> Path:
        return self._path(entry.folder) / entry.subdir / entry.file_name


def seen(flags: str) -> str:
    """These flags with the one that says the message has been read."""
    return "".join(sorted({*flags, SEEN}))


def unique_name() -> str:
    """A file name for a new message that no other has had or will have."""
    # The usual host name is left out: a mailbox that is copied elsewhere should not say where it came from.
    seconds, rest = divmod(time.time_ns(), 10**9)
    delivery = f"M{rest // 1000}P{os.getpid()}Q{next(_deliveries)}R{secrets.token_hex(4)}"
    return f"{seconds}.{delivery}.askfirst"


def _write(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
