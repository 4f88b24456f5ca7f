"""Puts files into the cache whole or not at all, with their SHA-256."""

import contextlib
import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from assistant.model.base import ModelUnusable

Progress = Callable[[int, int], None]

_CHUNK = 1 << 20


def no_progress(done: int, total: int) -> None:
    """Tell nobody."""


def keep(source: IO[bytes], target: Path, size: int, progress: Progress = no_progress) -> str:
    """Copy a stream of `size` bytes to a file, and return its SHA-256 in hex.

    The target appears under its name only when it is whole and on the disk. Raises ModelUnusable.
    """
    part, sha256 = _copied(source, target, size, progress)
    if (came := part.stat().st_size) != size:
        part.unlink()
        raise ModelUnusable(f"The file changed while it was copied: {came:,} bytes came of {size:,}.")
    os.replace(part, target)
    return sha256


def checked(
    source: IO[bytes], target: Path, size: int, sha256: str, progress: Progress = no_progress
) -> None:
    """Like `keep`, but the file is only taken if it has this SHA-256."""
    part, found = _copied(source, target, size, progress)
    if found != sha256:
        part.unlink()
        raise ModelUnusable(f"{target.name} is damaged or another file: its SHA-256 is not the right one.")
    os.replace(part, target)


def replaced(target: Path, data: bytes) -> None:
    """Write a small file so that it is there whole or not at all."""
    with _plain_errors(target):
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)


def need_room(target: Path, size: int) -> None:
    """Make the target's folder; ModelUnusable if there are fewer than `size` bytes free in it."""
    with _plain_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(target.parent).free
    if free < size:
        need, have = _megabytes(size), _megabytes(free)
        raise ModelUnusable(f"There is no room for {target.name}: it needs {need}, free are {have}.")


def _copied(source: IO[bytes], target: Path, size: int, progress: Progress) -> tuple[Path, str]:
    with _plain_errors(target):
        need_room(target, size)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as part:
                sha256 = _pour(source, part, size, progress)
        except BaseException:
            os.unlink(name)
            raise
        return Path(name), sha256


def _pour(source: IO[bytes], part: IO[bytes], size: int, progress: Progress) -> str:
    digest, done = hashlib.sha256(), 0
    while data := source.read(_CHUNK):
        part.write(data)
        digest.update(data)
        done += len(data)
        progress(done, size)
    part.flush()
    os.fsync(part.fileno())
    return digest.hexdigest()


@contextlib.contextmanager
def _plain_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ModelUnusable(f"The disk is full: {target.name} was not kept.") from error
        raise ModelUnusable(f"{target.name} cannot be kept ({error.strerror or error}).") from error


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.0f} MB"
