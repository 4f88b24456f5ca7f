"""Which version of a file was looked at, so that a yes to one version never changes another."""

import hashlib
import os
import stat

CHUNK = 1 << 20


def identity(status: os.stat_result) -> str:
    """Device, inode, size and time of change; of a folder the first two, as the others follow its content."""
    if stat.S_ISDIR(status.st_mode):
        return f"{status.st_dev}:{status.st_ino}"
    return f"{status.st_dev}:{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"


def digest(*parts: str) -> str:
    """SHA-256 over texts, in hexadecimal; the lengths go in, so that no two lists of parts look the same."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        whole.update(b"%d:" % len(data))
        whole.update(data)
    return whole.hexdigest()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_up_to(descriptor: int, limit: int) -> bytes:
    """The first bytes of a file, at most `limit` of them."""
    chunks: list[bytes] = []
    missing = limit
    while missing > 0 and (chunk := os.read(descriptor, min(missing, CHUNK))):
        chunks.append(chunk)
        missing -= len(chunk)
    return b"".join(chunks)
