"""The calls that are held, whole, so that one can be asked for again after a restart; private, and brief."""

import contextlib
import json
import os
import re
from collections.abc import Collection
from pathlib import Path

from connectors.base import Call

_NAME = re.compile(r"[0-9a-f]{32}")


class Shelf:
    """One file for each held call, for its owner only, gone as soon as its fate is known.

    The journal keeps no arguments; this is the one place that does, outside it. The methods that write may
    raise OSError.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, id: str, call: Call) -> None:
        """Keep a call under the id of its request; on return it is on the disk."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        data = json.dumps({"tool": call.tool, "arguments": dict(call.arguments)}).encode("ascii")
        file = os.open(self._path(id), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(file, "wb") as kept:
            kept.write(data)
            kept.flush()
            os.fsync(kept.fileno())

    def call(self, id: str) -> Call | None:
        """The call that was held under this id, with an id of its own; None where it is gone or damaged."""
        try:
            kept = json.loads(Path(self._path(id)).read_text("ascii"))
            return Call(f"again-{id}", str(kept["tool"]), dict(kept["arguments"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def ids(self) -> tuple[str, ...]:
        """The ids of the calls that are kept."""
        with contextlib.suppress(OSError):
            return tuple(sorted(path.stem for path in self._folder.iterdir() if _NAME.fullmatch(path.stem)))
        return ()

    def drop(self, id: str) -> None:
        """The call is not needed any more."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path(id))

    def sweep(self, needed: Collection[str]) -> None:
        """Drop all but the calls of these ids."""
        with contextlib.suppress(OSError):
            for path in list(self._folder.iterdir()):
                if path.stem not in needed:
                    path.unlink(missing_ok=True)

    def _path(self, id: str) -> str:
        if not _NAME.fullmatch(id):
            raise OSError(f"{id!r} is no id")
        return f"{self._folder}/{id}.json"
