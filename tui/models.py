"""The command `askfirst models`: what is here, and how a model is fetched, imported, used and removed."""

import argparse
import asyncio
import sys
from dataclasses import asdict
from pathlib import Path

from assistant.model.base import ModelError, ModelUnusable
from assistant.model.capacity.footprint import gigabytes, need_memory
from assistant.model.capacity.machine import available_memory
from assistant.model.hub.words import Interrupted
from assistant.model.shelf.known import key_of
from assistant.model.starter import KEY
from tui.library import Library
from tui.model_table import Row
from tui.output import DONE, FAILED, REFUSED, complain, progress, show_list
from tui.places import Places
from tui.settings import use_model
from tui.tty import Tty, present

_COLUMN = 12


def models(options: argparse.Namespace, places: Places) -> int:
    """Do what the command's first word says. Raises ModelError or ConfigError."""
    try:
        return _done(options, places)
    except ModelError:
        _end_line()
        raise


def _done(options: argparse.Namespace, places: Places) -> int:
    library = Library(places)
    match options.action:
        case "get":
            return _get(options, library)
        case "import":
            return _import(_path(options.what), library)
        case "use":
            return _use(options.what, library, places)
        case "remove":
            return _remove(options, library)
        case _:
            return _list(options, library)


def _get(options: argparse.Namespace, library: Library) -> int:
    key = key_of(options.what or KEY)
    try:
        told = asyncio.run(library.get(key, progress, options.repository or "", options.file or ""))
    except KeyboardInterrupt:
        _end_line()
        return complain(_stopped(key, library))
    except Interrupted as error:
        _end_line()
        again = f"To go on: askfirst models get {key}"
        return complain(f"{error} {again}")
    _end_line()
    row = next(row for row in library.rows() if row.key == key)
    use = "" if row.active else f" Use it: askfirst models use {key}"
    sys.stdout.write(f"{told}{use}\n")
    return DONE


def _stopped(key: str, library: Library) -> str:
    """What to say of a fetch that the person ended."""
    row = next((row for row in library.rows() if row.key == key), None)
    if row is None or row.fetched is None:
        return "Stopped. Nothing of it is kept."
    share = f"{100 * row.fetched:.0f} %"
    return f"Stopped. {share} of it stays here; the same command goes on from there."


def _import(path: Path, library: Library) -> int:
    try:
        model = asyncio.run(library.take_in(path, progress))
    except KeyboardInterrupt:
        _end_line()
        return complain("Stopped. Nothing of it is kept.")
    _end_line()
    use = f"Use it: askfirst models use {model.key}"
    sys.stdout.write(f"{model.title} is here as “{model.key}”. {use}\n")
    return DONE


def _use(word: str, library: Library, places: Places) -> int:
    if not word:
        raise ModelUnusable("Say which model: askfirst models use NAME, or the path of a GGUF file.")
    spec, settings = library.chosen(word)
    use_model(places.config / "config.toml", settings.model)
    sys.stdout.write(f"From now on Askfirst uses {spec.title}.\n")
    try:
        need_memory(spec, available_memory())
    except ModelUnusable as error:
        sys.stdout.write(f"But as things are now: {error}\n")
    return DONE


def _remove(options: argparse.Namespace, library: Library) -> int:
    if not options.what:
        raise ModelUnusable("Say which model: askfirst models remove NAME")
    key, words = library.removable(options.what)
    if not options.yes:
        if not present():
            complain(f"{words} Nobody was there to say yes to it. With --yes it is not asked.")
            return REFUSED
        if (Tty().read(f"{words} Go on? [y/N] ") or "").strip().casefold() not in ("y", "yes"):
            sys.stdout.write("Nothing was removed.\n")
            return FAILED
    sys.stdout.write(f"{library.remove(key)}\n")
    return DONE


def _list(options: argparse.Namespace, library: Library) -> int:
    rows = library.rows()
    lines = [line for row in rows for line in _lines(row)]
    listed = [{**asdict(row), "state": row.state} for row in rows]
    return show_list(listed, lines, as_json=options.json)


def _lines(row: Row) -> list[str]:
    sign = "▸" if row.active else "✓" if row.here else " "
    facts = [row.state, gigabytes(row.size) if row.size else "", row.licence]
    if row.memory:
        facts.append(f"{'takes' if row.here else 'takes about'} {gigabytes(row.memory)} of memory")
    head = f"{sign} {row.key:<{_COLUMN}} {', '.join(fact for fact in facts if fact)}"
    return [head, f"    {row.title}: {row.about}"]


def _path(text: str) -> Path:
    if not text:
        raise ModelUnusable("Say which file: askfirst models import FILE")
    return Path(text).expanduser()


def _end_line() -> None:
    """Take away the line of progress."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
