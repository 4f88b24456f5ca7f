"""Who has the journal open: found out by locks, which end with their process however it ends."""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Owners:
    """Which processes have the journal open: each holds a lock on a file of its own, until it ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[str, int] = {}
        folder.mkdir(mode=0o700, exist_ok=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep all others from joining or looking meanwhile."""
        door = os.open(self._folder / "door", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(door, fcntl.LOCK_EX)
            yield
        finally:
            os.close(door)

    def join(self) -> str:
        """Become an owner; the name is new each time."""
        name = secrets.token_hex(8)
        held = os.open(self._folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._held[name] = held
        return name

    def lives(self, name: str) -> bool:
        """True while the process that joined under this name runs; the file of a dead one is removed."""
        path = self._folder / name
        try:
            held = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            path.unlink()
            return False
        finally:
            os.close(held)

    def leave(self, name: str) -> None:
        held = self._held.pop(name, None)
        if held is not None:
            (self._folder / name).unlink(missing_ok=True)
            os.close(held)
