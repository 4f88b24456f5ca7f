"""Reads and writes a vdir: a folder of calendars, each a folder of one .ics file per event or task."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from connectors.atomic import sync_folder, write_file
from connectors.calendar.store import LONGEST_NAME, SUFFIX, Collection, Moved, Place, Unreadable
from connectors.clean import clean_bytes, clean_line

_LARGEST = 16 * 1024 * 1024
_NAME_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Stat:
    """What tells one version of a file from another without reading it."""

    mtime_ns: int
    size: int
    inode: int


class Vdir:
    """A folder of calendars on disk (the vdir layout of khal and vdirsyncer); see `store.Store`.

    Files are replaced atomically; `*.tmp`, hidden files, links and names that do not end in `.ics` are left
    alone.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def refresh(self, *, at_once: bool = False) -> tuple[str, ...]:
        """A folder is always looked at as it is."""
        return ()

    def collections(self) -> tuple[Collection, ...]:
        """The calendars, by folder name. Raises Unreadable where the folder is there but cannot be read."""
        try:
            names = sorted(
                entry.name
                for entry in os.scandir(self._root)
                if not entry.name.startswith(".") and entry.is_dir()
            )
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise Unreadable(f"The calendar folder could not be read: {error.strerror}.") from error
        return tuple(Collection(name, self._displayname(name)) for name in names)

    def items(self, collection: str) -> Iterator[tuple[Place, Stat]]:
        """The files of one calendar. Raises Unreadable where its folder cannot be read."""
        try:
            with os.scandir(self._root / collection) as entries:
                for entry in entries:
                    if entry.name.endswith(SUFFIX) and not entry.name.startswith("."):
                        status = entry.stat(follow_symlinks=False)
                        if stat.S_ISREG(status.st_mode):
                            yield Place(collection, entry.name), _stat(status)
        except FileNotFoundError:
            return
        except OSError as error:
            shown = clean_bytes(os.fsencode(collection))
            raise Unreadable(f"The calendar {shown} could not be read: {error.strerror}.") from error

    def outdated(self, collection: str) -> None:
        """A folder is looked at whenever it is asked about."""

    def notices(self) -> tuple[str, ...]:
        """That .ics files lie beside the calendars instead of in one."""
        try:
            strays = sum(1 for entry in os.scandir(self._root) if entry.name.endswith(SUFFIX))
        except OSError:
            return ()
        if not strays:
            return ()
        return (
            f"{strays} .ics files lie beside the calendars and are not looked at; "
            "each calendar is a folder of its own.",
        )

    def version(self, collection: str) -> None:
        """A folder does not say whether one of its files was written anew."""

    def read(self, place: Place) -> bytes | None:
        """The bytes of a file, None where there is none. Raises Unreadable otherwise."""
        try:
            handle = os.open(self._path(place), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Unreadable(f"{place} could not be read: {error.strerror}.") from error
        with open(handle, "rb") as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise Unreadable(f"{place} is not a plain file.")
            if status.st_size > _LARGEST:
                raise Unreadable(f"{place} is too large ({status.st_size:,} bytes).")
            return file.read()

    def put(self, place: Place, data: bytes | None, expected: bytes | None) -> bytes | None:
        """Replace a file by `data` (None: remove it) if it still holds `expected` (None: there is no file).

        Raises Moved where it holds something else, and OSError as the file system says.
        """
        if self.read(place) != expected:
            raise Moved(f"{place} has changed meanwhile.")
        path = self._path(place)
        if data is None:
            path.unlink()
            sync_folder(path.parent)
            return None
        try:
            write_file(path, data, new=expected is None)
        except FileExistsError as error:
            raise Moved(f"{place} is there already.") from error
        return data

    def new_name(self, collection: str, uid: str) -> str:
        """The beginning of the UID, short enough to be typed."""
        return uid.replace("-", "")[:_NAME_LENGTH] + SUFFIX

    def make_collection(self, name: str, displayname: str) -> None:
        """Make a calendar with a displayed name; one that is there is left as it is."""
        folder = self._root / name
        if folder.is_dir():
            return
        folder.mkdir(parents=True)
        write_file(folder / "displayname", displayname.encode(), new=True)
        sync_folder(self._root)

    def remove_collection(self, name: str, displayname: str) -> None:
        """Remove a calendar that holds nothing but the displayed name it was made with; else leave it."""
        folder = self._root / name
        names = [entry.name for entry in os.scandir(folder)] if folder.is_dir() else []
        metadata = folder / "displayname"
        if names == ["displayname"] and metadata.read_bytes() == displayname.encode():
            metadata.unlink()
            folder.rmdir()
            sync_folder(self._root)

    def _displayname(self, name: str) -> str:
        try:
            text = (self._root / name / "displayname").read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            text = ""
        shown = clean_line(text) if text else clean_bytes(os.fsencode(name))
        return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"

    def _path(self, place: Place) -> Path:
        return self._root / place.collection / place.name


def _stat(status: os.stat_result) -> Stat:
    return Stat(status.st_mtime_ns, status.st_size, status.st_ino)
