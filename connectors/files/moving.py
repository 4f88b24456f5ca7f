"""Moving one thing inside the folders, never over another, and only as it was seen."""

import errno
import os
import secrets
import shutil
import stat
from contextlib import suppress

from connectors.base import Needs
from connectors.files.desk import Desk, conflict
from connectors.files.disk.syscalls import rename_new
from connectors.files.disk.versions import identity
from connectors.files.errors import Refused, refusal
from connectors.files.places import Place

_MOST_COPIED = 2_000_000_000
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def move(desk: Desk, source: Place, target: Place, seen: str) -> str:
    """Move what has this identity; its identity afterwards. Raises Refused, and then nothing has moved."""
    with desk.jail.parent(source) as here, desk.jail.parent(target) as there:
        _compare(here, source, seen)
        try:
            rename_new(here, source.name, there, target.name)
        except FileExistsError as error:
            raise refusal(error, target.shown) from error
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise refusal(error, source.shown) from error
            _copy_across(here, source, there, target)
        after = identity(os.stat(target.name, dir_fd=there, follow_symlinks=False))
        if after != seen and after.partition(":")[0] == seen.partition(":")[0]:
            # Another file took the name between the look and the move.
            rename_new(there, target.name, here, source.name)
            raise conflict(source)
    desk.index.touched(source, target)
    return after


def remove_empty(desk: Desk, folders: tuple[Place, ...]) -> None:
    """Remove folders made for a deed that is taken back, as far as nothing else has been put in them."""
    for folder in reversed(folders):
        with suppress(Refused, OSError), desk.jail.parent(folder) as above:
            os.rmdir(folder.name, dir_fd=above)
            desk.index.touched(folder)


def _compare(folder: int, place: Place, seen: str) -> None:
    try:
        status = os.stat(place.name, dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        raise refusal(error, place.shown) from error
    if identity(status) != seen:
        raise conflict(place)


def _copy_across(here: int, source: Place, there: int, target: Place) -> None:
    """Move a file to another disk: a whole and safe copy first, and only then the original goes."""
    temporary = b".askfirst-" + secrets.token_hex(8).encode() + b".tmp"
    try:
        before = os.stat(source.name, dir_fd=here, follow_symlinks=False)
        if not stat.S_ISREG(before.st_mode) or before.st_size > _MOST_COPIED:
            text = (
                f"“{target.parent.shown}” is on another disk, where only files of moderate size can be moved."
            )
            raise Refused(Needs.UNSUPPORTED, text)
        copied = _copy(here, source, there, temporary, identity(before))
        _compare(here, source, identity(before))
        rename_new(there, temporary, there, target.name)
        os.fsync(there)
        try:
            gone = _remove(here, source.name, identity(before))
        except OSError:  # The original is on a disk that gives nothing away: two of one are not a move.
            _remove(there, target.name, copied)
            raise
        if not gone:
            _remove(there, target.name, copied)
            raise conflict(source)
    except OSError as error:
        raise refusal(error, target.shown) from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=there)


def _remove(folder: int, name: bytes, seen: str) -> bool:
    """Remove a file only as it was seen: it is set aside and looked at again, and another is put back."""
    aside = b".askfirst-" + secrets.token_hex(8).encode() + b".tmp"
    try:
        rename_new(folder, name, folder, aside)
    except FileNotFoundError:
        return False
    if identity(os.stat(aside, dir_fd=folder, follow_symlinks=False)) == seen:
        os.unlink(aside, dir_fd=folder)
        return True
    for back in (name, *(name + b" %d" % number for number in range(2, 100))):
        with suppress(FileExistsError):
            rename_new(folder, aside, folder, back)
            break
    return False


def _copy(here: int, source: Place, there: int, temporary: bytes, seen: str) -> str:
    """Copy a file with its mode and times onto the disk, and no other that took its name for a moment.

    Returns the identity of the copy. Raises Refused where it is another, or changes meanwhile.
    """
    with (
        open(os.open(source.name, _READ, dir_fd=here), "rb") as old,
        open(os.open(temporary, _NEW, 0o600, dir_fd=there), "wb") as new,
    ):
        shutil.copyfileobj(old, new)
        new.flush()
        status = os.fstat(old.fileno())
        if identity(status) != seen:
            raise conflict(source)
        os.fchmod(new.fileno(), stat.S_IMODE(status.st_mode))
        os.utime(new.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))
        os.fsync(new.fileno())
        return identity(os.fstat(new.fileno()))
