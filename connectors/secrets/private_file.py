"""A secret in a file that nobody else can read."""

import os
import stat
from pathlib import Path

from connectors.clean import clean_bytes
from connectors.secrets.base import Secret, SecretError
from connectors.secrets.command import secret_in

_OTHERS = 0o077
_LARGEST = 64 * 1024


class FileKeeper:
    """One file, or with `folder` the file of each name in it: `calendar/work` is `calendar-work`."""

    def __init__(self, path: Path, *, folder: bool = False) -> None:
        self._path = path
        self._folder = folder

    def find(self, name: str) -> Secret | None:
        """The secret, None where there is no file. Raises SecretError where the file is not private."""
        path = self._path / name.replace("/", "-") if self._folder else self._path
        shown = clean_bytes(os.fsencode(path))
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError as error:
            if self._folder:
                return None
            raise SecretError(f"The file {shown} is not there.") from error
        except OSError as error:
            raise SecretError(f"The file {shown} could not be read: {error.strerror}.") from error
        with open(handle, "rb") as file:
            self._check(os.fstat(handle), shown)
            return secret_in(file.read(_LARGEST), f"The file {shown}")

    def _check(self, status: os.stat_result, shown: str) -> None:
        if not stat.S_ISREG(status.st_mode):
            raise SecretError(f"{shown} is not a plain file.")
        if status.st_uid != os.geteuid():
            raise SecretError(f"The file {shown} belongs to somebody else, so it is not used.")
        if status.st_mode & _OTHERS:
            raise SecretError(
                f"The file {shown} can be read by others, so it is not used; chmod 600 makes it private."
            )
