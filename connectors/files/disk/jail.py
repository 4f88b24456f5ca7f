"""The only way to a file: descriptors that provably lie inside one of the named folders.

A path is never checked first and opened later. Where the kernel has openat2(2), it resolves the whole path
beneath the folder's descriptor, so that `..`, absolute paths, /proc links and links that lead out are refused
in the same step. Elsewhere the path is walked component by component and every link is refused.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from connectors.base import Needs
from connectors.clean import clean_bytes
from connectors.files.disk.syscalls import RESOLVE_BENEATH, RESOLVE_NO_MAGICLINKS, has_openat2, openat2
from connectors.files.errors import Refused, refusal
from connectors.files.places import Place, Root

Reach = Callable[[int, bytes, int], int]
"""Opens a relative path beneath a folder's descriptor with the given flags, or raises OSError."""

_SAFE = os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | _SAFE


def reach_by_kernel(root: int, relative: bytes, flags: int) -> int:
    """Open beneath `root` by openat2: links are followed as long as they stay inside."""
    return openat2(root, relative or b".", flags | _SAFE, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS)


def reach_by_walk(root: int, relative: bytes, flags: int) -> int:
    """Open beneath `root` one component at a time: no link is followed, and `..` is refused."""
    parts = [part for part in relative.split(b"/") if part not in (b"", b".")]
    if relative.startswith(b"/") or b".." in parts:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), relative)
    here = os.open(b".", _FOLDER, dir_fd=root)
    for place, part in enumerate(parts):
        last = place == len(parts) - 1
        try:
            following = os.open(part, (flags | _SAFE if last else _FOLDER) | os.O_NOFOLLOW, dir_fd=here)
        except OSError as error:
            raise _told_of_links(error, here, part) from None
        finally:
            os.close(here)
        here = following
    return here


def _told_of_links(error: OSError, folder: int, part: bytes) -> OSError:
    """O_NOFOLLOW with O_DIRECTORY answers ENOTDIR for a link: say that it is one."""
    if error.errno in (errno.ENOTDIR, errno.ELOOP, errno.EMLINK):
        status = os.stat(part, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            return OSError(errno.ELOOP, os.strerror(errno.ELOOP), part)
    return error


class Jail:
    """Opens files and folders inside the roots, and tells why it cannot in words."""

    def __init__(self, reach: Reach | None = None) -> None:
        self._reach = reach or (reach_by_kernel if has_openat2() else reach_by_walk)
        self._devices: dict[Root, int] = {}

    @contextmanager
    def root(self, root: Root) -> Iterator[int]:
        """The descriptor of a root. Raises Refused, `unavailable` when the folder is gone or unmounted."""
        try:
            descriptor = os.open(root.path, _FOLDER)
        except FileNotFoundError:
            raise _missing(root) from None
        except OSError as error:
            raise refusal(error, root.name) from error
        try:
            self._check_mounted(root, descriptor)
            yield descriptor
        finally:
            os.close(descriptor)

    @contextmanager
    def opened(self, place: Place, flags: int) -> Iterator[int]:
        """The descriptor of what is at a place. Raises Refused."""
        with self.root(place.root) as root:
            try:
                descriptor = self._reach(root, place.relative, flags)
            except OSError as error:
                raise refusal(error, place.shown) from error
            try:
                yield descriptor
            finally:
                os.close(descriptor)

    @contextmanager
    def folder(self, place: Place) -> Iterator[int]:
        """The descriptor of a folder."""
        with self.opened(place, _FOLDER) as descriptor:
            yield descriptor

    @contextmanager
    def parent(self, place: Place) -> Iterator[int]:
        """The descriptor of the folder a place is in; the root itself has none that may be touched."""
        if not place.relative:
            raise Refused(
                Needs.INVALID, f"“{place.shown}” is one of the folders themselves, so it stays as it is."
            )
        with self.folder(place.parent) as descriptor:
            yield descriptor

    @contextmanager
    def file(self, place: Place) -> Iterator[int]:
        """The descriptor of a regular file, open for reading; a pipe or device is refused without waiting."""
        with self.opened(place, os.O_RDONLY) as descriptor:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Refused(Needs.INVALID, f"“{place.shown}” is not an ordinary file.")
            yield descriptor

    def status(self, place: Place) -> os.stat_result:
        """What is at a place, a link not followed. Raises Refused."""
        if not place.relative:
            with self.root(place.root) as root:
                return os.fstat(root)
        with self.parent(place) as folder:
            try:
                return os.stat(place.name, dir_fd=folder, follow_symlinks=False)
            except OSError as error:
                raise refusal(error, place.shown) from error

    def find(self, place: Place) -> os.stat_result | None:
        """As `status`, with None for what is not there or cannot be reached."""
        try:
            return self.status(place)
        except Refused:
            return None

    def away(self, roots: Sequence[Root]) -> tuple[str, ...]:
        """Why each root that should be there is not."""
        said = []
        for root in roots:
            try:
                with self.root(root):
                    pass
            except Refused as refused:
                if not root.make:
                    said.append(refused.text)
        return tuple(said)

    def _check_mounted(self, root: Root, descriptor: int) -> None:
        """An unmounted disk leaves its empty mount point behind; that is not an empty folder."""
        device = os.fstat(descriptor).st_dev
        if self._devices.setdefault(root, device) != device:
            with os.scandir(descriptor) as entries:
                if next(entries, None) is None:
                    raise _missing(root)
            self._devices[root] = device


def make_folders(jail: Jail, place: Place) -> tuple[Place, ...]:
    """Make a folder and those missing above it; the made ones below the root, outermost first."""
    missing = tuple(folder for folder in missing_folders(jail, place) if folder.relative)
    if place.root.make:
        place.root.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in missing:
        with jail.parent(folder) as above:
            try:
                os.mkdir(folder.name, dir_fd=above)
            except OSError as error:
                raise refusal(error, folder.shown) from error
    return missing


def missing_folders(jail: Jail, place: Place) -> tuple[Place, ...]:
    """The folders that would have to be made for this one to be there, outermost first, the root too."""
    missing: list[Place] = []
    while place.relative:
        try:
            with jail.folder(place):
                break
        except Refused as refused:
            if refused.needs is not Needs.NOT_FOUND:
                raise
            if jail.find(place) is not None:
                raise Refused(Needs.INVALID, f"“{place.shown}” is not a folder.") from None
        missing.insert(0, place)
        place = place.parent
    if place.root.make and not place.root.path.exists():
        missing.insert(0, Place(place.root))
    return tuple(missing)


def _missing(root: Root) -> Refused:
    path = clean_bytes(os.fsencode(root.path))
    if root.make:
        return Refused(
            Needs.NOT_FOUND, f"The folder {root.name} ({path}) is made when something is first kept in it."
        )
    return Refused(
        Needs.UNAVAILABLE, f"The folder {root.name} ({path}) is not there; was it moved or unmounted?"
    )
