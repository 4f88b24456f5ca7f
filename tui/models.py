"""The command `askfirst models`: what is here, fetching the starter, importing a file, using another."""

import argparse
import asyncio
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from assistant.model.base import ModelUnusable
from assistant.model.catalogue import find, installed
from assistant.model.importing import import_model
from assistant.model.known import KNOWN
from assistant.model.starter import KEY
from tui.output import DONE, progress, show_list
from tui.places import Places
from tui.planner import fetch
from tui.settings import use_model


@dataclass(frozen=True, slots=True)
class Row:
    """One model in the list; the size is in bytes."""

    key: str
    title: str
    size: int
    here: bool
    about: str


def models(options: argparse.Namespace, places: Places) -> int:
    """Do what the command's first word says. Raises ModelError or ConfigError."""
    match options.action:
        case "get":
            _get(options.what or KEY, places)
        case "import":
            _import(Path(options.what).expanduser(), places)
        case "use":
            spec = find(places.cache, options.what)
            use_model(places.config / "config.toml", options.what)
            sys.stdout.write(f"From now on Askfirst uses {spec.title}.\n")
        case _:
            return _list(options, places)
    return DONE


def _get(key: str, places: Places) -> None:
    if key != KEY:
        hint = "Import any other from a file: askfirst models import FILE"
        raise ModelUnusable(f"Only the starter can be fetched. {hint}")
    asyncio.run(fetch(places.cache, progress))
    sys.stdout.write("The starter model is here.\n")


def _import(path: Path, places: Places) -> None:
    model = import_model(path, places.cache, lambda done, size: progress("copying", done / max(size, 1)))
    use = f"Use it: askfirst models use {model.key}"
    sys.stdout.write(f"{model.title} is here as “{model.key}”. {use}\n")


def _list(options: argparse.Namespace, places: Places) -> int:
    rows = list(_rows(places))
    lines = (
        f"{'✓' if row.here else ' '} {row.key:<14} {row.size / 1e6:>6.0f} MB  {row.title}: {row.about}"
        for row in rows
    )
    return show_list([asdict(row) for row in rows], lines, as_json=options.json)


def _rows(places: Places) -> Iterator[Row]:
    about = {known.key: known.about for known in KNOWN}
    here = installed(places.cache)
    for model in here:
        yield Row(model.key, model.title, model.size, True, about.get(model.key, "imported from a file"))
    for known in KNOWN:
        if known.key not in {model.key for model in here}:
            yield Row(known.key, known.title, known.size, False, f"{known.about} (not here)")
