"""Writing settings into a file that may hold a person's own lines, of which none is lost."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel

from connectors.atomic import write_file
from connectors.config import parse

_TABLE = re.compile(r"^\s*\[")


def with_values(text: str, values: Mapping[str, str]) -> str:
    """The text with these keys before all tables, behind the comment it begins with; `values` are TOML.

    A key that is there already gets the new value where it stands; its old comment goes with its old value.
    """
    left, lines, inside = dict(values), [], False
    for line in text.splitlines():
        inside = inside or bool(_TABLE.match(line))
        key = line.partition("=")[0].strip().strip("\"'")
        if not inside and "=" in line and key in values:
            if key in left:
                lines.append(f"{key} = {left.pop(key)}")
        else:
            lines.append(line)
    head = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    lines[head:head] = [f"{key} = {value}" for key, value in left.items()]
    return "".join(f"{line}\n" for line in lines)


def with_lines(text: str, table: str, added: Sequence[str]) -> str:
    """The text with lines at the beginning of a table, which is made at the end where it is not there."""
    head = f"[{table}]"
    lines = text.splitlines()
    places = [number for number, line in enumerate(lines) if line.split("#")[0].strip() == head]
    if places:
        lines[places[0] + 1 : places[0] + 1] = added
    else:
        lines += [*([""] if lines else []), head, *added]
    return "".join(f"{line}\n" for line in lines)


def write_settings(path: Path, text: str, schema: type[BaseModel]) -> None:
    """Put the text into the file, once it is certain that it fits together. Raises ConfigError or OSError."""
    parse(text, path, schema)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_file(path, text.encode())


def text_of(path: Path, new: str = "") -> str:
    """What stands in a file of settings, or `new` where there is none. Raises OSError."""
    return path.read_text("utf-8") if path.exists() else new
