"""How much memory this process may still take: what the machine has free, and what its group is allowed."""

import os
from collections.abc import Iterator
from pathlib import Path

_NO_LIMIT = 1 << 60
# Where only the whole is known, this share of it is taken as free.
_SHARE = 0.6


def cores() -> int:
    """The processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def available_memory(root: Path = Path("/")) -> int | None:
    """Bytes that can be taken without swapping; None where that is not known.

    On Linux, what the kernel calls available (proc(5)), and less where a control group, version 1 or 2, sets
    a limit for this process or any group above it; `root` is where `proc` and `sys` are. Elsewhere a share
    of the whole.
    """
    free = _free(root)
    if free is None:
        return _share_of_all()
    return min([free, *_rooms(root)])


def _free(root: Path) -> int | None:
    for line in _lines(root / "proc/meminfo"):
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            number = rest.split()[0]
            return int(number) * 1024 if number.isdigit() else None
    return None


def _share_of_all() -> int | None:
    try:
        return int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * _SHARE)
    except (AttributeError, ValueError, OSError):
        return None


def _rooms(root: Path) -> Iterator[int]:
    """What each group that this process is in, and each above it, still allows."""
    for line in _lines(root / "proc/self/cgroup"):
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if not controllers:
            yield from _up(root / "sys/fs/cgroup", path, ("memory.max", "memory.high"), "memory.current")
        elif "memory" in controllers.split(","):
            top = root / "sys/fs/cgroup/memory"
            yield from _up(top, path, ("memory.limit_in_bytes",), "memory.usage_in_bytes")


def _up(top: Path, path: str, limits: tuple[str, ...], used: str) -> Iterator[int]:
    # In a container the path may be one of the host's, of which only the top is seen.
    parts = [part for part in path.strip().split("/") if part and part != ".."]
    for count in range(len(parts), -1, -1):
        folder = top.joinpath(*parts[:count])
        taken = _number(folder / used)
        for name in limits:
            limit = _number(folder / name)
            if limit is not None and taken is not None and limit < _NO_LIMIT:
                yield max(limit - taken + _given_back(folder), 0)


def _given_back(folder: Path) -> int:
    """Bytes of files held in memory that the kernel gives back when they are needed."""
    found = dict(line.partition(" ")[::2] for line in _lines(folder / "memory.stat"))
    text = found.get("total_inactive_file") or found.get("inactive_file") or "0"
    return int(text) if text.strip().isdigit() else 0


def _number(path: Path) -> int | None:
    text = next(iter(_lines(path)), "").strip()
    return int(text) if text.isdigit() else None


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("ascii", "replace").splitlines()
    except OSError:
        return []
