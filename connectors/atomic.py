"""Replaces or makes a file so that a reader, or a crash, sees all of it or none of it."""

import contextlib
import os
import tempfile
from pathlib import Path

_TEMPORARY = ".tmp"


def write_file(path: Path, data: bytes, *, new: bool = False) -> None:
    """Write `data` at `path`, flushed to disk before it takes the name; with `new`, never over another file.

    A replaced file keeps its mode, a new one follows the umask. Raises OSError, with `new` FileExistsError
    when the name is taken; then nothing has changed.
    """
    handle, name = tempfile.mkstemp(suffix=_TEMPORARY, dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), _mode(path))
            os.fsync(file.fileno())
        if new:
            _take_name(temporary, path)
        else:
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _take_name(temporary: Path, path: Path) -> None:
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without hard links: the name is claimed first, so that no other file can be lost.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        temporary.replace(path)
    else:
        temporary.unlink()


def sync_folder(folder: Path) -> None:
    """Flush a folder's names to disk where the file system can."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
