"""Keeps what a change replaced, so that it can be taken back; this is also the calendar's trash."""

import base64
import json
import re
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from connectors.atomic import write_file
from connectors.calendar.handles import read_place, spell
from connectors.calendar.store import Collection, Place

_NAME = re.compile(r"[0-9a-f]{32}")
_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file before and after; None where there is none."""

    place: Place
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class Record:
    """A deed: its title, when it was done, every file it changed, and the calendar made for it if any."""

    name: str
    title: str
    at: datetime
    changes: tuple[FileChange, ...]
    made: Collection | None = None


class Records:
    """A folder of one small JSON file per deed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, record: Record) -> None:
        """Write a record to disk, safely. Raises OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(self._path(record.name), json.dumps(_to_json(record)).encode(), new=True)

    def amend(self, record: Record) -> None:
        """Write a record anew, over the one of its name. Raises OSError."""
        write_file(self._path(record.name), json.dumps(_to_json(record)).encode())

    def find(self, name: str) -> Record | None:
        """The record of that name, or None where there is none that can be read."""
        if not _NAME.fullmatch(name):
            return None
        try:
            return _from_json(name, json.loads(self._path(name).read_text("utf-8")))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def drop(self, name: str) -> None:
        self._path(name).unlink(missing_ok=True)

    def prune(self, now: datetime, keep: timedelta) -> None:
        """Forget records whose deeds lie further back than `keep`; what cannot be read stays."""
        for path in self._folder.glob(f"*{_SUFFIX}"):
            record = self.find(path.stem)
            if record is not None and record.at < now - keep:
                path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{_SUFFIX}"


def new_name() -> str:
    """A name no other record has."""
    return uuid.uuid4().hex


def _to_json(record: Record) -> dict[str, object]:
    return {
        "title": record.title,
        "at": record.at.isoformat(),
        "changes": [
            {"place": spell(each.place), "before": _packed(each.before), "after": _packed(each.after)}
            for each in record.changes
        ],
        "made": [record.made.name, record.made.displayname] if record.made else None,
    }


def _from_json(name: str, found: dict[str, object]) -> Record:
    changes, made = found["changes"], found["made"]
    if not isinstance(changes, list) or not (made is None or isinstance(made, list)):
        raise TypeError("not a record")
    return Record(
        name=name,
        title=str(found["title"]),
        at=datetime.fromisoformat(str(found["at"])),
        changes=tuple(_change(each) for each in changes),
        made=Collection(str(made[0]), str(made[1])) if made else None,
    )


def _change(found: dict[str, str | None]) -> FileChange:
    place = read_place(found["place"] or "")
    if place is None:
        raise ValueError("not a place")
    return FileChange(place, _unpacked(found["before"]), _unpacked(found["after"]))


def _packed(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def _unpacked(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text, validate=True)
