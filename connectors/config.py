"""Reading a TOML configuration file, with errors that name the file, the line and the key."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from connectors.clean import clean_line

Schema = TypeVar("Schema", bound=BaseModel)

Location = tuple[str | int, ...]
"""Where a value stands: the names of tables and keys, and numbers in arrays."""

_TABLE = re.compile(r"^\s*\[\[?\s*(?P<name>[^\]#]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*(?P<name>[A-Za-z0-9_."' -]+?)\s*=""")


class ConfigError(Exception):
    """A configuration file that cannot be used; the text is one plain sentence for a person."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path.name}, line {line}: {message}")
        self.path = path
        self.line = line


def load(path: Path, schema: type[Schema]) -> Schema:
    """The settings in a TOML file, or the schema's defaults where there is no file.

    Raises ConfigError for a file that cannot be read, is not TOML, or holds an unknown key or a wrong value.
    """
    text = read(path)
    return schema() if text is None else parse(text, path, schema)


def read(path: Path) -> str | None:
    """The text of a configuration file, or None where there is none. Raises ConfigError."""
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(path, 1, f"cannot be read ({_reason(error)})") from error


def parse(text: str, path: Path, schema: type[Schema]) -> Schema:
    """The settings in the text of a TOML file. Raises ConfigError as `load` does."""
    try:
        return schema.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        message = f"is not valid TOML: {clean_line(str(error))}"
        raise ConfigError(path, _decode_line(error), message) from error
    except ValidationError as error:
        errors = error.errors()
        first = next((each for each in errors if each["type"] == "extra_forbidden"), errors[0])
        line = line_of(text, first["loc"])
        raise ConfigError(path, line, _sentence(first["loc"], first, schema)) from error


def line_of(text: str, location: Sequence[str | int]) -> int:
    """The line (from 1) on which a key stands, or that of the nearest table around it."""
    lines: dict[Location, int] = {(): 1}
    table: Location = ()
    repeated: dict[Location, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if match := _TABLE.match(line):
            table = _table(_parts(match["name"]), repeated, array=line.lstrip().startswith("[["))
            for depth in range(1, len(table) + 1):
                lines.setdefault(table[:depth], number)
        elif match := _KEY.match(line):
            lines.setdefault((*table, *_parts(match["name"])), number)
    nearest = max(depth for depth in range(len(location) + 1) if tuple(location[:depth]) in lines)
    return lines[tuple(location[:nearest])]


def _table(parts: Sequence[str], repeated: dict[Location, int], *, array: bool) -> Location:
    """Where a table stands, with its number in every array of tables around it; `repeated` counts those."""
    place: Location = ()
    for part in parts[:-1]:
        place = (*place, part)
        if place in repeated:
            place = (*place, repeated[place])
    place = (*place, parts[-1])
    if array:
        repeated[place] = repeated.get(place, -1) + 1
        return (*place, repeated[place])
    return place


def _parts(dotted: str) -> list[str]:
    return [part.strip().strip("\"'") for part in dotted.split(".")]


def _decode_line(error: tomllib.TOMLDecodeError) -> int:
    found = re.search(r"line (\d+)", str(error))
    return int(found[1]) if found else 1


def _sentence(location: Sequence[str | int], error: object, schema: type[BaseModel]) -> str:
    details = error if isinstance(error, dict) else {}
    key = clean_line(".".join(str(part) for part in location), 80)
    if details.get("type") == "extra_forbidden":
        known = ", ".join(sorted(schema.model_fields)) if len(location) == 1 else ""
        return f"'{key}' is not a setting here" + (f"; known are {known}" if known else "")
    return f"'{key}': {clean_line(str(details.get('msg', 'is wrong')).removeprefix('Value error, '), 200)}"


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror or "unknown error") if isinstance(error, OSError) else "it is not UTF-8"


def toml_string(text: str) -> str:
    """Text as a TOML basic string, whatever is in it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
