"""What was done, kept so that it can be taken back: a small file for each deed, and the bytes it replaced."""

import json
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from connectors.base import Needs
from connectors.clean import clean_line
from connectors.files.errors import Refused

_NAME = re.compile(r"[a-z]+-[0-9a-f]{16}")
_DAY = 86_400
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_SPARE = b" " * 4096

Facts = Mapping[str, str | Sequence[str]]
"""What the undoing of a deed needs to know."""


@dataclass(frozen=True, slots=True)
class Record:
    """One deed: what kind it was and the facts that its undoing needs."""

    name: str
    kind: str
    facts: Mapping[str, JsonValue]

    def text(self, key: str) -> str:
        """A fact that is text. Raises Refused for a record that has been tampered with."""
        value = self.facts.get(key)
        if isinstance(value, str):
            return value
        raise broken(self.name)

    def texts(self, key: str) -> tuple[str, ...]:
        """A fact that is a list of texts."""
        value = self.facts.get(key)
        if not isinstance(value, list):
            raise broken(self.name)
        return tuple(str(one) for one in value)


class Records:
    """The records in a folder of the connector's own; those older than `keep_days` are let go."""

    def __init__(self, state: Path, keep_days: int, clock: Callable[[], float] = time.time) -> None:
        self._folder = state / "undo"
        self._keep = keep_days * _DAY
        self._clock = clock
        self._spares: list[Path] = []

    @contextmanager
    def room(self) -> Iterator[None]:
        """Hold room for one record, so that no deed is done of which none can be kept. Raises Refused."""
        spare = self._folder / f".{secrets.token_hex(8)}.tmp"
        try:
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._spares.append(_put(spare, _SPARE, _NEW))
            except OSError as error:
                why = error.strerror or "no record can be kept"
                text = f"It could not be taken back ({why}), so nothing was done."
                raise Refused(Needs.NO_SPACE, text) from error
            yield
        finally:
            if spare in self._spares:
                self._spares.remove(spare)
            spare.unlink(missing_ok=True)

    def keep(self, kind: str, facts: Facts, before: bytes | None = None) -> str:
        """Keep a deed, and the bytes it replaces, on the disk; its name. Raises OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._let_go()
        name = f"{kind}-{secrets.token_hex(8)}"
        if before is not None:
            self._write(f"{name}.before", before)
        self._write(f"{name}.json", json.dumps({"kind": kind, "facts": dict(facts)}).encode())
        return name

    def load(self, name: str) -> Record:
        """A deed by its name. Raises Refused when there is none, or no longer."""
        if not _NAME.fullmatch(name):
            raise Refused(Needs.INVALID, f"“{clean_line(name, 80)}” is not the name of a change to files.")
        try:
            data = json.loads((self._folder / f"{name}.json").read_bytes())
            return Record(name, str(data["kind"]), dict(data["facts"]))
        except FileNotFoundError:
            text = "That change has been taken back already, or is too old to be taken back."
            raise Refused(Needs.NOT_FOUND, text) from None
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise broken(name) from error

    def before(self, name: str) -> bytes:
        """The bytes that a deed replaced. Raises Refused when they are lost."""
        try:
            return (self._folder / f"{name}.before").read_bytes()
        except OSError as error:
            raise Refused(Needs.NOT_FOUND, "The text as it was before is no longer kept.") from error

    def forget(self, name: str) -> None:
        """Let a deed go: it can be taken back only once."""
        for ending in ("json", "before"):
            (self._folder / f"{name}.{ending}").unlink(missing_ok=True)

    def _write(self, name: str, data: bytes) -> None:
        temporary, flags = self._folder / f".{name}.tmp", _NEW
        if len(data) <= len(_SPARE) and self._spares:
            # Written over in place, so that the room that was held is what is used.
            temporary, flags = self._spares.pop(), os.O_WRONLY | os.O_CLOEXEC
        try:
            _put(temporary, data, flags).replace(self._folder / name)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise

    def _let_go(self) -> None:
        oldest = self._clock() - self._keep
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


def broken(name: str) -> Refused:
    """The refusal to use a record that has been damaged."""
    return Refused(Needs.INVALID, f"The record {name} cannot be read, so that change cannot be taken back.")


def _put(path: Path, data: bytes, flags: int) -> Path:
    with open(os.open(path, flags, 0o600), "wb") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
    return path
