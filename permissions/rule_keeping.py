"""The rules of each service that are in force, kept so that a restart or a broken file loses none of them."""

import logging
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from connectors.atomic import write_file
from permissions.rules import Rule

_SUFFIX = ".json"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """The text of a file that last held as a whole, and the rules in force, which may be stricter by now."""

    text: str = ""
    rules: tuple[Rule, ...] = ()


_FORM = TypeAdapter(Kept)


class KeptRules:
    """One file a service in a folder of the program's own; what cannot be written is kept until the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._unwritten: dict[str, Kept] = {}

    def services(self) -> set[str]:
        """The services of which something is kept."""
        return {path.stem for path in self._folder.glob(f"*{_SUFFIX}")} | set(self._unwritten)

    def read(self, service: str) -> Kept:
        """What is kept of a service. Raises ValueError or OSError where it cannot be read."""
        if service in self._unwritten:
            return self._unwritten[service]
        try:
            data = (self._folder / f"{service}{_SUFFIX}").read_bytes()
        except FileNotFoundError:
            return Kept()
        try:
            return _FORM.validate_json(data)
        except ValidationError as error:
            raise ValueError("it is damaged") from error

    def write(self, service: str, kept: Kept) -> None:
        """Keep this from now on."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_file(self._folder / f"{service}{_SUFFIX}", _FORM.dump_json(kept, indent=1))
            self._unwritten.pop(service, None)
        except (OSError, ValueError):
            log.exception("the rules of %s that are in force could not be kept", service)
            self._unwritten[service] = kept
