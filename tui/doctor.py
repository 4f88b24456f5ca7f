"""What works on this machine and what is missing, with what to do about it."""

import importlib.util
import os
import platform
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.model.base import ModelError
from assistant.model.catalogue import find
from assistant.model.footprint import need_memory
from assistant.model.machine import available_memory
from connectors.config import ConfigError, load
from tui.house import ConnectorState
from tui.model_sources import tuning_of
from tui.places import Places
from tui.services import Running, Services
from tui.settings import Settings, zone_of
from tui.states import states_of


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; `needed` says that Askfirst does not work without it."""

    subject: str
    ok: bool
    text: str
    needed: bool = True


def examine(places: Places, services: Services) -> tuple[Finding, ...]:
    """Look at everything Askfirst stands on; nothing is changed."""
    return (
        Finding("python", True, f"{platform.python_version()} in {sys.prefix}"),
        _llama(),
        _model(places),
        _search(),
        *_folders(places),
        *_settings(places),
        *(_service(each) for each in services.running if each.built),
        *(_account(each) for each in states_of(services) if each.account),
        *(Finding(each.connector, False, each.text, needed=False) for each in services.notices()),
        _terminal(),
    )


def config_faults(places: Places, services: Services) -> Sequence[str]:
    """What is wrong in the configuration files, one sentence each."""
    return [finding.text for finding in _settings(places) if not finding.ok] + [
        notice.text for notice in services.left_out
    ]


def _llama() -> Finding:
    there = importlib.util.find_spec("llama_cpp") is not None
    return Finding("llama.cpp", there, "installed" if there else "missing: pip install llama-cpp-python")


def _model(places: Places) -> Finding:
    try:
        settings = load(places.config / "config.toml", Settings)
        spec = find(places.cache, settings.model, tuning=tuning_of(settings, settings.model))
        need_memory(spec, available_memory())
    except ModelError as error:
        return Finding("model", False, str(error))
    except ConfigError as error:
        return Finding("model", False, f"not known, since {error}")
    return Finding("model", True, f"{spec.title}, {spec.path.stat().st_size / 1e6:.0f} MB")


def _search() -> Finding:
    with sqlite3.connect(":memory:") as connection:
        options = {row[0] for row in connection.execute("PRAGMA compile_options")}
    there = "ENABLE_FTS5" in options
    text = f"SQLite {sqlite3.sqlite_version}" + ("" if there else " lacks FTS5: files are searched slowly")
    return Finding("search", there, text, needed=False)


def _folders(places: Places) -> Iterator[Finding]:
    for subject, folder in (("state", places.state), ("data", places.data), ("cache", places.cache)):
        yield Finding(subject, os.access(folder, os.W_OK | os.X_OK), _folder_words(folder))


def _folder_words(folder: Path) -> str:
    if not folder.is_dir():
        return f"{folder} does not exist"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"{folder} cannot be written to"
    loose = folder.stat().st_mode & 0o077
    return f"{folder}{' (others may look into it: chmod 700)' if loose else ''}"


def _settings(places: Places) -> Iterator[Finding]:
    try:
        settings = load(places.config / "config.toml", Settings)
        yield Finding("time zone", True, zone_of(settings).key)
    except ConfigError as error:
        yield Finding("settings", False, str(error))


def _service(service: Running) -> Finding:
    count = len([tool for tool in service.live.tools if tool.offered])
    return Finding(
        service.name, count > 0, f"{count} tools" if count else "offers nothing here", needed=False
    )


def _account(state: ConnectorState) -> Finding:
    return Finding(state.name, state.state != "unavailable", f"{state.mode}; {state.detail}", needed=False)


def _terminal() -> Finding:
    if not sys.stdout.isatty():
        return Finding("terminal", False, "none here: goals that need a yes are refused", needed=False)
    columns, lines = os.get_terminal_size()
    roomy = columns >= 60 and lines >= 16
    text = f"{columns}x{lines}" + ("" if roomy else ": a prompt needs 60x16 to be shown in full")
    return Finding("terminal", roomy, text, needed=False)
