"""The trash that the desktop shows too, by the freedesktop.org Trash specification 1.0.

Home trash for what lies on the same disk, `.Trash/<uid>` or `.Trash-<uid>` at the top of any other disk.
"""

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from connectors.base import Needs
from connectors.files.disk.syscalls import rename_new
from connectors.files.errors import Refused
from connectors.files.places import Place

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST_NAME = 255 - len(b".trashinfo")


@dataclass(frozen=True, slots=True)
class Trashed:
    """One thing in a trash: the trash folder's path and the name it has there."""

    trash: bytes
    name: bytes


class Trash:
    """Moves things to the trash and back; nothing is ever removed for good."""

    def __init__(self, home: Path, *, uid: int | None = None, clock: Callable[[], float] = time.time) -> None:
        # A person may keep their trash elsewhere by a link; on other disks links are not trusted.
        self._home = os.path.realpath(os.fsencode(home))
        self._uid = os.getuid() if uid is None else uid
        self._clock = clock

    def folder_for(self, place: Place, device: int) -> bytes:
        """The path of the trash that something on this device belongs in; nothing is made yet."""
        if _device(self._home) == device:
            return self._home
        top = _top(os.path.dirname(place.absolute))
        shared = os.path.join(top, b".Trash")
        with suppress(OSError):
            status = os.lstat(shared)
            if stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX:
                return os.path.join(shared, b"%d" % self._uid)
        return os.path.join(top, b".Trash-%d" % self._uid)

    def put(self, folder: int, place: Place, size: int) -> Trashed:
        """Move what is at a place, whose folder is open, to the trash.

        `size` is in bytes, for the trash's own list of folder sizes. Raises Refused or OSError; then it is
        still where it was.
        """
        status = os.stat(place.name, dir_fd=folder, follow_symlinks=False)
        trash = self.folder_for(place, status.st_dev)
        self._make(trash)
        with _opened(trash, b"info") as info, _opened(trash, b"files") as files:
            trashed = Trashed(trash, self._move(folder, place, info, files, trash))
            if stat.S_ISDIR(status.st_mode):
                with suppress(OSError):
                    _note_size(trashed, info, size)
            return trashed

    def status(self, trashed: Trashed) -> os.stat_result | None:
        """What is kept under this name, or None when it has gone."""
        try:
            with _opened(trashed.trash, b"files") as files:
                return os.stat(trashed.name, dir_fd=files, follow_symlinks=False)
        except OSError:
            return None

    def restore(self, trashed: Trashed, folder: int, name: bytes) -> None:
        """Move something back. Raises FileExistsError when something is in the way, else OSError."""
        with _opened(trashed.trash, b"info") as info, _opened(trashed.trash, b"files") as files:
            rename_new(files, trashed.name, folder, name)
            with suppress(FileNotFoundError):
                os.unlink(trashed.name + b".trashinfo", dir_fd=info)

    def _make(self, trash: bytes) -> None:
        try:
            os.makedirs(trash, mode=0o700, exist_ok=True)
            status = os.lstat(trash)
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != self._uid:
                raise Refused(Needs.READ_ONLY, "The trash on that disk is not this account's own.")
            for part in (b"files", b"info"):
                os.makedirs(os.path.join(trash, part), mode=0o700, exist_ok=True)
        except OSError as error:
            raise Refused(Needs.READ_ONLY, "There is no trash on that disk and none can be made.") from error

    def _move(self, folder: int, place: Place, info: int, files: int, trash: bytes) -> bytes:
        text = self._description(place, trash)
        for name in _names(place.name):
            try:
                descriptor = os.open(name + b".trashinfo", _NEW, 0o600, dir_fd=info)
            except FileExistsError:
                continue
            try:
                with open(descriptor, "wb") as file:
                    file.write(text)
                rename_new(folder, place.name, files, name)
            except FileExistsError:
                os.unlink(name + b".trashinfo", dir_fd=info)
                continue
            except OSError as error:
                os.unlink(name + b".trashinfo", dir_fd=info)
                if error.errno == errno.EXDEV:
                    raise Refused(
                        Needs.UNSUPPORTED, f"“{place.shown}” cannot be moved to a trash."
                    ) from error
                raise
            return name
        raise Refused(Needs.CONFLICT, "The trash holds too many things of that name; empty it first.")

    def _description(self, place: Place, trash: bytes) -> bytes:
        path = place.absolute if trash == self._home else os.path.relpath(place.absolute, _top(trash))
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(self._clock()))
        return f"[Trash Info]\nPath={quote(path, safe='/')}\nDeletionDate={when}\n".encode("ascii")


@contextmanager
def _opened(trash: bytes, part: bytes) -> Iterator[int]:
    whole = os.open(trash, _FOLDER)
    try:
        descriptor = os.open(part, _FOLDER, dir_fd=whole)
    finally:
        os.close(whole)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _note_size(trashed: Trashed, info: int, size: int) -> None:
    """Add a folder to `directorysizes`, so that file managers need not walk it."""
    changed = int(os.stat(trashed.name + b".trashinfo", dir_fd=info).st_mtime)
    path = os.path.join(trashed.trash, b"directorysizes")
    lines = b""
    with suppress(FileNotFoundError), open(path, "rb") as old:
        lines = old.read()
    temporary = path + b".%d" % os.getpid()
    with open(temporary, "wb") as new:
        new.write(lines + f"{size} {changed} {quote(trashed.name)}\n".encode("ascii"))
    os.replace(temporary, path)


def _names(name: bytes) -> Iterator[bytes]:
    stem, suffix = os.path.splitext(name)
    yield name[:_LONGEST_NAME]
    for number in range(2, 10_000):
        tail = b" %d" % number + suffix
        yield stem[: max(_LONGEST_NAME - len(tail), 1)] + tail


def _device(path: bytes) -> int:
    """The device of a path, or of the nearest folder above it that exists."""
    while True:
        with suppress(OSError):
            return os.stat(path).st_dev
        path = os.path.dirname(path)


def _top(folder: bytes) -> bytes:
    """The highest folder on the same disk."""
    device = _device(folder)
    while folder != b"/" and _device(os.path.dirname(folder)) == device:
        folder = os.path.dirname(folder)
    return folder
