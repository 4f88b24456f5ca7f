"""What was done, kept so that it can be taken back: one small file for each deed."""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from connectors.atomic import write_file
from connectors.base import Call

_NAME = re.compile(r"[0-9a-f]{32}")
UNDO_TOOL: Final = "messaging.undo"


def short_hash(*parts: str | bytes) -> str:
    """32 hexadecimal digits over some parts, the borders between them included."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:32]


def write_json(path: Path, value: Mapping[str, str], *, new: bool = False) -> None:
    """Write a JSON file wholly or not at all; with `new`, FileExistsError if it is there already."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_file(path, json.dumps(value).encode("ascii"), new=new)


def read_json(path: Path) -> dict[str, str] | None:
    """The strings of a JSON file, or None if it is missing or damaged."""
    try:
        value = json.loads(path.read_text("ascii"))
    except (FileNotFoundError, ValueError):
        return None
    if not isinstance(value, dict):
        return None
    return {str(key): part for key, part in value.items() if isinstance(part, str)}


def record_of(call: str) -> str:
    """The name of the record of a call, by the call's id."""
    return short_hash(call)


def undo_of(call: str, record: str) -> Call:
    """The call that takes back the one of this id."""
    return Call(f"undo-{call}", UNDO_TOOL, {"record": record})


class Records:
    """The undo records of a connector, by names that only we make."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, call: Call, **record: str) -> Call:
        """Keep what is needed to take a call back, and the call that does it. Raises OSError."""
        name = record_of(call.id)
        write_json(self._folder / f"{name}.json", record)
        return undo_of(call.id, name)

    def find(self, name: str) -> dict[str, str] | None:
        """The record of this name, or None if there is none or it is used up."""
        return read_json(self._folder / f"{name}.json") if _NAME.fullmatch(name) else None

    def forget(self, name: str) -> None:
        """A deed that was taken back cannot be taken back again."""
        if _NAME.fullmatch(name):
            (self._folder / f"{name}.json").unlink(missing_ok=True)
