"""Putting bytes into a file in one step: others see the whole old file or the whole new one, never a part."""

import errno
import os
import secrets
import stat
from contextlib import suppress

from connectors.files.disk.syscalls import exchange, rename_new
from connectors.files.disk.versions import identity, read_up_to, sha256
from connectors.files.errors import Changed

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def create(folder: int, name: bytes, data: bytes) -> None:
    """Make a new file. Raises FileExistsError when the name is taken, else OSError."""
    temporary = _temporary(folder, data, None)
    try:
        rename_new(folder, temporary, folder, name)
    except BaseException:
        os.unlink(temporary, dir_fd=folder)
        raise
    os.fsync(folder)


def replace(folder: int, name: bytes, data: bytes, *, seen: str) -> None:
    """Replace a regular file whose SHA-256 is `seen`, keeping its mode, owner and attributes.

    The old file is swapped out and looked at again before it goes, so that a change made by someone else in
    the last moment is put back. Raises Changed when it is not the file that was seen, else OSError.
    """
    old = os.open(name, _READ, dir_fd=folder)
    try:
        before = os.fstat(old)
        if not stat.S_ISREG(before.st_mode) or sha256(read_up_to(old, before.st_size + 1)) != seen:
            raise Changed
        if not before.st_mode & 0o222:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
        temporary = _temporary(folder, data, old)
    finally:
        os.close(old)
    try:
        _swap(folder, temporary, name, identity(before))
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)
    os.fsync(folder)


def _swap(folder: int, temporary: bytes, name: bytes, expected: str) -> None:
    if not exchange(folder, temporary, name):
        if identity(os.stat(name, dir_fd=folder, follow_symlinks=False)) != expected:
            raise Changed
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    elif identity(os.stat(temporary, dir_fd=folder, follow_symlinks=False)) != expected:
        exchange(folder, temporary, name)
        raise Changed


def _temporary(folder: int, data: bytes, like: int | None) -> bytes:
    """A hidden file in the same folder, with these bytes on the disk and another file's mode and owner."""
    name = b".askfirst-" + secrets.token_hex(8).encode() + b".tmp"
    descriptor = os.open(name, _NEW, 0o666, dir_fd=folder)
    try:
        if like is not None:
            _copy_attributes(like, descriptor)
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    except BaseException:
        os.unlink(name, dir_fd=folder)
        raise
    finally:
        os.close(descriptor)
    return name


def _copy_attributes(source: int, target: int) -> None:
    status = os.fstat(source)
    with suppress(PermissionError):
        os.fchown(target, status.st_uid, status.st_gid)
    os.fchmod(target, stat.S_IMODE(status.st_mode))
    if not hasattr(os, "listxattr"):
        return
    with suppress(OSError):
        for attribute in os.listxattr(source):
            with suppress(OSError):
                os.setxattr(target, attribute, os.getxattr(source, attribute))
