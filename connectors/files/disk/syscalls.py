"""Linux calls that Python does not offer: openat2(2), which cannot leave a folder, and renameat2(2)."""

import ctypes
import errno
import functools
import os
import stat
import sys

RESOLVE_NO_MAGICLINKS = 0x02
RESOLVE_BENEATH = 0x08
_RENAME_NOREPLACE = 1
_RENAME_EXCHANGE = 2
_SYS_OPENAT2 = 437
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM})
_RETRIES = 16

_libc = ctypes.CDLL(None, use_errno=True)


class _OpenHow(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


def openat2(folder: int, path: bytes, flags: int, resolve: int) -> int:
    """Open a path relative to a folder's descriptor under the given resolve rules. Raises OSError."""
    how = _OpenHow(flags | os.O_CLOEXEC, 0, resolve)
    arguments = (ctypes.c_long(_SYS_OPENAT2), ctypes.c_int(folder), ctypes.c_char_p(path), ctypes.byref(how))
    for _ in range(_RETRIES):
        descriptor = int(_libc.syscall(*arguments, ctypes.c_size_t(ctypes.sizeof(how))))
        if descriptor >= 0:
            return descriptor
        code = ctypes.get_errno()
        # EAGAIN says that a rename elsewhere made the answer uncertain: openat2(2) advises another try.
        if code not in (errno.EAGAIN, errno.EINTR):
            break
    raise OSError(code, os.strerror(code), path)


@functools.cache
def has_openat2() -> bool:
    """Whether the kernel, and any filter round this process, let openat2 be used."""
    if sys.platform != "linux":
        return False
    try:
        here = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.close(openat2(here, b".", os.O_RDONLY, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS))
        finally:
            os.close(here)
    except OSError:
        return False
    return True


def rename_new(source_folder: int, source: bytes, target_folder: int, target: bytes) -> None:
    """Rename without replacing: raises FileExistsError when the target is there, else OSError."""
    try:
        _renameat2(source_folder, source, target_folder, target, _RENAME_NOREPLACE)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        _rename_new_by_hand(source_folder, source, target_folder, target)


def exchange(folder: int, one: bytes, other: bytes) -> bool:
    """Swap two names of a folder in one step; False where the file system cannot."""
    try:
        _renameat2(folder, one, folder, other, _RENAME_EXCHANGE)
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            return False
        raise
    return True


def _renameat2(source_folder: int, source: bytes, target_folder: int, target: bytes, flags: int) -> None:
    call = getattr(_libc, "renameat2", None)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    done = call(
        ctypes.c_int(source_folder),
        ctypes.c_char_p(source),
        ctypes.c_int(target_folder),
        ctypes.c_char_p(target),
        ctypes.c_uint(flags),
    )
    if done != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), source)


def _rename_new_by_hand(source_folder: int, source: bytes, target_folder: int, target: bytes) -> None:
    """As `rename_new` for file systems without it: link(2) refuses to replace, folders cannot be linked."""
    status = os.stat(source, dir_fd=source_folder, follow_symlinks=False)
    if not stat.S_ISDIR(status.st_mode):
        try:
            os.link(
                source,
                target,
                src_dir_fd=source_folder,
                dst_dir_fd=target_folder,
                follow_symlinks=False,
            )
        except OSError as error:
            if error.errno not in (*_UNSUPPORTED, errno.EMLINK):
                raise
        else:
            os.unlink(source, dir_fd=source_folder)
            return
    if _is_there(target_folder, target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
    os.rename(source, target, src_dir_fd=source_folder, dst_dir_fd=target_folder)


def _is_there(folder: int, name: bytes) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
