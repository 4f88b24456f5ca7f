"""The part of a file that has come so far: kept over a crash, taken up again, put in its place when whole."""

import contextlib
import errno
import fcntl
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter, ValidationError

from assistant.model.hub.words import FetchError
from assistant.model.shelf.keeping import Progress, replaced

_CHUNK = 1 << 20
_NOTE = ".gguf.fetching"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a part is a part of; `kept` is how many of its bytes are surely on the disk."""

    repository: str
    file: str
    commit: str
    size: int | None
    sha256: str | None
    etag: str = ""
    kept: int = 0

    def same_file(self, other: "Claim") -> bool:
        """True if both are of the same bytes: by SHA-256 where it is known, or else by where they are."""
        if self.sha256 or other.sha256:
            return self.sha256 == other.sha256
        mine = (self.repository, self.file, self.commit, self.size)
        return mine == (other.repository, other.file, other.commit, other.size)


_CLAIM = TypeAdapter(Claim)


class Part:
    """A file being fetched, for one process at a time.

    What was not surely on the disk when an earlier process ended is fetched again. Raises FetchError where
    the disk is full or the file cannot be written.
    """

    def __init__(self, target: Path, claim: Claim) -> None:
        self._target = target
        self.path = part_of(target)
        self._note = _note_of(target)
        self.claim = claim
        self._closed = False
        with _told(target):
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._lock()
            self.size = self._taken_up()
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Keep what has come, unless the file is in its place."""
        with contextlib.suppress(FetchError, OSError):
            if self.path.exists():
                self.settle()
        self._closed = True
        os.close(self._file)

    def write(self, data: bytes) -> None:
        with _told(self._target):
            view = memoryview(data)
            while view:
                view = view[os.pwrite(self._file, view, self.size + len(data) - len(view)) :]
            self.size += len(data)

    def settle(self) -> None:
        """Flush what has come to the disk, and note how much that is."""
        with _told(self._target):
            os.fsync(self._file)
            self.claim = replace(self.claim, kept=self.size)
            replaced(self._note, _CLAIM.dump_json(self.claim))

    def name_etag(self, etag: str) -> None:
        """Note the server's name for this version of the file."""
        self.claim = replace(self.claim, etag=etag)

    def begin_afresh(self) -> None:
        """Throw away what has come."""
        with _told(self._target):
            self.claim = replace(self.claim, etag="", kept=0)
            replaced(self._note, _CLAIM.dump_json(self.claim))
            os.ftruncate(self._file, 0)
            self.size = 0

    def sha256(self, progress: Progress) -> str:
        """The SHA-256 of what is on the disk, in hex."""
        digest, done = hashlib.sha256(), 0
        with _told(self._target):
            while not self._closed and (data := os.pread(self._file, _CHUNK, done)):
                digest.update(data)
                done += len(data)
                progress(done, self.size)
        return digest.hexdigest()

    def put_in_place(self) -> None:
        """Give the file, which is whole, its name."""
        self.settle()
        with _told(self._target):
            os.replace(self.path, self._target)
            self._note.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove it and what is noted of it."""
        drop_part(self._target)
        self.size = 0

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FetchError("Another Askfirst is fetching this model already.") from error
        except OSError:
            # A file system without locks, as some network drives are: the checks at the end still hold.
            return

    def _taken_up(self) -> int:
        """How much of an earlier part of the same file is good to go on from."""
        with _told(self._target):
            before = _read_claim(self._note)
            usable = before is not None and before.same_file(self.claim)
            kept = min(before.kept, os.fstat(self._file).st_size) if before and usable else 0
            kept = 0 if self.claim.size is not None and kept > self.claim.size else kept
            self.claim = replace(self.claim, etag=before.etag if before and kept else "", kept=kept)
            os.ftruncate(self._file, kept)
            replaced(self._note, _CLAIM.dump_json(self.claim))
            return kept


def part_of(target: Path) -> Path:
    """Where the part of a file is while it is being fetched."""
    return target.with_name(f"{target.name}.part")


def fetched_so_far(target: Path) -> float | None:
    """How much of a file has come, as a fraction; None where none of it is kept or its size is not known."""
    claim = _read_claim(_note_of(target))
    if claim is None or not claim.size:
        return None
    try:
        return min(part_of(target).stat().st_size / claim.size, 1.0)
    except OSError:
        return None


def unfinished(folder: Path) -> dict[str, Claim]:
    """What is being fetched, or was begun, in a folder: by the key of the model."""
    notes = {note.name.removesuffix(_NOTE): _read_claim(note) for note in folder.glob(f"*{_NOTE}")}
    return {key: claim for key, claim in sorted(notes.items()) if claim}


def drop_part(target: Path) -> int:
    """Remove what has come of a file, and return how many bytes that frees. Raises FetchError."""
    path = part_of(target)
    with _told(target):
        size = path.stat().st_size if path.exists() else 0
        path.unlink(missing_ok=True)
        _note_of(target).unlink(missing_ok=True)
    return size


def _note_of(target: Path) -> Path:
    return target.with_name(f"{target.stem}{_NOTE}")


def _read_claim(note: Path) -> Claim | None:
    try:
        return _CLAIM.validate_json(note.read_bytes())
    except (OSError, ValidationError):
        return None


@contextlib.contextmanager
def _told(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise FetchError(f"The disk is full: {target.name} could not be fetched to its end.") from error
        raise FetchError(f"{target.name} cannot be kept ({error.strerror or error}).") from error
