"""Keeps on disk what the model computed of the beginnings of prompts, from one run to the next.

Only beginnings that hold no conversation are kept: the system text and the tools.
"""

import contextlib
import hashlib
import json
import os
import stat
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assistant.model.child.state import State

_MAGIC = b"askfirst state 1\n"
_SUFFIX, _UNFINISHED = ".state", ".part"
_MOST = 8
_MOST_BYTES = 512 * 1024 * 1024
# What was left unfinished for so long was left by a process that is gone.
_ABANDONED_SECONDS = 3600


class Beginnings:
    """The states in one folder, each after certain tokens and of one `maker`: model, adapter, llama.cpp.

    Nothing here raises: where the disk fails, or a file is torn, foreign or of another maker, there is no
    state and the prompt is read.
    """

    def __init__(self, folder: Path, maker: str, *, most: int = _MOST, most_bytes: int = _MOST_BYTES) -> None:
        self._folder = folder
        self._maker = maker
        self._most = most
        self._most_bytes = most_bytes
        self._waiting: tuple[Sequence[int], State] | None = None

    def known(self, tokens: Sequence[int]) -> bool:
        """True if there is a file for these tokens; whether it is whole is not looked at."""
        return self._path(tokens).exists()

    def find(self, tokens: Sequence[int]) -> State | None:
        """The state after these tokens, whole and of this maker; a file that is not is removed."""
        path = self._path(tokens)
        try:
            data = _content(path, self._most_bytes)
        except OSError:
            return None
        state = unpack(data, self._maker, tokens)
        with contextlib.suppress(OSError):
            if state is None:
                path.unlink()
            else:
                os.utime(path)
        return state

    def discard(self, tokens: Sequence[int]) -> None:
        """Remove a state that did not fit."""
        with contextlib.suppress(OSError):
            self._path(tokens).unlink()

    def keep(self, tokens: Sequence[int], state: State) -> None:
        """Keep a state for the next `write`."""
        if len(state) and len(state) <= self._most_bytes:
            self._waiting = (tokens, state)

    def write(self) -> None:
        """Write what is kept, in a thread of its own: nobody waits for a slow disk."""
        waiting, self._waiting = self._waiting, None
        if waiting:
            threading.Thread(target=self._write, args=waiting, name="states", daemon=True).start()

    def _write(self, tokens: Sequence[int], state: State) -> None:
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room(len(state))
            descriptor, name = tempfile.mkstemp(suffix=_UNFINISHED, dir=self._folder)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(header(self._maker, tokens, state))
                    file.write(state.data)
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).rename(self._path(tokens))
            except OSError:
                Path(name).unlink(missing_ok=True)
            _sync_folder(self._folder)

    def _make_room(self, size: int) -> None:
        """Remove the states that were not used for longest, and what was never finished."""
        for path in self._folder.glob("*" + _UNFINISHED):
            if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                path.unlink(missing_ok=True)
        files = sorted(((path.stat(), path) for path in self._folder.glob("*" + _SUFFIX)), key=_last_used)
        total = size + sum(status.st_size for status, _ in files)
        while files and (len(files) >= self._most or total > self._most_bytes):
            status, path = files.pop(0)
            path.unlink(missing_ok=True)
            total -= status.st_size

    def _path(self, tokens: Sequence[int]) -> Path:
        key = hashlib.sha256(f"{self._maker}\n{_hash(tokens)}".encode()).hexdigest()
        return self._folder / (key[:32] + _SUFFIX)


def header(maker: str, tokens: Sequence[int], state: State) -> bytes:
    """What stands before a state in its file: a magic line, and a line of JSON that says what it is."""
    said = {
        "maker": maker,
        "tokens": [int(token) for token in tokens],
        "length": len(state),
        "sha256": hashlib.sha256(state.data).hexdigest(),
    }
    return _MAGIC + json.dumps(said).encode() + b"\n"


def unpack(data: bytearray, maker: str, tokens: Sequence[int]) -> State | None:
    """The state in a file's bytes; None if it is torn, or not of this maker and these tokens."""
    if not data.startswith(_MAGIC):
        return None
    end = data.find(b"\n", len(_MAGIC))
    try:
        said = json.loads(data[len(_MAGIC) : max(end, 0)])
    except ValueError:
        return None
    payload = memoryview(data)[end + 1 :]
    expected = {
        "maker": maker,
        "tokens": [int(token) for token in tokens],
        "length": len(payload),
        "sha256": hashlib.sha256(payload).hexdigest(),
    }
    return np.frombuffer(payload, np.uint8) if said == expected else None


def _content(path: Path, most: int) -> bytearray:
    """A file's bytes; none of one that is no file or too long. Raises OSError."""
    # Neither a link nor a pipe that somebody put there is followed or waited for.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        data = bytearray(status.st_size if stat.S_ISREG(status.st_mode) and status.st_size <= most else 0)
        file.readinto(data)
    return data


def _hash(tokens: Sequence[int]) -> str:
    return hashlib.sha256(np.asarray(tokens, "<i4").tobytes()).hexdigest()


def _last_used(each: tuple[os.stat_result, Path]) -> float:
    return each[0].st_mtime


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
